"""The program on the page about fair deals needs nothing of ours and deals what we deal."""

import re
import subprocess
import sys
from collections.abc import Callable
from random import Random
from typing import Any

import kibitz
import pytest
from kibitz.fair import Draw, commitment

from tests.sources import ROOT

PAGE = (ROOT / "docs" / "fair-deals.md").read_text(encoding="utf-8")
SECRET = bytes(range(32))


def fenced(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    assert found
    return found[1]


@pytest.fixture(scope="module")
def program() -> dict[str, Any]:
    names: dict[str, Any] = {}
    exec(fenced("python"), names)
    return names


def test_the_program_runs_without_any_package_and_prints_the_vectors() -> None:
    command = [sys.executable, "-I", "-S", "-c", fenced("python")]
    said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    assert said == fenced("text")
    assert "kibitz" not in re.findall(r"import (.*)", fenced("python"))[0]


def test_the_vectors_are_what_the_platform_deals() -> None:
    game, three = kibitz.game("german_whist"), kibitz.game("three_handed_whist")
    first, second, third, cut = fenced("text").splitlines()
    assert first == commitment(SECRET)
    assert second.split() == Draw(game, SECRET, "abcd2345", 7).half(0)[1]["deck"]
    drawn = Draw(game, SECRET, "abcd2345", 7, [None, "otter"])
    assert third.split() == drawn.half(0)[1]["deck"]
    drawn = Draw(three, SECRET, "abcd2345", 7, ["otter", None, "heron"])
    assert cut == drawn.half(1)[2]["cut"]


@pytest.mark.parametrize("name", kibitz.games())
def test_the_program_deals_every_game_and_exchanges_the_same_suits(
    name: str, program: dict[str, Any]
) -> None:
    deck: Callable[..., list[str]] = program["deck"]
    game = kibitz.game(name)
    pack = [game.cards.codes[card] for card in game.deck]
    rng = Random(name)
    secret = rng.randbytes(32)
    nonces = [rng.choice([None, "x", "y-1"]) for _ in range(game.players)]
    draw = Draw(game, secret, "t", 12, nonces)
    told = [nonce or "" for nonce in nonces] if any(nonces) else []
    for seating in kibitz.seatings(game)[:6]:
        for number, luck in enumerate(draw.half(seating.half)):
            context = ("t", "12", str(seating.half), str(number), *told)
            assert deck(pack, secret, *context) == luck["deck"]
            same, *others = game.relabellings(number)
            words = program["stream"](secret, "relabel", *context)
            order = [same, *program["shuffled"](others, words)]
            expected = order[seating.lane] if others else same
            assert draw.relabelling(seating, number) == expected

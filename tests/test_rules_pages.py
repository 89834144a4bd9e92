"""The rules for players: their tables come from the games, their tricks are won as they say."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import kibitz
import pytest
from kibitz_api.games.pages import rules_page
from kibitz_api.games.tricks import parse_trick

from docs.rules.generate import FOLDER, page
from tests.sources import ROOT
from tests.test_documents import FENCE


@pytest.mark.parametrize("name", kibitz.games())
def test_the_tables_are_what_the_games_say(name: str) -> None:
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    assert text == page(name), "python docs/rules/generate.py writes the tables anew"
    assert text.startswith(f"# {kibitz.game(name).title}\n")


@pytest.mark.parametrize("name", kibitz.games())
def test_the_worked_tricks_are_right(name: str) -> None:
    game = kibitz.game(name)
    text = (FOLDER / f"{name}.md").read_text(encoding="utf-8")
    tricks = [parse_trick(found[2]) for found in FENCE.finditer(text) if found[1] == "trick"]
    assert tricks
    for trick in tricks:
        trump = None if trick.trumps == "none" else game.cards.suits.index(trick.trumps)
        cards = [game.cards.card(code) for _, code in trick.played]
        assert trick.played[game.wins(cards, trump)][0] == trick.winner


@pytest.mark.parametrize("name", kibitz.games())
def test_a_page_becomes_html_with_headings(name: str) -> None:
    found = rules_page(name)
    assert found is not None
    headings = [heading for _, heading in found.headings]
    assert {"A trick", "The score", "The match", "Options", "A forfeited deal"} <= {*headings}
    assert len({id_ for id_, _ in found.headings}) == len(headings)
    assert all(f'<h2 id="{id_}">' in found.html for id_, _ in found.headings)
    assert not any(rest in found.html for rest in ("<h1", "&lt;", "```", ".md", "| "))


def test_there_are_no_rules_of_a_game_of_ones_own() -> None:
    assert rules_page("toy") is None


def test_a_wheel_carries_the_pages(tmp_path: Path) -> None:
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    environment = {**os.environ, "KIBITZ_SKIP_UI": "1"}
    subprocess.run(build, cwd=ROOT, env=environment, check=True, capture_output=True, timeout=120)
    (wheel,) = tmp_path.glob("*.whl")
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(tmp_path / "installed")
    asked = "import kibitz_api.games.pages as p; print(p.__file__, bool(p.rules_page('whiskey')))"
    said = subprocess.run(
        [sys.executable, "-c", asked],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(tmp_path / "installed")},
        check=True,
        capture_output=True,
        text=True,
        timeout=60,
    ).stdout
    assert said == f"{tmp_path}/installed/kibitz_api/games/pages.py True\n"

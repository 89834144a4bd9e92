"""A bot in another language, without rules code, plays every game."""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import grpc
import kibitz
import pytest
from kibitz.v1 import referee_pb2

from hatch_build import find_npm
from tests.referee.parties import BotProcess, Played, Referee, digest, set_of, until
from tests.sources import ROOT

FOLDER = ROOT / "examples" / "bots" / "node"
RANDOM = "import kibitz; from kibitz.loading import load_bot; kibitz.run(load_bot('random'))"
SHORT = {"german_whist": "hands:2", "ottocento": "deals:3"}


@pytest.fixture(scope="module")
def path() -> str:
    """The search path on which the built bot finds its Node."""
    npm = find_npm()
    found = os.pathsep.join([str(Path(npm[0]).parent), os.environ["PATH"]])
    with (FOLDER / ".build.lock").open("w") as lock:  # tests of other processes want it too
        fcntl.flock(lock, fcntl.LOCK_EX)
        for step in steps():
            done = subprocess.run(
                [*npm, *step],
                cwd=FOLDER,
                env={**os.environ, "PATH": found},
                capture_output=True,
                text=True,
                check=False,
            )
            assert done.returncode == 0, done.stdout + done.stderr
    return found


def steps() -> Iterator[list[str]]:
    """What is left to do until the bot is built."""
    installed = FOLDER / "node_modules" / ".package-lock.json"
    if older(installed, [FOLDER / "package-lock.json"]):
        yield ["ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"]
    sources = [*FOLDER.glob("*.json"), *FOLDER.glob("src/*.ts"), *ROOT.glob("proto/kibitz/v1/*")]
    if older(FOLDER / "dist" / "bot.js", sources):
        yield ["run", "build"]


def older(made: Path, sources: list[Path]) -> bool:
    """Whether a file is missing, or was made before one of its sources was changed."""
    newest = max(source.stat().st_mtime for source in sources)
    return not made.is_file() or made.stat().st_mtime < newest


@contextmanager
def node_bot(referee: Referee, token: str, path: str) -> Iterator[subprocess.Popen[str]]:
    """The bot as `kibitz.toml` starts it."""
    environment = {
        **os.environ,
        "PATH": path,
        "KIBITZ_ADDRESS": referee.address,
        "KIBITZ_TOKEN": token,
    }
    command = [sys.executable, "-m", "kibitz.bots", str(FOLDER)]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.kill()


def game_of(name: str) -> referee_pb2.RunSetRequest:
    """A short match of a game, with the bot in every other seat."""
    options: dict[str, Any] = {"end": SHORT[name]} if name in SHORT else {}
    seats = kibitz.game(name).seats
    seating = ["node" if seat % 2 == 0 else "random" for seat in range(seats)]
    return set_of(name, seating, **options)


def test_it_plays_all_games_side_by_side_and_says_how_it_chose(referee: Referee, path: str) -> None:
    referee.admit("node", "random")
    with node_bot(referee, "node", path), BotProcess(referee, "random", RANDOM):
        calls = {name: referee.stub.RunSet(game_of(name), timeout=90) for name in kibitz.games()}
        played = {name: Played(call) for name, call in calls.items()}
        players = {player.label: player for player in referee.presence().players}
    assert set(played) == set(kibitz.games())
    assert players["node"].reports > 100  # of how long it took
    assert players["node"].latency_p50_us < players["node"].latency_p99_us
    for name, one in played.items():
        assert one.finished, (name, one.failed)
        assert one.reasons("m0") == [], name
        deals = one.record("m0").deals  # replays it and checks each policy
        mine = [
            (deal, number)
            for deal in deals
            for number, (seat, _) in enumerate(deal["actions"])
            if seat % 2 == 0
        ]
        assert sum(len(deal["policies"]) for deal in deals) == len(mine)
        comments = [dict(deal["comments"]) for deal in deals]
        assert all(comments[deal["number"]][number] for deal, number in mine)


def test_it_leaves_when_it_is_dismissed(referee: Referee, path: str) -> None:
    referee.admit("node")
    with node_bot(referee, "node", path) as bot:
        until(lambda: referee.connected() == 1)
        request = referee_pb2.DismissRequest(token_sha256=[digest("node")])
        assert referee.stub.Dismiss(request).dismissed == 1
        assert bot.wait(20) == 0


def test_it_comes_back_when_the_referee_was_killed(
    start: Callable[..., Referee], path: str
) -> None:
    referee = start()
    referee.admit("node", "random")
    with node_bot(referee, "node", path), BotProcess(referee, "random", RANDOM):
        request = set_of("german_whist", ("node", "random"), end="hands:5000")
        call = referee.stub.RunSet(request, timeout=60)
        until(lambda: referee.presence().load.deals > 2)
        referee.process.kill()
        with pytest.raises(grpc.RpcError):
            list(call)
        again = start()
        until(lambda: "UNKNOWN_TOKEN" in again.log.read_text())  # nobody has told it of bots yet
        again.admit("node", "random")
        played = again.run(game_of("german_whist"))
    assert played.finished
    assert played.reasons("m0") == []


def test_it_says_why_it_is_refused(referee: Referee, path: str) -> None:
    with node_bot(referee, "nobody", path) as bot:
        assert bot.wait(20) == 1
        assert bot.stderr is not None
        assert "UNKNOWN_TOKEN" in bot.stderr.read()

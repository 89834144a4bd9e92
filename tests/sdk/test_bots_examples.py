"""The example bots play by the rules, and better than chance."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from kibitz.loading import load_bot
from kibitz.local import play_sets
from kibitz.manifest import Manifest

EXAMPLES = Path(__file__).parents[2] / "examples" / "bots"
FOLDERS = sorted(file.parent for file in EXAMPLES.glob("*/kibitz.toml"))
PYTHON = [folder for folder in FOLDERS if not Manifest.read(folder).command]


def test_there_are_examples() -> None:
    assert {"batched", "first"} <= {folder.name for folder in PYTHON}


@pytest.mark.parametrize("folder", PYTHON, ids=lambda folder: folder.name)
def test_an_example_beats_random_in_the_games_it_names(folder: Path) -> None:
    bot = load_bot(folder)
    assert bot.name == folder.name
    assert bot.games
    for game in bot.games:
        result = play_sets(game, [load_bot(folder), "random"], sets=4, seed=3)
        assert not result.faults
        assert result.standings[0].player == bot.name


@pytest.mark.parametrize("spec", ["random", str(PYTHON[0])])
def test_a_bot_started_as_a_process_without_a_referee_plays_right_here(spec: str) -> None:
    environment = {name: value for name, value in os.environ.items() if name != "KIBITZ_ADDRESS"}
    done = subprocess.run(
        [sys.executable, "-m", "kibitz.bots", spec],
        capture_output=True,
        text=True,
        env=environment,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "points a deal above the table's mean" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "what"),
    [([], 2, "usage"), (["nobody"], 1, "no bot 'nobody'"), (["a", "b"], 2, "usage")],
)
def test_a_process_that_cannot_start_says_why(arguments: list[str], code: int, what: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "kibitz.bots", *arguments],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == code
    assert what in done.stderr
    assert "Traceback" not in done.stderr

"""Commands that are asked for JSON say in JSON too what is wrong: a line on stderr, no result."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from kibitz.cli import run
from kibitz.cli.main import cli
from kibitz_api.server.commands import app


def with_json(commands: typer.Typer) -> Iterator[list[str]]:
    """The words of every command that has the option --json."""

    def walk(command: Any, words: list[str]) -> Iterator[list[str]]:
        for name, inner in getattr(command, "commands", {}).items():
            yield from walk(inner, [*words, name])
        if any("--json" in parameter.opts for parameter in command.params):
            yield words

    return walk(typer.main.get_command(commands), [])


def fault(told: str) -> dict[str, Any]:
    """What the last line of stderr says."""
    found = json.loads(told.strip().splitlines()[-1])
    assert found.keys() == {"error"}
    error: dict[str, Any] = found["error"]
    assert error.keys() == {"reason", "message", "where"}
    assert error["message"]
    return error


@pytest.mark.parametrize("words", list(with_json(cli)), ids=" ".join)
def test_every_command_says_in_json_what_is_wrong_with_its_arguments(
    words: list[str], capsys: pytest.CaptureFixture[str]
) -> None:
    assert run([*words, "--json", "--no-such-option"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert fault(said.err)["reason"] == "USAGE"


@pytest.mark.parametrize("words", list(with_json(app)), ids=" ".join)
def test_so_does_every_command_of_the_server(
    words: list[str], capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    arguments = [*words, "--json", "--no-such-option"]
    monkeypatch.setattr(sys, "argv", ["kibitz-server", *arguments])
    with pytest.raises(SystemExit) as ended:
        app(arguments)
    assert ended.value.code == 2
    assert fault(capsys.readouterr().err)["reason"] == "USAGE"


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["games", "chess", "--json"], "UNKNOWN_GAME"),
        (["play", "whist", "random", "careful", "--sets=1", "--record=no/x", "--json"], "ENOENT"),
        (["play", "whist", "random", "nobody", "--json"], "BOT_NOT_FOUND"),
        (["leaderboard", "whist", "--to", "http://127.0.0.1:1", "--json"], "SERVER_UNREACHABLE"),
    ],
)
def test_reasons_are_those_of_the_errors(
    words: list[str],
    reason: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run(words) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert fault(said.err)["reason"] == reason


@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (["none.csv"], "FILE_UNREADABLE"),
        (["bad.csv"], "BAD_CSV"),
        (["good.csv", "--test", "ana", "ben", "--elo0", "9", "--elo1", "3"], "BAD_HYPOTHESES"),
    ],
)
def test_ratings_of_files_say_it_in_json(words: list[str], reason: str, tmp_path: Path) -> None:
    (tmp_path / "bad.csv").write_text("colour,size\nred,3\n")
    (tmp_path / "good.csv").write_text("player1,player2,result\nana,ben,1-0\n")
    command = [sys.executable, "-m", "kibitz", "rate", *words, "--json"]
    done = subprocess.run(command, capture_output=True, text=True, cwd=tmp_path, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert fault(done.stderr)["reason"] == reason


def test_a_server_command_says_it_in_json(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    command = [sys.executable, "-m", "kibitz_api.server", "archive", "abc", "--json"]
    done = subprocess.run(
        [*command, "--data", str(tmp_path / "file" / "data")],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (1, "")
    assert fault(done.stderr)["reason"].isupper()

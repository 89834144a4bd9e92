"""The command ``kibitz``: play, games, verify, replay, new."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import kibitz
import pytest
from kibitz.cli import run

Capture = pytest.CaptureFixture[str]
KIBITZ = [sys.executable, "-m", "kibitz"]
QUICK = ["--option", "end=hands:2", "--seed", "7"]

FAILS = """
from kibitz import Bot

class Fails(Bot):
    def play(self, view):
        if view.number:
            return 1 / 0
        return view.legal[0]
"""


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def failing(here: Path) -> str:
    (here / "fails.py").write_text(FAILS)
    return "fails.py"


def test_play_shows_who_is_better_with_error_bars(capsys: Capture) -> None:
    assert run(["play", "german_whist", "careful", "random", "--sets", "4", *QUICK]) == 0
    out = capsys.readouterr().out
    assert re.search(r"careful +\+\d\.\d{3} +±\d\.\d{3}", out)
    assert "seed 7" in out
    assert "end=hands:2" in out


def test_play_gives_json_for_programs(capsys: Capture) -> None:
    assert run(["play", "german_whist", "careful", "random", "--sets", "3", *QUICK, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["options"]["end"] == "hands:2"
    assert (told["sets"], told["finished"], told["faults"]) == (3, True, [])
    rows = told["standings"]
    assert [row["player"] for row in rows] == ["careful", "random"]
    assert sum(row["margin"] for row in rows) == pytest.approx(0)
    assert all(row["deals"] == 12 for row in rows)


def test_the_same_seed_gives_the_same_and_options_go_over_presets(capsys: Capture) -> None:
    told = []
    for _ in range(2):
        words = ["--preset", "honeymoon", "-o", "follow1=true", *QUICK, "--json"]
        assert run(["play", "german_whist", "random", "random", "--sets", "2", *words]) == 0
        told.append(json.loads(capsys.readouterr().out))
    assert told[0] == told[1]
    options = told[0]["options"]
    assert (options["jokers"], options["follow1"]) == (True, True)


def test_a_list_option_is_given_with_commas(capsys: Capture) -> None:
    words = ["-o", "trump=cycle", "-o", "cycle=NT,S", "-o", "end=deals:4", "--json"]
    assert run(["play", "whist", "random", "random", "--sets", "1", *words]) == 0
    assert json.loads(capsys.readouterr().out)["options"]["cycle"] == ["NT", "S"]


def test_records_are_lines_that_verify_accepts(here: Path, capsys: Capture) -> None:
    play = ["play", "german_whist", "random", "random", *QUICK, "--record", "r.jsonl"]
    assert run([*play, "--sets", "2"]) == 0
    assert len(Path("r.jsonl").read_text().splitlines()) == 4
    assert run([*play, "--sets", "1"]) == 1  # nothing is overwritten unasked
    assert "r.jsonl exists" in capsys.readouterr().err
    assert run([*play, "--sets", "1", "--first-set", "2"]) == 0
    assert run([*play[:-1], "whole.jsonl", "--sets", "3"]) == 0
    assert Path("r.jsonl").read_bytes() == Path("whole.jsonl").read_bytes()
    capsys.readouterr()
    assert run(["verify", "r.jsonl"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 6
    assert all(re.fullmatch(r"r\.jsonl:\d: ok \(german_whist, 2 deals, .*\)", x) for x in lines)


def _score(data: dict[str, Any]) -> None:
    data["deals"][1]["scores"] = [9, -9]


def _card(data: dict[str, Any]) -> None:
    data["deals"][0]["deck"][0] = data["deals"][0]["deck"][1]


def _action(data: dict[str, Any]) -> None:
    data["deals"][0]["actions"][0][1] = data["deals"][0]["actions"][1][1]


@pytest.mark.parametrize("forge", [_score, _card, _action])
def test_verify_refuses_what_was_changed(
    here: Path, capsys: Capture, forge: Callable[[dict[str, Any]], None]
) -> None:
    words = ["--sets", "1", *QUICK, "--record", "r.jsonl"]
    assert run(["play", "german_whist", "random", "random", *words]) == 0
    good, other = Path("r.jsonl").read_text().splitlines()
    data = json.loads(good)
    forge(data)
    Path("bad.jsonl").write_text(f"{other}\n{json.dumps(data)}\n")
    capsys.readouterr()
    assert run(["verify", "r.jsonl", "bad.jsonl", "--json"]) == 1
    findings = json.loads(capsys.readouterr().out)
    assert [(each["record"], each["ok"]) for each in findings] == [
        ("r.jsonl:1", True),
        ("r.jsonl:2", True),
        ("bad.jsonl:1", True),
        ("bad.jsonl:2", False),
    ]
    assert "deal" in findings[-1]["message"]
    assert not any(each["message"].startswith(("WRONG", "ok")) for each in findings)
    assert findings[-1]["reason"].isupper()


@pytest.mark.parametrize(
    ("content", "what"),
    [(b"", "is empty"), (b"{", "JSON"), (b"\xff\xfe", "UTF-8"), (b"[]", "object"), (None, "read")],
)
def test_verify_says_what_is_no_record(
    here: Path, capsys: Capture, content: bytes | None, what: str
) -> None:
    if content is not None:
        Path("r.json").write_bytes(content)
    assert run(["verify", "r.json"]) == 1
    assert re.match(rf"r\.json: WRONG: .*{what}", capsys.readouterr().out)


def test_a_failing_bot_costs_deals_and_is_told_by_file_and_line(
    here: Path, capsys: Capture
) -> None:
    assert run(["play", "german_whist", failing(here), "random", "--sets", "1", *QUICK]) == 1
    out, err = capsys.readouterr()
    assert "forfeits" in out
    assert "fails.py:7: Fails failed in play: ZeroDivisionError" in err
    assert "2 deals forfeited by this bot" in err
    assert "return 1 / 0" in err


def test_games_lists_options_with_values_and_presets(capsys: Capture) -> None:
    assert run(["games", "--json"]) == 0
    told = {game["name"]: game for game in json.loads(capsys.readouterr().out)}
    assert list(told) == list(kibitz.games())
    whist = {each["name"]: each for each in told["whist"]["options"]}
    assert whist["cycle"]["default"] == ["H", "C", "D", "S"]
    assert told["whist"]["players"] == 2
    assert told["whist"]["presets"]["american"] == {"end": "game:7", "honours": False}
    assert run(["games", "whiskey"]) == 0
    assert "first_call" in capsys.readouterr().out


def test_replay_shows_deals_trick_by_trick(here: Path, capsys: Capture) -> None:
    words = ["--sets", "1", "-o", "end=deals:3", "--seed", "1", "--record", "r.jsonl"]
    assert run(["play", "whiskey", "careful", "careful", "random", *words]) == 0
    capsys.readouterr()
    assert run(["replay", "r.jsonl", "--match", "1", "--deal", "2"]) == 0
    out = capsys.readouterr().out
    record = kibitz.Record.from_json(Path("r.jsonl").read_text().splitlines()[1])
    assert out.startswith("Deal 2, dealer ")
    assert out.count(" -> ") == sum(record.replay(2).taken)
    assert "dummy" in out
    assert run(["replay", "r.jsonl", "--match", "6"]) == 1
    assert run(["replay", "r.jsonl", "--deal", "3"]) == 1
    assert "--deal is 0 to 2" in capsys.readouterr().err


def test_a_records_names_cannot_steer_the_terminal(here: Path, capsys: Capture) -> None:
    game = kibitz.game("german_whist", end="hands:2")
    match = game.new_match(["\x1b]0;own\x07", "b"])
    match.forfeit_match(0, "\x1b[31mred", [kibitz.shuffle(game, 1)] * 2)
    match.record().save("r.json")
    assert run(["verify", "r.json"]) == 0
    assert run(["replay", "r.json"]) == 0
    assert run(["verify", "r.json", "--json"]) == 0
    data = json.loads(Path("r.json").read_text())
    data["deals"][0]["actions"] = [[0, "\x1b[2J"]]
    Path("r.json").write_text(json.dumps(data))
    assert run(["replay", "r.json"]) == 1
    assert "\x1b" not in "".join(capsys.readouterr())


def _seatless(data: dict[str, Any]) -> None:
    data["deals"][0]["forfeit"] = {"seat": 99, "reason": "CRASH"}


def _scoreless(data: dict[str, Any]) -> None:
    data["deals"][0]["scores"] = []


def _halved(data: dict[str, Any]) -> None:
    data["seats"][0] = "\ud800"


@pytest.mark.parametrize("forge", [_seatless, _scoreless, _halved])
@pytest.mark.parametrize("command", ["verify", "replay"])
def test_hostile_records_are_refused_in_a_line(
    here: Path, capsys: Capture, command: str, forge: Callable[[dict[str, Any]], None]
) -> None:
    game = kibitz.game("german_whist", end="hands:2")
    match = game.new_match(["a", "b"])
    match.forfeit_match(0, "CRASH", [kibitz.shuffle(game, 1)] * 2)
    data = json.loads(match.record().to_json())
    forge(data)
    Path("r.json").write_text(json.dumps(data))
    assert run([command, "r.json"]) == 1
    said = "".join(capsys.readouterr())
    assert said.count("\n") == 1
    assert "bug" not in said


@pytest.mark.parametrize("command", ["verify", "replay"])
def test_lines_that_are_nested_too_deeply_are_refused(
    here: Path, capsys: Capture, command: str
) -> None:
    Path("r.jsonl").write_text("[" * 100_000 + "\n{}\n")
    assert run([command, "r.jsonl"]) == 1
    assert "nested too deeply" in "".join(capsys.readouterr())


@pytest.mark.parametrize("game", kibitz.games())
def test_a_new_bot_plays_and_passes_its_own_tests(here: Path, capsys: Capture, game: str) -> None:
    assert run(["new", "my-bot", "--game", game]) == 0
    folder = here / "my-bot"
    assert sorted(path.name for path in folder.iterdir()) == [
        "bot.py",
        "kibitz.toml",
        "test_bot.py",
    ]
    others = ["random"] * (kibitz.game(game).players - 1)
    assert run(["play", game, "my-bot", *others, "--sets", "1"]) == 0
    assert "my-bot" in capsys.readouterr().out
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(folder)],
        capture_output=True,
        text=True,
        cwd=here,
        check=False,
    )
    assert "2 passed" in done.stdout, done.stdout + done.stderr
    alone = subprocess.run(
        [sys.executable, "bot.py"], capture_output=True, text=True, cwd=folder, check=False
    )
    assert alone.returncode == 0, alone.stderr
    assert "MyBot" in alone.stdout
    before = (folder / "bot.py").read_bytes()
    assert run(["new", "my-bot", "--game", game]) == 1
    assert (folder / "bot.py").read_bytes() == before


@pytest.mark.parametrize(
    ("words", "code", "what"),
    [
        (["play", "wist", "random", "random"], 1, "did you mean 'whist'"),
        (["play", "whist", "random"], 1, "played by 2 bots, one for each side; 1 given"),
        (["play", "whist", "random", "nobody"], 1, "no bot 'nobody'"),
        (["play", "whist", "random", "random", "-o", "x"], 1, "must be KEY=VALUE"),
        (["play", "whist", "random", "random", "-o", "x=1"], 1, "no option 'x'"),
        (["play", "whist", "random", "random", "-o", "end=game:5"], 1, "cannot be duplicated"),
        (["play", "whist", "random", "random", "--sets", "0"], 2, "--sets"),
        (["play", "whist", "random", "random", "--record", "no/dir/r"], 1, "no/dir/r: No such"),
        (["play", "whist", "random", "random", "--preset", "x"], 1, "no preset 'x'"),
        (["new", "a b"], 1, "name 'a b'"),
        (["new", "ok", "--game", "chess"], 1, "no game 'chess'"),
        (["nonsense"], 2, "nonsense"),
        (["connect", "random", "--to", "nowhere"], 1, "no HOST:PORT"),
        (["submit", "."], 1, "has no kibitz.toml"),
    ],
)
def test_every_error_is_one_line_on_stderr(
    here: Path, capsys: Capture, words: list[str], code: int, what: str
) -> None:
    assert run(words) == code
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("kibitz: ")
    assert what in err


def test_debug_shows_the_traceback(here: Path) -> None:
    words = ["play", "wist", "random", "random"]
    done = subprocess.run([*KIBITZ, *words, "--debug"], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert "Traceback" in done.stderr
    done = subprocess.run([*KIBITZ, *words], capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr


def test_ctrl_c_shows_what_was_played_and_how_to_go_on(here: Path) -> None:
    words = ["play", "german_whist", "careful", "random", "--sets=100000", "--record", "r.jsonl"]
    process = subprocess.Popen(
        [*KIBITZ, *words, *QUICK], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    until = time.monotonic() + 30
    try:
        while time.monotonic() < until and not (
            Path("r.jsonl").exists() and Path("r.jsonl").read_text().count("\n") >= 4
        ):
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=30)
    finally:
        process.kill()
    assert process.returncode == 130
    assert "careful" in out
    found = re.search(r"stopped after (\d+) of 100000 sets; go on with\n  kibitz (.*)", err)
    assert found, err
    done = int(found[1])
    assert found[2].endswith(f"--seed 7 --sets {100000 - done} --first-set {done}")
    assert "--sets=100000" not in found[2]
    assert Path("r.jsonl").read_text().count("\n") == 2 * done
    again = found[2].replace(f"--sets {100000 - done}", "--sets 1")
    assert (
        subprocess.run([*KIBITZ, *again.split()], capture_output=True, check=False).returncode == 0
    )
    assert run(["verify", "r.jsonl"]) == 0


def test_a_reader_that_leaves_early_is_no_error() -> None:
    done = subprocess.run(
        ["sh", "-c", f"{sys.executable} -m kibitz games --json | true"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )
    assert done.stderr == ""


def test_help_is_quick_because_it_imports_no_heavy_thing() -> None:
    code = (
        "import sys; from kibitz.cli import run; run(['--help']);"
        "print([name for name in ('grpc', 'httpx', 'google.protobuf') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.endswith("[]\n")


def test_importing_kibitz_imports_no_command_line_and_no_network() -> None:
    code = (
        "import sys, kibitz; print([name for name in"
        " ('grpc', 'httpx', 'typer', 'rich', 'google.protobuf') if name in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_games_and_bots_complete_in_the_shell(here: Path) -> None:
    from kibitz.cli.arguments import complete_bot, complete_game  # noqa: PLC0415

    assert complete_game("whi") == [name for name in kibitz.games() if name.startswith("whi")]
    assert run(["new", "careless"]) == 0
    assert complete_bot("care") == ["careful", "careless"]
    assert complete_bot("careless/b") == ["careless/bot.py"]


def test_no_command_shows_the_help_and_nothing_else(capsys: Capture) -> None:
    assert run([]) == 2
    out, err = capsys.readouterr()
    assert "Usage: kibitz" in out
    assert err == ""


def test_options_are_printed_as_they_are_given(capsys: Capture) -> None:
    assert run(["play", "german_whist", "random", "random", "--sets", "1", *QUICK]) == 0
    assert "follow1=true count=stage2" in capsys.readouterr().out


def test_messages_name_the_file_once(here: Path, capsys: Capture) -> None:
    assert run(["replay", "nothing.json"]) == 1
    assert "nothing.json cannot be read" in capsys.readouterr().err
    (here / "bot.py").write_text("class B(Bot)\n    pass\n")
    assert run(["play", "german_whist", "bot.py", "random", "--sets", "1", *QUICK]) == 1
    assert capsys.readouterr().err.count("bot.py cannot") == 0
    assert run(["submit", "bot.py"]) == 1
    assert "bot.py is a file; a folder with kibitz.toml" in capsys.readouterr().err

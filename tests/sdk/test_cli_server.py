"""The commands that speak to a server, against a whole one: submit, tournament, leaderboard."""

import csv
import json
import os
import stat
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kibitz.cli import run, tokens
from kibitz.cli.archive import pack
from kibitz.cli.failures import CommandError

from tests.e2e.servers import RunningServer, free_port

Capture = pytest.CaptureFixture[str]

CRASHES = """
from kibitz import Bot

class Crasher(Bot):
    def play(self, view):
        raise RuntimeError("not today")
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[RunningServer]:
    data = tmp_path_factory.mktemp("server") / "data"
    with RunningServer(data, "up", "--listen", "", "--trust") as running:
        yield running.up()


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in ("KIBITZ_TOKEN", "KIBITZ_URL", "KIBITZ_DATA_DIR"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture
def known(server: RunningServer, capsys: Capture) -> RunningServer:
    """A server whose token is kept."""
    assert run(["login", server.url, "--token-file", str(server.data / "token")]) == 0
    capsys.readouterr()
    return server


def asked(capsys: Capture, words: list[str]) -> Any:
    assert run([*words, "--json"]) == 0, capsys.readouterr().err
    return json.loads(capsys.readouterr().out)


def test_a_bot_is_submitted_admitted_entered_and_rated(
    known: RunningServer, capsys: Capture
) -> None:
    to = ["--to", known.url]
    assert run(["new", "otter"]) == 0
    assert run(["submit", "otter", *to]) == 0
    out = capsys.readouterr().out
    assert f"local/otter version 1: {known.url}/versions/" in out
    assert "Admitted. Enter it in a tournament as local/otter/1." in out

    assert run(["submit", "otter", *to]) == 0
    assert "version 1 (the same content was submitted before)" in capsys.readouterr().out
    code = Path("otter/bot.py")
    code.write_text(code.read_text() + "# changed\n")
    assert asked(capsys, ["submit", "otter", *to])["label"] == "local/otter/2"

    create = ["tournament", "create", "german_whist", "careful", "local/otter/2"]
    made = asked(capsys, [*create, "--sets", "2", "-o", "end=hands:2", "--name", "Cup", *to])
    assert (made["name"], made["options"]["end"]) == ("Cup", "hands:2")
    show = ["tournament", "show", made["id"], *to]
    until = time.monotonic() + 90
    while asked(capsys, show)["state"] != "finished" and time.monotonic() < until:
        time.sleep(0.2)
    while asked(capsys, ["leaderboard", "german_whist", *to]) == [] and time.monotonic() < until:
        time.sleep(0.2)
    assert run(show) == 0
    assert "finished, 2/2 sets" in capsys.readouterr().out
    assert run(["tournament", "list", *to]) == 0
    assert "Cup" in capsys.readouterr().out
    for words in (["tournament", "standings", made["id"]], ["leaderboard", "german_whist"]):
        rows = asked(capsys, [*words, *to])
        assert {(row["bot"], row["version"]) for row in rows} == {
            ("careful", 1),
            ("local/otter", 2),
        }
        assert run([*words, *to]) == 0
        assert "local/otter/2" in capsys.readouterr().out


def test_a_tournament_is_followed_to_its_end(known: RunningServer, capsys: Capture) -> None:
    create = ["tournament", "create", "german_whist", "careful", "random", "--sets", "3"]
    create += ["-o", "end=hands:2", "--name", "Short", "--to", known.url, "--follow"]
    assert run([*create, "--json"]) == 0
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert (told["state"], told["sets_done"]) == ("finished", 3)
    assert err.splitlines()[-1] == "Short: 3 of 3 sets, finished"
    assert len(err.splitlines()) == len(set(err.splitlines()))
    assert run(["tournament", "follow", told["id"], "--to", known.url]) == 0
    out, err = capsys.readouterr()
    assert "careful/1" in out
    assert err == "Short: 3 of 3 sets, finished\n"
    check_the_tables(known, told, capsys)
    check_the_archive(known, told, capsys)


def check_the_tables(server: RunningServer, told: Any, capsys: Capture) -> None:
    export = ["tournament", "export", told["id"], "--to", server.url]
    assert run([*export, "--as", "csv"]) == 0
    assert f"kibitz-{told['id']}-seats.csv: " in capsys.readouterr().out
    rows = list(csv.DictReader(Path(f"kibitz-{told['id']}-seats.csv").read_text().splitlines()))
    assert (len(rows), {row["player"] for row in rows}) == (12, {"careful/1", "random/1"})
    assert run([*export, "--as", "csv", "--rows", "sets", "--file", "-"]) == 0
    assert capsys.readouterr().out.count("\n") == 7
    assert run([*export, "--as", "json", "--file", "-"]) == 0
    assert len(json.loads(capsys.readouterr().out)["sets"]) == 3
    assert run([*export, "--file", "-"]) == 1
    assert "to a file" in capsys.readouterr().err


def check_the_archive(server: RunningServer, told: Any, capsys: Capture) -> None:
    export = ["tournament", "export", told["id"], "--archive", "cup.zip", "--to", server.url]
    assert run(export) == 0
    assert "kibitz verify --tournament cup.zip" in capsys.readouterr().out
    assert run(export) == 1
    assert "--force" in capsys.readouterr().err
    verify = ["verify", "--tournament", "cup.zip", "--commitment", told["commitment"]]
    assert run(verify) == 0
    assert "records     of 6 matches, 12 deals, replayed" in capsys.readouterr().out
    report = asked(capsys, verify)
    assert (report["ok"], report["sets"], report["findings"]) == (True, 3, [])
    content = bytearray(Path("cup.zip").read_bytes())
    content[len(content) // 2] ^= 1
    Path("cup.zip").write_bytes(content)
    assert run([*verify, "--json"]) == 1
    assert json.loads(capsys.readouterr().out)["findings"][0]["reason"] == "DAMAGED"
    assert run(["verify", "--commitment", "x"]) == 1
    assert "--tournament" in capsys.readouterr().err


def test_owners_add_nonces_before_a_tournament_starts(
    known: RunningServer, capsys: Capture
) -> None:
    create = ["tournament", "create", "german_whist", "careful", "random", "--sets", "1"]
    made = asked(capsys, [*create, "-o", "end=hands:2", "--wait", "--to", known.url])
    assert made["state"] == "created"
    assert asked(capsys, ["tournament", "nonce", made["id"], "--to", known.url]) == []
    export = ["tournament", "export", made["id"], "--to", known.url]
    assert run(export) == 1
    assert "last set is over" in capsys.readouterr().err
    assert not list(Path().glob("*kibitz*"))
    assert run(["tournament", "nonce", made["id"], "no good", "--to", known.url]) == 1
    assert "64 letters" in capsys.readouterr().err
    assert asked(capsys, ["tournament", "start", made["id"], "--to", known.url])["state"] == (
        "running"
    )


def test_a_league_plays_its_seasons_by_itself(known: RunningServer, capsys: Capture) -> None:
    to = ["--to", known.url]
    create = ["league", "create", "Autumn", "german_whist", "careful", "random", "--sets", "1"]
    create += ["--divisions", "2", "-o", "end=hands:2", "--seasons", "2", *to]
    told = asked(capsys, [*create, "--preview"])
    assert (told["sets"], told["bots"], told["waiting"]) == (1, [2], 0)
    made = asked(capsys, create)
    show = ["league", "show", made["id"], *to]
    until = time.monotonic() + 120
    while asked(capsys, show)["state"] != "ended" and time.monotonic() < until:
        time.sleep(0.3)
    assert run(show) == 0
    assert "all 2 seasons are played" in capsys.readouterr().out
    rows = asked(capsys, ["league", "seasons", made["id"], *to])
    assert [(row["number"], row["state"]) for row in rows] == [(2, "closed"), (1, "closed")]
    assert run(["league", "seasons", made["id"], "2", *to]) == 0
    assert "careful/1" in capsys.readouterr().out
    assert run(["league", "pause", made["id"], *to]) == 1
    assert "has ended" in capsys.readouterr().err


def test_a_league_is_changed_by_its_organiser(known: RunningServer, capsys: Capture) -> None:
    to = ["--to", known.url]
    create = ["league", "create", "Yearly", "whist", "careful", "--divisions", "2,2", *to]
    made = asked(capsys, [*create, "--cron", "0 0 1 1 *", "--time-zone", "Europe/Rome"])
    league = [made["id"], *to]
    assert len(asked(capsys, ["league", "join", made["id"], "random/1", *to])["waiting"]) == 2
    assert len(asked(capsys, ["league", "leave", made["id"], "careful", *to])["waiting"]) == 1
    calendar = ["league", "calendar", *league, "--cron", "0 9 1 * *", "--seasons", "3"]
    changed = asked(capsys, [*calendar, "--late", "close"])
    assert (changed["cron"], changed["seasons"], changed["time_zone"]) == (
        "0 9 1 * *",
        3,
        "Europe/Rome",
    )
    assert asked(capsys, ["league", "calendar", *league, "--no-end"])["seasons"] is None
    for what, state in (("pause", "paused"), ("resume", "running"), ("end", "ended")):
        assert asked(capsys, ["league", what, *league])["state"] == state
    assert run(["league", "list", *to]) == 0
    assert "Yearly" in capsys.readouterr().out
    for wrong, words in (
        (["--divisions", "two"], "numbers with commas"),
        (["--divisions", "2,2,2", "--movers", "1,1,1"], "2 numbers"),
        (["--divisions", "1"], "too small"),
        (["--cron", "soon"], "no cron expression"),
    ):
        assert run([*create, *wrong]) == 1
        assert words in capsys.readouterr().err


def test_a_bot_that_crashes_is_refused_and_its_author_told_where(
    known: RunningServer, capsys: Capture
) -> None:
    assert run(["new", "crasher"]) == 0
    Path("crasher/bot.py").write_text(CRASHES)
    assert run(["submit", "crasher", "--to", known.url]) == 1
    out, err = capsys.readouterr()
    assert "RuntimeError: not today" in out
    assert "bot.py" in out
    assert err.startswith("kibitz: refused: CRASH")
    assert err.count("\n") == 1


def test_what_cannot_be_is_told_in_one_line(known: RunningServer, capsys: Capture) -> None:
    create = ["tournament", "create", "german_whist", "--to", known.url]
    for words, what in (
        ([*create, "careful", "nobody"], "nobody"),
        ([*create, "careful", "random", "-o", "end=x"], "end cannot be 'x'"),
        (["tournament", "show", "nothere", "--to", known.url], "nothere"),
        (["leaderboard", "chess", "--to", known.url], "chess"),
    ):
        assert run(words) == 1
        out, err = capsys.readouterr()
        assert out == ""
        assert err.startswith("kibitz: ")
        assert err.count("\n") == 1
        assert what in err


def test_a_server_wants_a_token_it_knows(
    server: RunningServer, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    create = ["tournament", "create", "whist", "careful", "random", "--to", server.url]
    assert run(create) == 1
    assert f"kibitz login {server.url}" in capsys.readouterr().err
    monkeypatch.setenv("KIBITZ_TOKEN", "no-such-token")
    assert run(create) == 1
    assert "token" in capsys.readouterr().err
    monkeypatch.delenv("KIBITZ_TOKEN")
    monkeypatch.setenv("KIBITZ_DATA_DIR", str(server.data))
    assert run([*create, "--sets", "1", "-o", "end=deals:4"]) == 0


def test_a_token_is_tried_before_it_is_kept(
    server: RunningServer, capsys: Capture, home: Path
) -> None:
    (home / "t").write_text("wrong\n")
    assert run(["login", server.url, "--token-file", "t"]) == 1
    assert "Nobody has this token" in capsys.readouterr().err
    assert tokens.find(server.url) is None
    assert run(["login", server.url, "--token-file", str(server.data / "token")]) == 0
    assert "(local)" in capsys.readouterr().out


def test_a_connecting_bot_uses_the_token_kept_for_its_host(home: Path) -> None:
    assert tokens.of_host("localhost:8001") is None
    tokens.save("http://127.0.0.1:8000", "mine")
    tokens.save("https://league.example", "theirs")
    assert tokens.of_host("localhost:8001") == "mine"
    assert tokens.of_host("unix:/run/bots.sock") == "mine"
    assert tokens.of_host("league.example:8001") == "theirs"
    assert tokens.of_host("other.example:8001") is None
    tokens.save("http://league.example:99", "another")
    assert tokens.of_host("league.example:8001") is None


def test_tokens_are_kept_for_their_owner_and_their_server_only(home: Path, capsys: Capture) -> None:
    (home / "t").write_text("secret1\n")
    assert run(["login", "https://league.example/", "--token-file", "t"]) == 0
    out, err = capsys.readouterr()
    assert "secret1" not in out + err
    assert "untried" in err
    assert stat.S_IMODE(os.stat(tokens.file()).st_mode) == 0o600
    assert tokens.find("https://league.example") == "secret1"
    assert tokens.find("http://league.example") is None
    for bad in ("two words", "", "tab\ttab", "ümlaut"):
        (home / "t").write_text(bad)
        assert run(["login", "other.example", "--token-file", "t"]) == 1
    assert tokens.find("https://league.example") == "secret1"


def test_the_token_of_this_machine_goes_to_this_machine_only(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / ".kibitz").mkdir()
    (home / ".kibitz" / "token").write_text("local\n")
    assert tokens.find("http://localhost:8000") == "local"
    assert tokens.find("http://127.0.0.1:9") == "local"
    assert tokens.find("http://league.example") is None
    monkeypatch.setenv("KIBITZ_TOKEN", "given")
    assert tokens.find("http://league.example") == "given"


@pytest.mark.parametrize("url", ["", "ftp://x", "http://", "http://x:notaport"])
def test_what_is_no_address_is_told(url: str) -> None:
    with pytest.raises(CommandError, match="no address of a server"):
        tokens.normal(url)


def test_addresses_have_one_spelling_and_give_away_no_password() -> None:
    assert tokens.normal("localhost:8000/") == "http://localhost:8000"
    assert tokens.normal("https://me:word@league.example/k/") == "https://league.example/k"


def test_a_server_that_is_not_there_is_told(capsys: Capture) -> None:
    assert run(["tournament", "list", "--to", f"http://127.0.0.1:{free_port()}"]) == 1
    err = capsys.readouterr().err
    assert "cannot be reached" in err
    assert err.count("\n") == 1


def test_a_folder_is_packed_without_what_is_not_the_bot(home: Path) -> None:
    assert run(["new", "otter"]) == 0
    bot = home / "otter"
    for name in ("__pycache__", ".git", "venv", "data"):
        (bot / name).mkdir()
        (bot / name / "x").write_text("x")
    (bot / "venv" / "pyvenv.cfg").write_text("")
    (bot / "old.pyc").write_text("")
    content, names = pack(bot)
    assert names == ["bot.py", "data/x", "kibitz.toml", "test_bot.py"]
    os.utime(bot / "bot.py", (1, 1))
    assert pack(bot)[0] == content
    (bot / "link").symlink_to("/etc/passwd")
    with pytest.raises(CommandError, match="is a link"):
        pack(bot)


def test_a_match_is_played_again_beside_the_first(known: RunningServer, capsys: Capture) -> None:
    to = ["--to", known.url]
    words = ["exhibition", "german_whist", "careful", "random", "-o", "end=hands:2", "--follow"]
    shown = asked(capsys, [*words, *to])
    assert (shown["kind"], shown["rated"], shown["state"]) == ("exhibition", False, "finished")
    first = f"{shown['id']}-0-0-0"
    rematch = ["rematch", first, "--seat", "1", *to]
    assert run([*rematch, "--bot", "careful"]) == 1
    assert "sits at that table already" in capsys.readouterr().err
    told = asked(capsys, [*rematch, "--bot", "search"])
    assert len(told["deals"]) == 2
    assert told["difference"] == sum(d["now"][1] - d["then"][1] for d in told["deals"])
    assert run(["rematch", f"{first}/2", *rematch[2:], "--bot", "search@1", "--no-wait"]) == 0
    out = capsys.readouterr().out
    assert "search/1 in seat 1 for random/1; it counts nowhere" in out
    assert run(["rematch", f"{first}/0", *rematch[2:], "--bot", "search"]) == 1
    assert "number of a deal, from 1" in capsys.readouterr().err
    assert len(asked(capsys, ["tournament", "list", "--kind", "rematch", *to])) == 2
    kinds = {row["kind"] for row in asked(capsys, ["tournament", "list", *to])}
    assert "exhibition" in kinds
    assert "rematch" not in kinds


def test_a_ladder_is_joined_and_left(known: RunningServer, capsys: Capture) -> None:
    to = ["--to", known.url]
    create = ["tournament", "create", "german_whist", "careful", "random", "--format", "ladder"]
    create += ["--absence", "void", "--wait-seconds", "60", "--priority", "1", *to]
    create += ["--policy", "substitute:3", "--clock", "bank=60", "-o", "end=hands:2", "--wait"]
    made = asked(capsys, create)
    assert (made["policy"], made["clock"]["bank_ms"]) == ("substitute:3", 60_000)
    assert run(["tournament", "join", made["id"], "search", *to]) == 0
    assert capsys.readouterr().out == f"search/1 plays in {made['id']}.\n"
    assert run(["tournament", "join", made["id"], "search", *to]) == 1
    assert "already" in capsys.readouterr().err
    left = asked(capsys, ["tournament", "leave", made["id"], "search", *to])
    assert left["left"] is not None
    assert run([*create, "--clock", "bank=long"]) == 1
    assert "KEY=SECONDS" in capsys.readouterr().err
    assert run([*create, "--clock", "spring=1"]) == 1
    assert "a clock has no" in capsys.readouterr().err.lower()


def test_a_second_token_is_made_and_revoked(
    known: RunningServer, capsys: Capture, monkeypatch: pytest.MonkeyPatch
) -> None:
    to = ["--to", known.url]
    assert run(["token", "create", "second bot", *to]) == 0
    second = capsys.readouterr().out.strip()
    (row,) = [row for row in asked(capsys, ["token", "list", *to]) if row["name"] == "second bot"]
    assert run(["token", "revoke", str(row["id"]), *to]) == 0
    assert "opens nothing any more" in capsys.readouterr().out
    monkeypatch.setenv("KIBITZ_TOKEN", second)
    assert run(["token", "list", *to]) == 1
    assert "kibitz login" in capsys.readouterr().err

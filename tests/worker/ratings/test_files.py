"""`kibitz rate`: any file of results, a table, JSON and a picture."""

import gzip
import json
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import kibitz
import pytest
from kibitz.cli import run
from kibitz.local import play_sets
from kibitz_worker.ratings import RatingError, SetResult, fit
from kibitz_worker.ratings.files import draw, read_results

LONG = """set,player,score,deals,margin
1,a,6,4,2
1,careful,-6,4,-2
2,careful,0,4,1
2,a,0,4,-1
2,b,0,4,0
"""
WIDE = """Player 1;Score 1;Player 2;Score 2;Player 3;Score 3
a;3;b;2;careful;1
a;1,5;b;2;;
""".replace("1,5", "1.5")
DUEL = "White\tBlack\tResult\na\tcareful\t1-0\nb\ta\t1/2-1/2\nb\tcareful\t0\n"


def written(folder: Path, text: str, name: str = "results.csv") -> Path:
    file = folder / name
    file.write_text(text, encoding="utf-8")
    return file


def read(folder: Path, text: str) -> list[SetResult]:
    return read_results([written(folder, text)]).sets


def rate(*words: str | Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "kibitz", "rate", *map(str, words)]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)


def test_a_line_a_player(tmp_path: Path) -> None:
    sets = read(tmp_path, LONG)
    assert [s.players for s in sets] == [("a", "careful"), ("careful", "a", "b")]
    assert (sets[0].scores, sets[0].deals, sets[0].margins) == ((6.0, -6.0), 4, (2.0, -2.0))


def test_a_line_a_set(tmp_path: Path) -> None:
    sets = read(tmp_path, WIDE)
    assert [s.players for s in sets] == [("a", "b", "careful"), ("a", "b")]
    assert [s.scores for s in sets] == [(3.0, 2.0, 1.0), (1.5, 2.0)]


def test_a_line_a_game_with_its_result(tmp_path: Path) -> None:
    assert [s.scores for s in read(tmp_path, DUEL)] == [(1.0, 0.0), (0.5, 0.5), (0.0, 1.0)]


def test_archives_hold_tables(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "all.zip", "w") as archive:
        archive.writestr("long.csv", LONG)
        archive.writestr("notes.md", "no results")
        archive.writestr("old/duel.tsv", DUEL)
    (tmp_path / "wide.csv.gz").write_bytes(gzip.compress(WIDE.encode()))
    found = read_results([tmp_path / "all.zip", tmp_path / "wide.csv.gz"])
    assert len(found.sets) == 2 + 3 + 2


def test_spreadsheets_of_other_countries_are_read(tmp_path: Path) -> None:
    """A mark before the text, semicolons, decimal commas, and the line ends of Windows."""
    text = "\ufeffPlayer1;Score1;Player2;Score2\r\nann;3,5;bob;-3,5\r\nbob;1;ann;1\r\n"
    first, second = read(tmp_path, text)
    assert (first.players, first.scores) == (("ann", "bob"), (3.5, -3.5))
    assert second.scores == (1.0, 1.0)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("set,player,score\n1,a,nan\n1,b,0\n", r"^[^:]*:2: score must be a number"),
        ("player1;score1;player2;score2\na;1,5,0;b;0\n", r":2: score1 must be a number"),
        ("set,player\n1,a\n", "must name the columns"),
        ("set,player,score\n1,a,many\n", r":2: score must be a number, is 'many'"),
        ("set,player,score\n1,a,1\n1,a,2\n", r":2: .*different players"),
        ("set,player,score\n1,a,1\n1,b\n", r":3: has 2 instead of 3 columns"),
        ("set,player,score,deals\n1,a,1,2\n1,b,0,3\n", "different numbers of deals"),
        ("set,player,score,deals\n1,a,1,0.5\n1,b,0,0.5\n", "whole number"),
        ("player1,player2,result\na,b,7\n", r":2: result must be 1-0"),
        ("player1,player2,result\n", "no line of results"),
        ("", "is empty"),
    ],
)
def test_bad_tables_say_file_line_and_what_is_right(tmp_path: Path, text: str, says: str) -> None:
    with pytest.raises(RatingError, match=says):
        read(tmp_path, text)


def records(game: str, sets: int, end: str) -> tuple[list[str], Any]:
    bots = ["random", "careful", "random"][: kibitz.game(game).players]
    result = play_sets(kibitz.game(game, end=end), bots, sets=sets, seed=3)
    return [r.to_json() for each in result.sets for r in each.records], result


@pytest.mark.parametrize(
    ("game", "end"), [("german_whist", "hands:2"), ("whist", "deals:4"), ("whiskey", "deals:3")]
)
def test_records_become_the_sets_that_were_played(tmp_path: Path, game: str, end: str) -> None:
    lines, played = records(game, 2, end=end)
    found = read_results([written(tmp_path, "\n".join(lines), "games.jsonl")])
    assert found.notes == []
    assert len(found.sets) == 2
    for each, one in zip(found.sets, played.sets, strict=True):
        scores = dict(zip(each.players, each.scores, strict=True))
        margins = dict(zip(each.players, each.margins, strict=True))
        assert each.deals == one.scores.deals
        assert [scores[p] for p in played.players] == pytest.approx(one.scores.returns)
        assert [margins[p] for p in played.players] == pytest.approx(one.scores.margins)


def test_broken_sets_and_unfinished_matches_are_left_out_and_said(tmp_path: Path) -> None:
    lines, _ = records("german_whist", 2, end="hands:2")
    open_end = json.dumps({**json.loads(lines[3]), "unfinished": True, "returns": None})
    own = json.dumps({**json.loads(lines[0]), "seats": ["careful", "careful"]})
    found = read_results([written(tmp_path, "\n".join([*lines[:3], open_end, own]), "g.jsonl")])
    assert [s.players for s in found.sets] == [("random", "careful")]
    assert [note.partition(":")[0] for note in found.notes] == [
        "1 sets left out",
        "1 matches left out",
        "1 matches left out",
    ]


def test_records_of_the_platform_name_their_set_by_the_match(tmp_path: Path) -> None:
    lines, _ = records("german_whist", 1, end="hands:2")
    named = []
    for lane, line in enumerate(lines):
        data = {k: v for k, v in json.loads(line).items() if k not in {"set", "half", "lane"}}
        named.append(json.dumps({**data, "match": f"abc-1-1-{lane}"}))
    assert len(read_results([written(tmp_path, "\n".join(named), "g.jsonl")]).sets) == 1
    found = read_results([written(tmp_path, lines[0].replace('"set": 0', '"x": 0'), "one.json")])
    assert "counts by itself" in found.notes[0]


def test_a_broken_record_is_named(tmp_path: Path) -> None:
    lines, _ = records("german_whist", 1, end="hands:2")
    file = written(tmp_path, f"{lines[0]}\n{{}}\n", "g.jsonl")
    with pytest.raises(RatingError, match=r"g\.jsonl:2") as caught:
        read_results([file])
    assert caught.value.reason == "BAD_RECORD"


def test_the_command_prints_table_json_and_picture(tmp_path: Path) -> None:
    file, picture = written(tmp_path, LONG), tmp_path / "elo.svg"
    table = rate(file, "--crosstable", "--svg", picture)
    assert (table.returncode, table.stderr) == (0, "")
    assert "careful" in table.stdout
    assert "provisional" in table.stdout
    said = json.loads(rate(file, "--json").stdout)
    assert {row["player"] for row in said["rows"]} == {"a", "b", "careful"}
    assert said["bankroll"][0]["player"] == "a"
    assert said["cycles"]["count"] == 0
    assert ElementTree.parse(picture).getroot().tag.endswith("svg")


def test_the_command_explains_errors_in_one_line(tmp_path: Path) -> None:
    missing = rate(tmp_path / "nothing.csv")
    assert missing.returncode == 1
    assert missing.stderr.count("\n") == 1
    assert "nothing.csv cannot be read: No such file" in missing.stderr
    assert rate("--help").stdout.count("player1,player2,result") == 1


def test_the_picture_shows_everybody_and_is_safe() -> None:
    results = [SetResult(str(n), ("<b>\x1b", "careful"), (n % 3 - 1.0, 0.0), 2) for n in range(40)]
    text = draw(fit([*results, SetResult("x", ("new", "careful"), (1.0, 0.0), 2)]))
    root = ElementTree.fromstring(text)
    groups = list(root.iter("{http://www.w3.org/2000/svg}g"))
    assert [g.get("class") for g in groups].count("new") == 1
    assert len(groups) == 3
    assert "&lt;b&gt;?" in text
    assert draw(fit([])).startswith("<svg")


def test_luck_of_records_is_shown(tmp_path: Path) -> None:
    lines, _ = records("whiskey", 2, end="deals:3")
    file = written(tmp_path, "\n".join(lines), "games.jsonl")
    shown = rate(file, "--luck")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert "12 decks in all seatings" in shown.stdout
    luck = json.loads(rate(file, "--luck", "--json").stdout)["luck"]
    assert (luck["boards"], luck["players"], len(luck["positions"])) == (12, 3, 3)
    named = []
    for number, line in enumerate(lines[:6]):
        data = {k: v for k, v in json.loads(line).items() if k not in {"set", "half", "lane"}}
        named.append(json.dumps({**data, "match": f"abc-1-1-{number}"}))
    found = read_results([written(tmp_path, "\n".join(named), "platform.jsonl")])
    assert len({half for half, _ in found.matches}) == 2
    refused = rate(written(tmp_path, DUEL, "duel.tsv"), "--luck")
    assert refused.returncode == 1
    assert "whole sets are needed" in refused.stderr


def test_without_the_server_package_the_command_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert run(["rate", "results.csv"]) == 1
    assert "pip install kibitz-server" in capsys.readouterr().err


def test_the_anchor_is_the_newest_of_its_versions(tmp_path: Path) -> None:
    text = "set,player,score\n1,careful/2,1\n1,careful/10,0\n2,careful/10,1\n2,ana/heart/3,0\n"
    done = rate(written(tmp_path, text), "--json")
    told = json.loads(done.stdout)
    assert (told["anchor"], told["anchored"], told["notes"]) == ("careful/10", True, [])
    assert {row["player"]: row["elo"] for row in told["rows"]}["careful/10"] == 1500.0

"""`kibitz rate --test A B`: sequential tests on files, in the order of their sets."""

import json
import subprocess
import sys
from pathlib import Path
from random import Random
from xml.etree import ElementTree

import pytest
from kibitz_worker.ratings import RatingError
from kibitz_worker.ratings.files import read_results
from kibitz_worker.ratings.files.trial import Trial, hold
from kibitz_worker.ratings.sequential import Plan, judge_pairs

from tests.worker.ratings.test_files import rate, records, written

PLAN = Plan("logistic", 0.0, 100.0)


def pairs(kinds: list[int], *, without: frozenset[int] = frozenset()) -> str:
    """Two games of each unit, by the kind of their pair; the second of some is missing."""
    lines = ["unit,white,black,result"]
    for number, kind in enumerate(kinds):
        first = min(2, kind) / 2.0
        lines.append(f"g{number},new,old,{first}")
        if number not in without:
            lines.append(f"g{number},old,new,{1.0 - (kind / 2.0 - first)}")
    return "\n".join(lines)


def held(path: Path, plan: Plan = PLAN, one: str = "new", two: str = "old") -> Trial:
    return hold(plan, one, two, read_results([path]).planned)


def test_two_games_of_a_unit_are_a_pair(tmp_path: Path) -> None:
    random = Random(2)
    kinds = [random.choice((1, 2, 2, 3, 3, 4)) for _ in range(60)]
    trial = held(written(tmp_path, pairs(kinds)))
    assert trial.progress == judge_pairs(PLAN, kinds)
    assert trial.progress.state == "accepted"
    assert trial.counts is not None
    assert sum(trial.counts) == trial.progress.sets < 60
    assert trial.estimate is not None
    assert trial.estimate.elo > 0


def test_what_comes_after_an_open_set_does_not_count(tmp_path: Path) -> None:
    kinds = [2, 3, 1, 2] * 10
    file = written(tmp_path, pairs(kinds, without=frozenset({17, 30})))
    trial = held(file, Plan("logistic", 0.0, 5.0))
    assert trial.progress.sets == 17
    assert trial.left_out == "21 later sets do not count: set g17 is not complete"


def test_a_number_that_no_set_has_ends_the_row(tmp_path: Path) -> None:
    """Sets of others in between are no gap; their order in the file does not matter."""
    lines = ["set,player,score"]
    for number in (3, 0, 1, 2, 4, 6, 7):
        other = "third" if number == 2 else "old"
        lines += [f"s-{number},new,{number}", f"s-{number},{other},1"]
    trial = held(written(tmp_path, "\n".join(lines)))
    assert [unit[0].name for unit in trial.row.sets] == ["s-0", "s-1", "s-3", "s-4"]
    assert trial.left_out == "2 later sets do not count: set 5 is missing"


def test_margins_are_tested_at_tables_of_three(tmp_path: Path) -> None:
    random = Random(5)
    lines = ["player1,score1,player2,score2,player3,score3,deals"]
    for _ in range(200):
        new, old, third = (random.gauss(mean, 4.0) for mean in (8.0, 4.0, 0.0))
        lines.append(f"new,{new},old,{old},third,{third},4")
    file = written(tmp_path, "\n".join(lines))
    trial = held(file, Plan("margin", 0.0, 0.8))
    assert trial.progress.state == "accepted"
    assert trial.progress.sets < 200
    assert trial.counts is None
    with pytest.raises(RatingError) as caught:
        held(file)
    assert caught.value.reason == "NEEDS_MARGINS"
    assert "--margin1" in str(caught.value)


def test_matches_of_a_recorded_set_are_its_pair(tmp_path: Path) -> None:
    lines, _ = records("german_whist", 3, end="hands:2")
    seats = json.loads(lines[0])["seats"]
    whole = held(written(tmp_path, "\n".join(lines), "g.jsonl"), PLAN, *seats)
    assert whole.progress.sets == 3
    leads = []
    for line in lines:
        record = json.loads(line)
        returns = dict(zip(record["seats"], record["returns"], strict=True))
        leads.append(returns[seats[0]] - returns[seats[1]])
    wins = sum((lead > 0) + (lead == 0) / 2 for lead in leads)
    assert whole.counts is not None
    assert sum(kind * count for kind, count in enumerate(whole.counts)) == 2 * wins
    cut = written(tmp_path, "\n".join(lines[:3] + lines[4:]), "cut.jsonl")
    broken = held(cut, PLAN, *seats)
    assert broken.progress.sets == 1
    assert "set 1 is not complete" in str(broken.left_out)


def test_the_command_says_draws_and_gives_the_test(tmp_path: Path) -> None:
    random = Random(2)
    kinds = [random.choice((1, 2, 2, 3, 3, 4)) for _ in range(60)]
    file, picture = written(tmp_path, pairs(kinds)), tmp_path / "test.svg"
    words = ("--test", "new", "old", "--elo1", "100")
    said = rate(file, *words, "--svg", picture)
    assert (said.returncode, said.stderr) == (0, "")
    assert "Is new better than old? Yes." in said.stdout
    assert "LOS" in said.stdout
    curve = ElementTree.parse(picture).getroot().find("{http://www.w3.org/2000/svg}polyline")
    assert curve is not None
    told = json.loads(rate(file, *words, "--json", "--normalized").stdout)["test"]
    assert told["model"] == "normalized"
    assert len(curve.attrib["points"].split()) > 2
    assert len(told["curve"]) == told["sets"] - told["curve_from"] + 1
    waiting = rate(written(tmp_path, pairs(kinds[:20]), "few.csv"), *words)
    assert "Not decided yet" in waiting.stdout
    assert "sets to come if it goes on so" in waiting.stdout


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (("--test", "new", "nobody"), "'new' and 'nobody' have no set in common"),
        (("--test", "new", "new"), "two different players"),
        (("--test", "new", "old", "--elo1", "-5"), "must be below"),
        (("--test", "new", "old", "--alpha", "0.9"), "between 0 and 0.5"),
    ],
)
def test_questions_without_an_answer_are_refused(
    tmp_path: Path, words: tuple[str, ...], says: str
) -> None:
    refused = rate(written(tmp_path, pairs([2, 3, 4])), *words)
    assert refused.returncode == 1
    assert refused.stderr.count("\n") == 1
    assert says in refused.stderr


def test_the_command_of_the_sdk_passes_everything_on(tmp_path: Path) -> None:
    file = written(tmp_path, pairs([2, 3, 4] * 8))
    command = [sys.executable, "-m", "kibitz", "rate", str(file), "--test", "new", "old"]
    more = ["--margin1", "0.5", "--limit", "100", "--json"]
    done = subprocess.run([*command, *more], capture_output=True, text=True, check=True)
    told = json.loads(done.stdout)["test"]
    assert (told["model"], told["h1"], told["limit"]) == ("margin", 0.5, 100)

"""What an author is told of a trial: every kind of fault once, and briefly in a list."""

from __future__ import annotations

from pathlib import Path

from kibitz_worker.play.trial import in_short, summary, without_folder

CRASH = (
    "CRASH: deal {0}, seat 1, 3 ms of 10000 ms used. Traceback (most recent call last):\n"
    '  File "/srv/versions/ab12/bot.py", line 7, in play\n'
    '    return {{}}["oops"]\n'
    "KeyError: 'oops' (whist)"
)


def test_a_traceback_is_shortened_to_what_it_ends_with() -> None:
    assert in_short(CRASH.format(0)) == (
        "CRASH: deal 0, seat 1, 3 ms of 10000 ms used. KeyError: 'oops' (whist)"
    )
    assert in_short("ILLEGAL_ACTION: deal 0.\n'AS' is not legal") == (
        "ILLEGAL_ACTION: deal 0. 'AS' is not legal"
    )


def test_faults_of_a_kind_are_told_once_and_counted() -> None:
    faults = [CRASH.format(0), CRASH.format(1), CRASH.format(2), "TIMEOUT: deal 0 (whist)"]
    assert summary(faults) == [f"{CRASH.format(0)}\n(and 2 more of the kind)", faults[3]]
    assert summary(["CRASH: deal 0 (whist)", "CRASH: deal 0 (whiskey)"]) == [
        "CRASH: deal 0 (whist)",
        "CRASH: deal 0 (whiskey)",
    ]


def test_files_are_named_as_their_author_knows_them(tmp_path: Path) -> None:
    assert without_folder(CRASH.format(0), Path("/srv/versions/ab12")).count('"bot.py"') == 1
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to(tmp_path / "real")
    said = f"{tmp_path}/real/bot.py:3 and {tmp_path}/link/deep/model.py"
    assert without_folder(said, tmp_path / "link") == "bot.py:3 and deep/model.py"
    assert without_folder(said, None) == said

"""Standings on a terminal."""

import pytest
from kibitz.cli.standings import show_standings

Capture = pytest.CaptureFixture[str]


def test_standings_have_what_the_format_counts(capsys: Capture) -> None:
    stops = [{"result": "won", "ranks": [2]}, {"result": "bye", "ranks": []}]
    placing = {"role": None, "points": 2.0, "buchholz": 1.5, "median": 0.5, "byes": 1, "fell": None}
    row = {"rank": 1, "bot": "ana/heart", "version": 3, "elo": None, "margin": None, "sets": 1}
    show_standings([{**row, "placing": {**placing, "course": stops}}])
    swiss = capsys.readouterr().out
    assert "buchholz" in swiss
    assert "+2 o" in swiss
    out = {**placing, "points": None, "fell": 2, "course": stops}
    show_standings([{**row, "placing": out}])
    assert "out in" in capsys.readouterr().out
    show_standings([{**row, "placing": {**placing, "points": None, "role": "base", "course": []}}])
    assert "base" in capsys.readouterr().out
    show_standings([{**row, "placing": None}])
    assert "rounds" not in capsys.readouterr().out

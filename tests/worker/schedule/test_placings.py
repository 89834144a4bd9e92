"""Where entrants stand by their format, and how they came there."""

from __future__ import annotations

import pytest
from kibitz_worker.schedule.formats import (
    Format,
    Halving,
    Knockout,
    Meeting,
    Placing,
    RoundRobin,
    SetResult,
    Situation,
    Swiss,
    placings,
)

from tests.worker.schedule.simulated import play, sure


def placed(kind: Format, now: Situation) -> list[Placing]:
    found = placings(kind, now)
    assert found is not None
    assert sorted(each.entrant for each in found) == list(range(now.entrants))
    return found


@pytest.mark.parametrize("entrants", [7, 8])
def test_a_swiss_tells_points_of_opponents_and_byes(entrants: int) -> None:
    now, _ = play(Swiss(), entrants, 2, scorer=sure)
    found = placed(Swiss(), now)
    by_number = {each.entrant: each for each in found}
    assert found[0].entrant == 0
    assert sum(each.byes for each in found) == (now.rounds if entrants == 7 else 0)
    for each in found:
        assert [stop.round for stop in each.course] == list(range(1, now.rounds + 1))
        assert each.points == sum(stop.points or 0.0 for stop in each.course)
        met = sorted(by_number[n].points or 0.0 for stop in each.course for n in stop.opponents)
        assert each.buchholz == sum(met)
        assert each.median == sum(met[1:-1])
    order = [(each.points, each.buchholz) for each in found]
    assert order == sorted(order, reverse=True)


def test_a_table_that_could_not_be_played_is_half_a_point_and_an_open_one_nothing() -> None:
    void = Meeting(0, (0, 1), (SetResult(0, "void"),))
    open_ = Meeting(0, (2, 3), (SetResult(1, "open"),))
    drawn = Meeting(0, (4, 5), (SetResult(2, "done", (1.0, 1.0), (0.0, 0.0), 2),))
    found = placed(Swiss(), Situation(7, 2, 1, (void, open_, drawn)))
    told = {each.entrant: (each.course[0].result, each.points) for each in found}
    assert told == {
        0: ("void", 0.5),
        1: ("void", 0.5),
        2: ("open", 0.0),
        3: ("open", 0.0),
        4: ("drawn", 0.5),
        5: ("drawn", 0.5),
        6: ("bye", 1.0),
    }


@pytest.mark.parametrize(("entrants", "players"), [(7, 2), (11, 3), (9, 4)])
def test_a_knockout_puts_first_who_came_furthest(entrants: int, players: int) -> None:
    now, _ = play(Knockout(), entrants, players)
    found = placed(Knockout(), now)
    bracket = Knockout().bracket(now)
    assert (found[0].entrant,) == bracket[-1][-1].winners
    assert found[0].fell is None
    assert all(each.fell for each in found[1:])
    for each in found:
        assert all(stop.result in {"won", "bye"} for stop in each.course[:-1])
        assert each.course[-1].result == ("lost" if each.fell else "won")
        assert each.fell in {None, each.course[-1].round}
    fell = [each.fell or 99 for each in found]
    assert fell == sorted(fell, reverse=True)


@pytest.mark.parametrize(("entrants", "players"), [(9, 2), (10, 3)])
def test_a_halving_says_on_which_rung_somebody_fell(entrants: int, players: int) -> None:
    now, _ = play(Halving(), entrants, players, scorer=sure)
    rungs = Halving().rungs(entrants, players)
    found = placed(Halving(), now)
    assert [each.fell for each in found[: rungs[-1]]] == [None] * rungs[-1]
    for number, size in enumerate(rungs[:-1], 1):
        fallen = [each for each in found if each.fell == number]
        assert len(fallen) == size - rungs[number]
        assert all(len(each.course) == number for each in fallen)
        assert all(each.course[-1].result == "lost" for each in fallen)
    assert found[0].entrant == 0


def test_nobody_has_fallen_from_a_rung_that_is_being_played() -> None:
    first = tuple(Meeting(0, (n, n + 1), (SetResult(n // 2, "open"),)) for n in (0, 2))
    found = placed(Halving(), Situation(4, 2, 1, first))
    assert [(each.fell, each.course[0].result) for each in found] == [(None, "open")] * 4


def test_a_round_robin_counts_nothing_of_its_own() -> None:
    assert placings(RoundRobin(), Situation(3, 2, 1)) is None

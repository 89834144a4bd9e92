"""Final tables of divisions, format by format, and newcomers that come in by rating."""

from __future__ import annotations

from random import Random

import pytest
from kibitz_worker.leagues.tables import ranked
from kibitz_worker.leagues.tending import tend_leagues
from kibitz_worker.schedule.formats import (
    Format,
    Halving,
    Individual,
    Knockout,
    RoundRobin,
    Situation,
    Swiss,
    climbers,
)
from kibitz_worker.store.models import League, Snapshot

from tests.worker.schedule.simulated import play, sure
from tests.worker.seasons.stage import DAY, SetStore, found, placed, reasons, terms


def turned(random: Random, number: int, table: tuple[int, ...]) -> tuple[float, ...]:
    """The higher number always wins, so that who began higher is of no help."""
    return tuple(float(entrant) for entrant in table)


def level(random: Random, number: int, table: tuple[int, ...]) -> tuple[float, ...]:
    return (0.0,) * len(table)


@pytest.mark.parametrize("kind", [RoundRobin(), Swiss(), Knockout(), Halving()])
def test_the_best_is_first_and_everybody_is_ranked_once(kind: Format) -> None:
    for scorer, best in ((sure, 0), (turned, 7)):
        now, _ = play(kind, 8, 2, scorer=scorer)
        order = [line.entrant for line in ranked(kind, now)]
        assert order[0] == best
        assert sorted(order) == list(range(8))


def test_in_a_round_robin_equal_bots_stand_as_they_began() -> None:
    now, _ = play(RoundRobin(), 5, 2, scorer=level)
    assert [line.entrant for line in ranked(RoundRobin(), now)] == [0, 1, 2, 3, 4]
    now, _ = play(RoundRobin(), 5, 2, scorer=turned)
    assert [line.entrant for line in ranked(RoundRobin(), now)] == [4, 3, 2, 1, 0]


def test_a_partner_is_nobody_to_beat() -> None:
    """The side of bot 3 wins always, and so does whoever is its partner, once in three rounds."""

    def carried(random: Random, number: int, table: tuple[int, ...]) -> tuple[float, ...]:
        ahead = 1.0 if 3 in table[::2] else -1.0
        return (ahead, -ahead) * 2

    now, _ = play(Individual(), 4, 4, scorer=carried)
    table = ranked(Individual(), now)
    assert [(line.entrant, line.total.share) for line in table][:1] == [(3, 1.0)]
    assert [line.total.share for line in table[1:]] == [pytest.approx(1 / 3)] * 3


def test_in_a_knockout_those_come_first_who_came_furthest() -> None:
    now, _ = play(Knockout(), 8, 2, scorer=turned)
    bracket = Knockout().bracket(now)
    order = [line.entrant for line in ranked(Knockout(), now)]
    assert order[:1] == list(bracket[-1][0].winners)
    assert set(order[:2]) == set(bracket[-1][0].entrants)
    assert set(order[:4]) == {n for bout in bracket[1] for n in bout.entrants}


def test_in_a_halving_those_come_first_who_climbed_highest() -> None:
    now, _ = play(Halving(), 8, 2, scorer=turned)
    order = [line.entrant for line in ranked(Halving(), now)]
    rungs = climbers(now, Halving().rungs(8, 2))
    assert [len(left) for left in rungs] == [8, 4, 2]
    for left in rungs:
        assert set(order[: len(left)]) == set(left)
    assert order[0] == max(rungs[-1])


def test_a_tournament_cut_short_before_its_first_set_has_a_table_too() -> None:
    for kind in (RoundRobin(), Swiss(), Knockout(), Halving()):
        lines = ranked(kind, Situation(4, 2, 1))
        assert [line.entrant for line in lines] == [0, 1, 2, 3]


def test_rated_newcomers_come_in_by_their_rating(store: SetStore) -> None:
    league = found(store, 5, terms((2, 2), newcomers="rating"))
    elos = {"ben/b03/1": 1700.0, "ben/b04/1": 1600.0}
    with store.write() as session:
        pool = session.get_one(League, league).pool
        rows = [{"player": player, "elo": elo} for player, elo in elos.items()]
        session.add(
            Snapshot(
                game="german_whist",
                pool=pool,
                options={},
                created=store.clock,
                sets=9,
                deals=9,
                payload={"rows": rows},
            )
        )
    store.clock += DAY
    tend_leagues(store)
    assert placed(store, league) == [["b03", "b04"], ["b00", "b01"], ["b02"]]
    assert reasons(store, league, "PLACE_TAKEN")[0] == (
        "ben/b03 takes a free place of Division 1, as a newcomer"
    )

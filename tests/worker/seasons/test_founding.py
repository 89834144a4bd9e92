"""Leagues that cannot be are refused at once, and bots that cannot play in one."""

from __future__ import annotations

from typing import Any

import pytest
from kibitz_worker.errors import ConflictError, InvalidError, NotFoundError, StoreError
from kibitz_worker.leagues.changes import pause_league
from kibitz_worker.leagues.dates import Calendar
from kibitz_worker.leagues.founding import DivisionPlan, Terms, create_league
from kibitz_worker.leagues.members import join, league_with_id, leave
from kibitz_worker.store.bots import add_house_bot, host_version
from kibitz_worker.store.models import LeagueState, Version, VersionState

from tests.worker.leagues import owner_named
from tests.worker.seasons.stage import (
    DAILY,
    DAY,
    GAME,
    START,
    SetStore,
    enter,
    found,
    kinds,
    placed,
    terms,
)


def division(*rows: tuple[int, int]) -> dict[str, Any]:
    return {"divisions": [DivisionPlan(size, movers) for size, movers in rows]}


@pytest.mark.parametrize(
    ("changed", "reason"),
    [
        ({"game": "chess"}, "UNKNOWN_GAME"),
        ({"options": {"end": "points:30"}}, "NOT_DUPLICABLE"),
        ({"format": "ladder"}, "LEAGUE_FORMAT"),
        ({"format": "versus"}, "LEAGUE_FORMAT"),
        ({"format": "tea"}, "LEAGUE_FORMAT"),
        ({"format": "swiss"}, "TOO_FEW_ENTRANTS"),
        ({"format_options": {"rounds": 3}}, "FORMAT_OPTION"),
        ({"sets_per_pairing": 0}, "SETS_INVALID"),
        ({"sets_per_pairing": 300_000}, "TOURNAMENT_TOO_LARGE"),
        (division(), "DIVISIONS_INVALID"),
        (division(*[(2, 0)] * 51), "DIVISIONS_INVALID"),
        (division((1, 0)), "DIVISION_TOO_SMALL"),
        (division((201, 0)), "DIVISION_TOO_LARGE"),
        (division((4, 5), (6, 0)), "MOVERS_INVALID"),
        (division((4, 3), (2, 0)), "MOVERS_INVALID"),
        (division((4, 2), (4, 3), (4, 0)), "MOVERS_INVALID"),
        (division((4, -1), (4, 0)), "MOVERS_INVALID"),
        (division((4, 1), (4, 1)), "MOVERS_INVALID"),
        ({"joining": "friends"}, "JOINING_INVALID"),
        ({"newcomers": "first"}, "NEWCOMERS_INVALID"),
        ({"policy": "none"}, "POLICY_UNKNOWN"),
        ({"clock": {"bank": 1}}, "CLOCK_INVALID"),
    ],
)
def test_what_cannot_be_a_league_is_refused(changed: dict[str, Any], reason: str) -> None:
    with pytest.raises(InvalidError) as caught:
        terms(**changed).checked()
    assert caught.value.reason == reason
    assert str(caught.value)


def test_a_league_of_three_seats_wants_divisions_of_three() -> None:
    wanted = Terms("whiskey", [DivisionPlan(3, 1), DivisionPlan(2)], options={"end": "deals:3"})
    with pytest.raises(InvalidError, match="division 2 of 2 bots is too small") as caught:
        wanted.checked()
    assert caught.value.reason == "DIVISION_TOO_SMALL"


def test_names_are_checked(store: SetStore) -> None:
    with store.write() as session, pytest.raises(InvalidError) as caught:
        create_league(session, START, owner_named(session, "ana"), " ", terms(), DAILY)
    assert caught.value.reason == "TITLE_INVALID"


def test_the_first_season_is_due_at_the_first_date_from_the_start_on(store: SetStore) -> None:
    league = found(store, 0, starts=START + 2 * DAY)
    with store.write() as session:
        due = league_with_id(session, league).due
    assert due == (START + 2 * DAY).replace(hour=18)
    assert kinds(store, league) == ["FOUNDED"]


def refused(store: SetStore, league: str, who: str, label: str, kind: type[StoreError]) -> str:
    with store.write() as session:
        asker, kept = owner_named(session, who), league_with_id(session, league)
        with pytest.raises(kind) as caught:
            join(session, START, asker, kept, label)
    return caught.value.reason


def test_bots_that_cannot_play_are_refused(store: SetStore) -> None:
    league = found(store, 1)
    with store.write() as session:
        ben = owner_named(session, "ben")
        host_version(session, ben, "whisty", ["whist"])
        out = host_version(session, ben, "out", [GAME])
        out.state, out.reason = VersionState.QUARANTINED, "it crashed"
    assert refused(store, league, "ben", "ben/nobody", NotFoundError) == "BOT_UNKNOWN"
    assert refused(store, league, "ben", "ben/b00/9", NotFoundError) == "VERSION_UNKNOWN"
    assert refused(store, league, "ben", "ben/whisty", InvalidError) == "GAME_NOT_PLAYED"
    assert refused(store, league, "ben", "ben/out", InvalidError) == "VERSION_NOT_ADMITTED"
    assert refused(store, league, "eve", "ben/b00", ConflictError) == "NOT_YOUR_BOT"
    assert placed(store, league) == [[], [], ["b00"]]


def test_bots_that_see_both_hands_of_a_side_do_not_join_a_rated_league(store: SetStore) -> None:
    wanted = Terms("whist", [DivisionPlan(2)], options={"end": "deals:4"})
    league = found(store, 0, wanted)
    with store.write() as session:
        host_version(session, owner_named(session, "ben"), "pair", ["whist"])
    assert refused(store, league, "ben", "ben/pair", InvalidError) == "PARTNERS_SELF_HOSTED"


def test_one_bot_an_owner_where_bots_of_one_owner_may_not_meet(store: SetStore) -> None:
    league = found(store, 1, terms(one_owner=False))
    with store.write() as session:
        host_version(session, owner_named(session, "ben"), "second", [GAME])
        for name in ("careful", "random"):
            add_house_bot(session, name, name, name, [GAME])
            kept = league_with_id(session, league)
            join(session, START, owner_named(session, "ana"), kept, name)
    assert refused(store, league, "ben", "ben/second", InvalidError) == "SAME_OWNER"
    assert placed(store, league)[-1] == ["b00", "careful", "random"]


def test_an_organiser_may_keep_joining_to_himself(store: SetStore) -> None:
    league = found(store, 0, terms(joining="organiser"))
    with store.write() as session:
        host_version(session, owner_named(session, "ben"), "b00", [GAME])
    assert refused(store, league, "ben", "ben/b00", ConflictError) == "JOINING_CLOSED"
    with store.write() as session:
        kept = league_with_id(session, league)
        join(session, START, owner_named(session, "ana"), kept, "ben/b00")
        leave(session, START, owner_named(session, "ben"), kept, "ben/b00")
    assert placed(store, league) == [[], [], []]
    assert kinds(store, league) == ["FOUNDED", "JOINED", "LEFT"]


def test_joining_again_chooses_another_version(store: SetStore) -> None:
    league = found(store, 1)
    with store.write() as session:
        ben = owner_named(session, "ben")
        second = host_version(session, ben, "b00", [GAME, "whist"])
        kept = league_with_id(session, league)
        assert join(session, START, ben, kept, "ben/b00/1").version_id != second.id
        assert join(session, START, ben, kept, "ben/b00").version_id is None
        assert session.get_one(Version, second.id).number == 2
    assert placed(store, league)[-1] == ["b00"]


def test_what_is_asked_for_twice_is_told_once(store: SetStore) -> None:
    league = found(store, 1)
    with store.write() as session:
        ben, kept = owner_named(session, "ben"), league_with_id(session, league)
        for _ in range(2):
            join(session, START, ben, kept, "ben/b00")
        for _ in range(2):
            pause_league(session, START, kept.owner, kept)
    assert kinds(store, league) == ["FOUNDED", "JOINED", "PAUSED"]


def test_nobody_joins_a_league_that_has_ended(store: SetStore) -> None:
    league = found(store, 0)
    with store.write() as session:
        league_with_id(session, league).state = LeagueState.ENDED
        host_version(session, owner_named(session, "ben"), "b00", [GAME])
    assert refused(store, league, "ben", "ben/b00", ConflictError) == "LEAGUE_OVER"
    with store.write() as session, pytest.raises(NotFoundError) as caught:
        enter(session, START, league_with_id(session, "nothere"), "b01")
    assert caught.value.reason == "LEAGUE_UNKNOWN"


def test_a_calendar_that_cannot_be_is_refused(store: SetStore) -> None:
    with pytest.raises(InvalidError) as caught:
        found(store, 0, calendar=Calendar(cron="every friday"))
    assert caught.value.reason == "CRON_INVALID"

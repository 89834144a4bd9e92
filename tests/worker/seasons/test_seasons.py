"""Leagues over their seasons: the keeper's steps, on both databases, by a clock that is set."""

from __future__ import annotations

from datetime import timedelta

import pytest
from kibitz_worker.errors import ConflictError, InvalidError
from kibitz_worker.leagues.changes import (
    change_calendar,
    end_league,
    pause_league,
    resume_league,
)
from kibitz_worker.leagues.dates import Calendar
from kibitz_worker.leagues.members import join, league_with_id, leave
from kibitz_worker.leagues.tending import tend_leagues
from kibitz_worker.store.models import (
    DealSet,
    LeagueState,
    Moved,
    Placing,
    SeasonState,
    SetState,
    TournamentState,
    Version,
    VersionState,
)
from kibitz_worker.store.tournaments import cancel_tournament
from kibitz_worker.work.annulment import annul_set
from sqlalchemy import select

from tests.worker.leagues import owner_named
from tests.worker.seasons.stage import (
    DAY,
    SetStore,
    enter,
    found,
    kinds,
    placed,
    play_out,
    reasons,
    score_sets,
    seasons,
    terms,
    tournaments,
)


def next_season(store: SetStore, days: int = 1) -> None:
    store.clock += days * DAY
    tend_leagues(store)


def play_season(store: SetStore, **strength: float) -> None:
    """Make the season that is due, play it, and close it."""
    next_season(store)
    play_out(store, strength)
    tend_leagues(store)


def test_nothing_happens_before_the_date(store: SetStore) -> None:
    league = found(store)
    assert tend_leagues(store) == 0
    store.clock = store.clock.replace(hour=17, minute=59)
    assert tend_leagues(store) == 0
    store.clock = store.clock.replace(hour=18, minute=0)
    assert tend_leagues(store) > 0
    assert tend_leagues(store) == 0
    assert [season.state for season in seasons(store, league)] == [SeasonState.RUNNING]
    assert placed(store, league) == [["b00", "b01"], ["b02", "b03"], []]
    with store.read() as session:
        made = tournaments(session)
        assert [one.name for one in made] == [
            "Autumn, season 1, Division 1",
            "Autumn, season 1, Division 2",
        ]
        assert {one.state for one in made} == {TournamentState.RUNNING}
        assert [e.version.bot.name for e in made[1].entrants] == ["b02", "b03"]


def test_bots_go_up_and_down_and_the_tables_say_so(store: SetStore) -> None:
    league = found(store)
    play_season(store, b01=9)
    assert placed(store, league) == [["b01", "b02"], ["b00", "b03"], []]
    with store.read() as session:
        rows = session.scalars(select(Placing).order_by(Placing.division, Placing.rank)).all()
        told = [(row.member.bot.name, row.rank, row.moved, row.sets, row.share) for row in rows]
    assert told == [
        ("b01", 1, Moved.STAYED, 1, 1.0),
        ("b00", 2, Moved.DOWN, 1, 0.0),
        ("b02", 1, Moved.UP, 1, 1.0),
        ("b03", 2, Moved.STAYED, 1, 0.0),
    ]
    assert rows[1].reason == "2 of 2 in Division 1, down to Division 2"
    assert reasons(store, league, "PROMOTED") == ["ben/b02: 1 of 2 in Division 2, up to Division 1"]
    assert reasons(store, league, "SEASON_CLOSED") == ["season 1 is over, won by ben/b01"]
    play_season(store)
    assert placed(store, league) == [["b01", "b00"], ["b02", "b03"], []]


def test_equal_bots_are_told_apart_by_where_they_began(store: SetStore) -> None:
    league = found(store)
    play_season(store, b00=1, b01=1, b02=1, b03=1)
    assert placed(store, league) == [["b00", "b02"], ["b01", "b03"], []]


def test_dates_that_went_by_are_made_up_for_once(store: SetStore) -> None:
    league = found(store)
    next_season(store, days=5)
    next_season(store, days=0)
    (made,) = seasons(store, league)
    assert reasons(store, league, "SEASON_MADE") == [
        "season 1 begins with 4 bots, for the date 2030-03-01 18:00 UTC; "
        "4 further dates went by and are not made up for"
    ]
    with store.write() as session:
        due = league_with_id(session, league).due
    assert due is not None
    assert timedelta(0) < due - store.clock <= DAY
    play_out(store)
    tend_leagues(store)
    assert [season.number for season in seasons(store, league)] == [made.number]


def test_the_next_season_waits_for_one_that_is_late(store: SetStore) -> None:
    league = found(store)
    next_season(store)
    next_season(store)
    next_season(store)
    assert len(seasons(store, league)) == 1
    assert reasons(store, league, "SEASON_WAITS") == [
        "season 2 is due and waits until season 1 is over"
    ]
    play_out(store)
    tend_leagues(store)
    assert [season.state for season in seasons(store, league)] == ["closed", "running"]
    with store.write() as session:
        assert league_with_id(session, league).reason is None


def test_a_late_season_is_cut_short_where_the_league_says_so(store: SetStore) -> None:
    league = found(store, 6, terms((4, 2)), Calendar("0 18 * * *", late="close"))
    next_season(store)
    with store.write() as session:
        first = session.scalars(select(DealSet).order_by(DealSet.id).limit(1)).one()
        others = select(DealSet).where(DealSet.id != first.id)
        for one in session.scalars(others):
            one.state = SetState.LEASED
        session.flush()
        score_sets(session, store.clock, {})
    next_season(store)
    assert [season.state for season in seasons(store, league)] == ["running"]
    with store.write() as session:
        assert {one.state for one in tournaments(session)} == {TournamentState.CANCELLED}
        for one in session.scalars(select(DealSet).where(DealSet.state == SetState.LEASED)):
            one.state = SetState.VOID
    tend_leagues(store)
    first_season, second = seasons(store, league)
    assert (first_season.state, second.state) == ("closed", "running")
    assert first_season.reason == "cut short, because the next season was due"
    assert kinds(store, league).count("SEASON_CUT_SHORT") == 1


def test_what_was_not_played_moves_nobody(store: SetStore) -> None:
    league = found(store)
    next_season(store)
    with store.write() as session:
        cancel_tournament(session, tournaments(session)[0].id, "by hand")
    play_out(store)
    tend_leagues(store)
    assert placed(store, league) == [["b00", "b01"], ["b02", "b03"], []]
    assert [season.state for season in seasons(store, league)] == ["closed"]


def test_annulling_a_set_afterwards_changes_no_table_and_no_promotion(store: SetStore) -> None:
    league = found(store)
    play_season(store, b01=9)

    def told() -> list[tuple[object, ...]]:
        with store.read() as session:
            rows = session.scalars(select(Placing).order_by(Placing.id))
            return [(r.member_id, r.rank, r.share, r.margin, r.sets, r.moved) for r in rows]

    before, stood = told(), placed(store, league)
    with store.write() as session:
        sets = session.scalars(select(DealSet.id).where(DealSet.state == SetState.DONE)).all()
        for key in sets:
            annul_set(session, store.clock, key, user_id=None, reason="a bug")
    tend_leagues(store)
    assert len(sets) == 2
    assert told() == before
    assert placed(store, league) == stood


def test_who_left_or_may_not_play_drops_out_and_places_are_filled(store: SetStore) -> None:
    league = found(store, 6, terms((2, 2)))
    assert placed(store, league)[-1] == ["b00", "b01", "b02", "b03", "b04", "b05"]
    next_season(store)
    with store.write() as session:
        kept = league_with_id(session, league)
        leave(session, store.clock, owner_named(session, "ben"), kept, "ben/b00")
        bad = session.scalars(select(Version).order_by(Version.id)).all()[3]
        bad.state, bad.reason = VersionState.QUARANTINED, "it crashed"
    assert placed(store, league)[0] == ["b00", "b01"]
    play_out(store)
    tend_leagues(store)
    # b00 left and counts as relegated; b03 waits for a version; b02 went up by winning.
    assert placed(store, league) == [["b01", "b02"], [], ["b04", "b05", "b03"]]
    next_season(store)
    assert placed(store, league) == [["b01", "b02"], ["b04", "b05"], ["b03"]]
    assert reasons(store, league, "DROPPED") == [
        "ben/b00: 1 of 2 in Division 1; left",
        "ben/b03: 2 of 2 in Division 2; no version that may play",
    ]
    assert len(reasons(store, league, "PLACE_TAKEN")) == 6


def test_a_bot_that_comes_back_before_the_season_is_over_keeps_its_place(store: SetStore) -> None:
    league = found(store)
    next_season(store)
    with store.write() as session:
        kept = league_with_id(session, league)
        ben = owner_named(session, "ben")
        leave(session, store.clock, ben, kept, "ben/b00")
        join(session, store.clock, ben, kept, "ben/b00")
    play_out(store)
    tend_leagues(store)
    assert placed(store, league)[0] == ["b00", "b02"]


def test_a_season_waits_until_there_are_bots_enough(store: SetStore) -> None:
    league = found(store, 1)
    next_season(store)
    next_season(store)
    assert seasons(store, league) == []
    waits = reasons(store, league, "SEASON_WAITS")
    assert len(waits) == 1
    assert "waits for bots" in waits[0]
    with store.write() as session:
        enter(session, store.clock, league_with_id(session, league), "b01")
    tend_leagues(store)
    assert len(seasons(store, league)) == 1


def test_a_lowest_division_that_is_too_small_sits_out(store: SetStore) -> None:
    league = found(store, 3)
    next_season(store)
    assert placed(store, league) == [["b00", "b01"], ["b02"], []]
    assert "Division 2 is not played" in reasons(store, league, "DIVISION_NOT_PLAYED")[0]
    play_out(store)
    tend_leagues(store)
    assert placed(store, league) == [["b00", "b01"], ["b02"], []]
    assert [season.state for season in seasons(store, league)] == ["closed"]


def test_a_paused_league_plays_its_season_to_the_end_and_begins_no_other(store: SetStore) -> None:
    league = found(store)
    next_season(store)
    with store.write() as session:
        pause_league(
            session, store.clock, owner_named(session, "ana"), league_with_id(session, league)
        )
    play_out(store)
    next_season(store, days=3)
    assert [season.state for season in seasons(store, league)] == ["closed"]
    with store.write() as session:
        kept = league_with_id(session, league)
        assert kept.reason == "paused by ana"
        resume_league(session, store.clock, owner_named(session, "ana"), kept)
        assert kept.due is not None
        assert kept.due > store.clock
    tend_leagues(store)
    assert len(seasons(store, league)) == 1
    next_season(store)
    assert len(seasons(store, league)) == 2


def test_a_league_ends_by_itself_after_its_last_season(store: SetStore) -> None:
    league = found(store, calendar=Calendar("0 18 * * *", seasons=2))
    play_season(store)
    play_season(store)
    next_season(store, days=3)
    assert len(seasons(store, league)) == 2
    assert kinds(store, league)[-1] == "ENDED"
    with store.write() as session:
        kept = league_with_id(session, league)
        assert (kept.state, kept.due) == (LeagueState.ENDED, None)
        with pytest.raises(ConflictError) as caught:
            resume_league(session, store.clock, owner_named(session, "ana"), kept)
    assert caught.value.reason == "LEAGUE_OVER"


def test_a_season_under_way_is_closed_after_the_league_has_ended(store: SetStore) -> None:
    league = found(store)
    next_season(store)
    with store.write() as session:
        end_league(
            session, store.clock, owner_named(session, "ana"), league_with_id(session, league)
        )
    play_out(store)
    next_season(store)
    assert [season.state for season in seasons(store, league)] == ["closed"]
    with store.write() as session:
        assert league_with_id(session, league).reason == "ended by ana"


def test_without_dates_seasons_follow_one_another(store: SetStore) -> None:
    league = found(store, calendar=Calendar(seasons=3))
    for _ in range(5):
        tend_leagues(store)
        play_out(store)
    assert [season.number for season in seasons(store, league)] == [1, 2, 3]
    assert kinds(store, league)[-1] == "ENDED"


def test_a_changed_calendar_holds_for_coming_seasons(store: SetStore) -> None:
    league = found(store)
    next_season(store)
    with store.write() as session:
        ana, kept = owner_named(session, "ana"), league_with_id(session, league)
        change_calendar(session, store.clock, ana, kept, Calendar("0 9 1 * *", "Europe/Rome"))
        assert kept.due is not None
        assert kept.due.isoformat() == "2030-04-01T07:00:00+00:00"
        for wrong in (Calendar("x"), Calendar(seasons=0)):
            with pytest.raises(InvalidError):
                change_calendar(session, store.clock, ana, kept, wrong)
    assert len(seasons(store, league)) == 1
    play_out(store)
    tend_leagues(store)
    with store.write() as session:
        kept = league_with_id(session, league)
        change_calendar(
            session, store.clock, owner_named(session, "ana"), kept, Calendar(seasons=1)
        )
        assert kept.state is LeagueState.ENDED
    assert kinds(store, league)[-2:] == ["CALENDAR_CHANGED", "ENDED"]

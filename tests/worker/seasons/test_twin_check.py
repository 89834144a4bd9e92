"""The standing check that nobody is favoured: leagues of the house, as a setting wants them."""

from __future__ import annotations

import kibitz
import pytest
from kibitz_worker.errors import InvalidError
from kibitz_worker.house import add_house_bots
from kibitz_worker.leagues.members import members_of
from kibitz_worker.leagues.tending import tend_leagues
from kibitz_worker.leagues.twin_check import BOTS, keep_twin_checks, league_name
from kibitz_worker.refit import Refit
from kibitz_worker.store.models import League, LeagueState, Snapshot, Tournament
from sqlalchemy import select

from tests.api.conftest import nobody
from tests.worker.seasons.stage import DAY, SetStore, play_out

LEVELS = {"twin": 1.0, "careful": 1.0, "search": 2.0, "random": 0.0}


def keep(store: SetStore, cron: str | None) -> set[str]:
    with store.write() as session:
        add_house_bots(session)
        return {league.id for league in keep_twin_checks(session, store.now(session), cron)}


def test_every_game_has_a_check_that_plays_last(store: SetStore) -> None:
    kept = keep(store, "@weekly")
    with store.read() as session:
        leagues = session.scalars(select(League)).all()
        assert {league.id for league in leagues} == kept
        names = {league_name(kibitz.game(name)) for name in kibitz.games()}
        assert {league.name for league in leagues} == names
        for league in leagues:
            assert (league.priority, league.rated, league.joining) == (-5, True, "organiser")
            assert {member.bot.name for member in members_of(session, league)} == set(BOTS)


def test_the_next_start_keeps_the_checks_and_takes_a_new_calendar(store: SetStore) -> None:
    kept = keep(store, "@weekly")
    assert keep(store, "@weekly") == kept
    assert keep(store, "0 3 * * *") == kept
    with store.read() as session:
        assert set(session.scalars(select(League.cron))) == {"0 3 * * *"}
    assert keep(store, None) == keep(store, "") == set()
    with store.read() as session:
        assert set(session.scalars(select(League.state))) == {LeagueState.ENDED}
    assert len(keep(store, "@weekly") - kept) == len(kept)


def test_a_check_of_other_rules_than_the_usual_ends(store: SetStore) -> None:
    kept = keep(store, "@weekly")
    with store.write() as session:
        [whist] = session.scalars(select(League).where(League.game == "whist"))
        whist.pool, before = "as it was in an earlier version", whist.id
    after = keep(store, "@weekly")
    assert len(after) == len(kept)
    assert kept - after == {before}


def test_a_wrong_calendar_is_refused_with_a_reason(store: SetStore) -> None:
    with pytest.raises(InvalidError) as caught:
        keep(store, "every week")
    assert caught.value.reason == "CRON_INVALID"


def test_a_season_compares_the_twins_in_the_pool_that_everybody_sees(store: SetStore) -> None:
    keep(store, "@weekly")
    store.clock += 8 * DAY
    tend_leagues(store)
    play_out(store, LEVELS)
    Refit(store, nobody()).refresh()
    with store.read() as session:
        for name in kibitz.games():
            played = select(Tournament.id).where(Tournament.game == name, Tournament.rated)
            assert len(session.scalars(played).all()) == 1
            query = select(Snapshot).where(Snapshot.game == name, Snapshot.tournament_id.is_(None))
            [snapshot] = session.scalars(query)
            [told] = snapshot.payload["insights"]["twins"]
            assert (told["one"], told["two"]) == ("careful/1", "twin/1")
            assert told["elo"] == pytest.approx(0.0, abs=1e-6)
            assert not told["alarm"]

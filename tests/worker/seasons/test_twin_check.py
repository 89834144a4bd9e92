"""The standing check that nobody is favoured: leagues of the house, as a setting wants them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import kibitz
import pytest
from kibitz_worker.errors import InvalidError
from kibitz_worker.house import add_house_bots
from kibitz_worker.leagues.members import leave, members_of
from kibitz_worker.leagues.tending import tend_leagues
from kibitz_worker.leagues.twin_check import bots_of, keep_twin_checks, league_name
from kibitz_worker.refit import Refit
from kibitz_worker.settings import load_settings
from kibitz_worker.store.models import League, LeagueState, Pairing, Snapshot, Tournament
from sqlalchemy import select
from sqlalchemy.orm import undefer

from tests.api.conftest import nobody
from tests.worker.seasons.stage import DAY, SetStore, play_out

LEVELS = {"twin": 1.0, "careful": 1.0, "search": 2.0, "random": 0.0, "dice": 0.0}


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
            assert (league.priority, league.rated, league.joining) == (-5, False, "organiser")
            game = kibitz.game(league.game)
            assert {member.bot.name for member in members_of(session, league)} == set(bots_of(game))
            assert len(bots_of(game)) > game.players  # so that a table need not have both twins


def test_a_check_is_kept_unless_the_setting_is_empty(tmp_path: Path) -> None:
    assert load_settings(data_dir=tmp_path).twin_check == "@weekly"
    with pytest.MonkeyPatch.context() as environment:
        environment.setenv("KIBITZ_TWIN_CHECK", "")
        assert load_settings(data_dir=tmp_path).twin_check == ""


def test_a_check_of_an_earlier_version_goes_on_unrated_and_with_all_bots(store: SetStore) -> None:
    kept = keep(store, "@weekly")
    with store.write() as session:
        [solo] = session.scalars(select(League).where(League.game == "solo_whist"))
        solo.rated, solo.divisions[0].size = True, 4
        leave(session, store.now(session), solo.owner, solo, "dice")
    assert keep(store, "@weekly") == kept
    with store.read() as session:
        [solo] = session.scalars(select(League).where(League.game == "solo_whist"))
        assert (solo.rated, solo.divisions[0].size) == (False, 5)
        assert "dice" in {member.bot.name for member in members_of(session, solo)}


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


def season(store: SetStore, levels: dict[str, float]) -> None:
    store.clock += 7 * DAY
    tend_leagues(store)
    play_out(store, levels)
    Refit(store, nobody()).refresh()


def newest_twins(store: SetStore, game: str) -> tuple[int, dict[str, Any]]:
    """Sets of the newest snapshot of a check, and what it tells of the twins."""
    with store.read() as session:
        query = select(Snapshot).where(Snapshot.game == game).order_by(Snapshot.id.desc())
        snapshot = session.scalars(query.options(undefer(Snapshot.payload))).first()
        assert snapshot is not None
        assert snapshot.tournament_id is not None  # nobody's rating
        twins = {told["one"]: told for told in snapshot.payload["insights"]["twins"]}
        return snapshot.sets, twins["careful/1"]


def test_seasons_are_compared_together_and_rate_nobody(store: SetStore) -> None:
    keep(store, "@weekly")
    season(store, LEVELS)
    first = {}
    for name in kibitz.games():
        _, told = newest_twins(store, name)
        assert (told["two"], told["alarm"]) == ("twin/1", False)
        assert told["elo"] == pytest.approx(0.0, abs=1e-6)
        first[name] = told["error"]
    season(store, LEVELS)
    for name in kibitz.games():
        sets, told = newest_twins(store, name)
        assert sets <= 24
        assert told["error"] < first[name]
    with store.read() as session:
        assert not session.scalars(select(Snapshot).where(Snapshot.tournament_id.is_(None))).all()
        played = select(Tournament.id).where(Tournament.rated)
        assert not session.scalars(played).all()


def test_twins_at_tables_of_four_sit_with_different_others(store: SetStore) -> None:
    keep(store, "@weekly")
    season(store, LEVELS)
    with store.read() as session:
        query = select(Tournament).where(Tournament.game == "solo_whist")
        [played] = session.scalars(query)
        names = {each.number: each.version.bot.name for each in played.entrants}
        rows = session.scalars(select(Pairing.entrants).where(Pairing.tournament_id == played.id))
        tables = [{names[number] for number in row} for row in rows]
    assert len(tables) == 5
    apart = [table - {"careful", "twin"} for table in tables if not {"careful", "twin"} <= table]
    assert apart == [{"random", "search", "dice"}] * 2
    together = [table - {"careful", "twin"} for table in tables if {"careful", "twin"} <= table]
    assert len({frozenset(others) for others in together}) == 3


def test_a_favoured_twin_raises_an_alarm(store: SetStore) -> None:
    keep(store, "@weekly")
    for _ in range(3):
        season(store, {**LEVELS, "twin": 1.5})
    assert newest_twins(store, "german_whist")[1]["alarm"]

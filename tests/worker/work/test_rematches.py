"""A match played again: the same cards and chance, another version in a seat, counted nowhere."""

from __future__ import annotations

from random import Random

import pytest
from kibitz_worker.archiving import check_over
from kibitz_worker.errors import ConflictError, InvalidError
from kibitz_worker.live import Live
from kibitz_worker.refit import Refit
from kibitz_worker.store import Store
from kibitz_worker.store.models import (
    DealSet,
    Match,
    SetState,
    Snapshot,
    Tournament,
    TournamentKind,
    VersionState,
)
from kibitz_worker.store.tournaments import create_tournament
from kibitz_worker.work import rematches
from kibitz_worker.work.plan import plan_set
from kibitz_worker.work.rematches import create_rematch
from redis import Redis
from sqlalchemy import select
from sqlalchemy.orm import Session, undefer

from tests.worker.leagues import SHORT, house_bots, league, owner_named
from tests.worker.store.test_formats import play_some


def played(store: Store, game: str, bots: list[str]) -> str:
    with store.write() as session:
        key = league(session, game, bots, sets=1).id
    play_some(store, key, 1, Random(1))
    return key


def match_of(session: Session, tournament: str, number: int) -> Match:
    query = select(Match).where(Match.tournament_id == tournament, Match.number == number)
    return session.scalars(query.options(undefer(Match.decks))).one()


@pytest.mark.parametrize(
    ("game", "bots", "number"),
    [
        ("german_whist", ["random", "careful"], 1),
        ("whist", ["random", "careful"], 1),
        ("whiskey", ["random", "careful", "search"], 4),
    ],
)
def test_the_cards_and_the_others_are_those_of_the_match(
    store: Store, game: str, bots: list[str], number: int
) -> None:
    key = played(store, game, bots)
    with store.write() as session:
        (newer,) = house_bots(session, ["b9"])
        before = match_of(session, key, number)
        made = create_rematch(session, owner_named(session, "ana"), before, 1, newer)
        assert (made.kind, made.rated, made.planned) == (TournamentKind.REMATCH, False, True)
        deal_set = session.get_one(DealSet, f"{made.id}-0-0")
        plan = plan_set(session, deal_set)
        again = plan_set(session, deal_set)
        (match,) = plan.matches
        assert again.matches == plan.matches
        assert list(match.decks) == before.decks
        assert list(match.seating) == before.seating
        assert (match.half, match.lane) == (0, before.lane)
        names = [plan.names[player] for player in match.seating]
        then = plan_set(session, before.set)
        place = before.seating[1]
        for seat, player in enumerate(before.seating):
            assert names[seat] == ("b9/1" if player == place else then.names[player])
            if player != place:
                assert plan.seeds[plan.players[player]] == then.seeds[then.players[player]]
        made_key = made.id
    play_some(store, made_key, 1, Random(2))
    with store.read() as session:
        done = session.get_one(DealSet, f"{made_key}-0-0")
        assert done.state is SetState.DONE
        assert len(done.scores or []) == len(bots)


def test_it_is_rated_nowhere_and_has_no_archive(store: Store) -> None:
    key = played(store, "german_whist", ["random", "careful"])
    with store.write() as session:
        match = match_of(session, key, 0)
        (newer,) = house_bots(session, ["b9"])
        made = create_rematch(session, owner_named(session, "ana"), match, 0, newer).id
        shown = create_tournament(
            session,
            owner_named(session, "ana"),
            "german_whist",
            house_bots(session, ["random", "careful"]),
            options={"end": SHORT["german_whist"]},
            exhibition=True,
        )
        assert (shown.kind, shown.rated) == (TournamentKind.EXHIBITION, False)
        exhibition = shown.id
    for tournament in (made, exhibition):
        play_some(store, tournament, 1, Random(2))
    Refit(store, Live(Redis.from_url("unix:///nonexistent/redis.sock"))).refresh()
    with store.read() as session:
        fitted = {row.tournament_id: row.sets for row in session.scalars(select(Snapshot))}
        assert fitted == {None: 1, key: 1}
        with pytest.raises(ConflictError) as caught:
            check_over(session, session.get_one(Tournament, made))
        assert caught.value.reason == "NO_DECKS_OF_ITS_OWN"


def test_what_cannot_be_played_again_is_refused_with_a_reason(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = played(store, "german_whist", ["random", "careful"])
    monkeypatch.setattr(rematches, "OPEN_AT_ONCE", 1)
    with store.write() as session:
        owner = owner_named(session, "ana")
        match = match_of(session, key, 0)
        newer, random, careful, whist = house_bots(session, ["b9", "random", "careful", "b8"])
        whist.games = ["whist"]

        def refused(seat: int, version: object) -> str:
            with pytest.raises((ConflictError, InvalidError)) as caught:
                create_rematch(session, owner, match, seat, version)  # type: ignore[arg-type]
            return str(caught.value.reason)

        assert refused(2, newer) == "SEAT_UNKNOWN"
        other = careful if match.seating[0] == 0 else random
        assert refused(0, other) == "ENTRANT_TWICE"
        assert refused(0, whist) == "GAME_NOT_PLAYED"
        other.state = VersionState.QUARANTINED
        assert refused(0, newer) == "VERSION_NOT_ADMITTED"
        other.state = VersionState.ADMITTED
        match.set.state = SetState.LEASED
        assert refused(0, newer) == "DECKS_IN_PLAY"
        match.set.state = SetState.DONE
        create_rematch(session, owner, match, 0, newer)
        assert refused(0, newer) == "TOO_MANY_REMATCHES"

"""What one attempt at a set has to play: the matches, their seats and their decks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import kibitz
from kibitz.errors import KibitzError
from kibitz.fair import Draw, Luck
from kibitz.game import Game
from sqlalchemy import select
from sqlalchemy.orm import Session, undefer

from kibitz_worker.errors import StoreError
from kibitz_worker.schedule.decks import bot_seed
from kibitz_worker.store.models import (
    BotKind,
    DealSet,
    Entrant,
    Match,
    MatchState,
    Pairing,
    Tournament,
)


@dataclass(frozen=True)
class PlannedMatch:
    """A match to play: who sits where (position in the set's players), and its decks.

    The matches of one half have the same decks, up to the names of suits.
    """

    id: str
    half: int
    lane: int
    seating: tuple[int, ...]
    decks: tuple[Luck, ...]


@dataclass(frozen=True)
class SetPlan:
    """A set to play; `players` are the versions in it, `matches` those without a result yet.

    `seeds` holds the seed of each version's own chance; a bot without one is seeded anew each time.
    `twin` is the set whose cards it has, if it has none of its own.
    """

    id: str
    tournament: str
    game: Game
    clock: dict[str, Any]
    policy: str
    players: tuple[int, ...]
    names: tuple[str, ...]
    matches: tuple[PlannedMatch, ...]
    seeds: Mapping[int, str] = field(default_factory=dict, repr=False)
    twin: str | None = None


def plan_set(session: Session, deal_set: DealSet) -> SetPlan:
    """Return what is left to play of a leased set, storing its decks the first time.

    The decks are in the database before the first card is shown, and every later attempt plays
    the same ones.
    """
    tournament = session.get_one(Tournament, deal_set.tournament_id)
    game = rules_of(tournament)
    players = versions_of(session, deal_set)
    matches = list(
        session.scalars(
            select(Match)
            .where(Match.set_id == deal_set.id)
            .order_by(Match.number)
            .options(undefer(Match.decks))
        )
    ) or _add_matches(session, tournament, deal_set, players, game)
    secret = _chance(session, tournament)
    return SetPlan(
        id=deal_set.id,
        tournament=tournament.id,
        game=game,
        clock=tournament.clock,
        policy=tournament.policy,
        players=tuple(entrant.version_id for entrant in players),
        names=tuple(entrant.version.label for entrant in players),
        matches=tuple(
            PlannedMatch(match.id, match.half, match.lane, tuple(match.seating), tuple(match.decks))
            for match in matches
            if match.state is MatchState.WAITING
        ),
        seeds={entrant.version_id: bot_seed(secret, entrant.version_id) for entrant in players},
        twin=deal_set.twin_id,
    )


def rules_of(tournament: Tournament) -> Game:
    """Return the game of a tournament. Raises StoreError (OPTIONS_UNKNOWN) when it is gone."""
    try:
        return kibitz.game(tournament.game, **tournament.options)
    except KibitzError as error:
        raise StoreError(
            f"tournament {tournament.id} cannot be played by this version of Kibitz: {error}",
            reason="OPTIONS_UNKNOWN",
        ) from error


def versions_of(session: Session, deal_set: DealSet) -> list[Entrant]:
    """Return the entrants of a set by their position in its pairing."""
    numbers = session.get_one(Pairing, deal_set.pairing_id).entrants
    query = select(Entrant).where(
        Entrant.tournament_id == deal_set.tournament_id, Entrant.number.in_(numbers)
    )
    found = {entrant.number: entrant for entrant in session.scalars(query)}
    return [found[number] for number in numbers]


def relabels(players: list[Entrant]) -> bool:
    """Return whether suits are exchanged from seating to seating: somebody's process lives on.

    A bot started here is a new process in each seating; one on its owner's machine is not.
    """
    return any(entrant.version.bot.kind is BotKind.SELF_HOSTED for entrant in players)


def _add_matches(
    session: Session,
    tournament: Tournament,
    deal_set: DealSet,
    players: list[Entrant],
    game: Game,
) -> list[Match]:
    if tournament.replays is not None:
        return [_again(session, deal_set, tournament.replays)]
    cards = session.get_one(DealSet, deal_set.twin_id) if deal_set.twin_id else deal_set
    nonces = [entrant.nonce for entrant in versions_of(session, cards)]
    draw = Draw(game, tournament.secret, tournament.id, cards.number, nonces)
    relabel = relabels(players)
    matches = [
        Match(
            id=f"{deal_set.id}-{number}",
            set_id=deal_set.id,
            tournament_id=tournament.id,
            number=number,
            half=seating.half,
            lane=seating.lane,
            seating=list(seating.order),
            state=MatchState.WAITING,
            decks=draw.seated(seating, relabel, again=cards is not deal_set),
        )
        for number, seating in enumerate(kibitz.seatings(game, len(players)))
    ]
    session.add_all(matches)
    session.flush()
    return matches


def _again(session: Session, deal_set: DealSet, match_id: str) -> Match:
    """Add the one match of a rematch: the decks and seats of another match."""
    before = session.get_one(Match, match_id, options=[undefer(Match.decks)])
    match = Match(
        id=f"{deal_set.id}-0",
        set_id=deal_set.id,
        tournament_id=deal_set.tournament_id,
        number=0,
        half=0,
        lane=before.lane,
        seating=before.seating,
        state=MatchState.WAITING,
        decks=before.decks,
    )
    session.add(match)
    session.flush()
    return match


def _chance(session: Session, tournament: Tournament) -> bytes:
    """Return what the chance of bots is drawn from: in a rematch, that of the match before."""
    if tournament.replays is None:
        return tournament.secret
    before = session.get_one(Match, tournament.replays)
    return session.get_one(Tournament, before.tournament_id).secret

"""Writing the archive of a tournament that is over, for anybody to check (`kibitz.archive`)."""

from __future__ import annotations

import json
import os
import tempfile
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from kibitz.archive import FORMAT, ArchiveWriter
from kibitz.archive.checking import standings
from kibitz.totals import Total
from sqlalchemy import func, select
from sqlalchemy.orm import Session, selectinload, undefer

from kibitz_worker.errors import ConflictError
from kibitz_worker.pruning.archived import record_of
from kibitz_worker.store.models import (
    DealSet,
    Entrant,
    Match,
    MatchState,
    Pairing,
    SetState,
    Tournament,
    TournamentState,
)

OVER = frozenset({TournamentState.FINISHED, TournamentState.CANCELLED})
AT_ONCE = 50


def check_over(session: Session, tournament: Tournament) -> None:
    """Make sure that no deck of a tournament can be played any more, so that it may be shown.

    Raises ConflictError (TOURNAMENT_NOT_OVER; NO_DECKS_OF_ITS_OWN for a rematch).
    """
    if tournament.replays is not None:
        raise ConflictError(
            f"tournament {tournament.id} was played with the cards of match {tournament.replays}; "
            "the archive of that one's tournament has them",
            reason="NO_DECKS_OF_ITS_OWN",
        )
    playing = select(func.count()).where(
        DealSet.tournament_id == tournament.id, DealSet.state == SetState.LEASED
    )
    if tournament.state not in OVER or session.scalar(playing):
        raise ConflictError(
            f"tournament {tournament.id} is {tournament.state}; its secret and its records are "
            "published together when the last set is over",
            reason="TOURNAMENT_NOT_OVER",
        )


def write_archive(session: Session, tournament: Tournament, path: Path) -> None:
    """Write the archive of a tournament; an earlier file stays whole until this one is complete.

    Records that the database has forgotten come from an earlier archive in the same folder. Raises
    ConflictError (TOURNAMENT_NOT_OVER) and NotFoundError (RECORD_ARCHIVED) where there is none.
    """
    check_over(session, tournament)
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    os.close(handle)
    temporary = Path(name)
    try:
        with ArchiveWriter(temporary) as archive:
            _write(session, tournament, archive, path.parent)
        temporary.chmod(0o644)
        temporary.replace(path)
    finally:
        temporary.unlink(missing_ok=True)


def _write(session: Session, tournament: Tournament, archive: ArchiveWriter, folder: Path) -> None:
    pairings = select(Pairing).where(Pairing.tournament_id == tournament.id)
    by_id = {pairing.id: pairing for pairing in session.scalars(pairings)}
    totals = {entrant.number: Total() for entrant in tournament.entrants}
    count = 0
    for deal_set in _sets(session, tournament):
        pairing = by_id[deal_set.pairing_id]
        matches = [match for match in deal_set.matches if match.state is MatchState.DONE]
        for match in matches:
            archive.add(f"records/{match.id}.json", record_of(match, folder))
        told = _set(deal_set, pairing, matches, _cards(session, deal_set, by_id))
        archive.add(f"sets/{deal_set.number:06}.json", _text(told))
        if deal_set.state is SetState.DONE:
            _count(deal_set, pairing, totals, partners=tournament.partners_change)
        count += 1
    order = sorted(by_id.values(), key=lambda pairing: pairing.number)
    rows = standings({e.version.label: totals[e.number] for e in tournament.entrants})
    archive.add("tournament.json", _text(_tournament(tournament, order, count, rows)))


def _cards(session: Session, deal_set: DealSet, by_id: dict[int, Pairing]) -> dict[str, int] | None:
    """Tell whose cards a set has, when it has those of another one."""
    if deal_set.twin_id is None:
        return None
    twin = session.get_one(DealSet, deal_set.twin_id)
    return {"set": twin.number, "pairing": by_id[twin.pairing_id].number}


def _sets(session: Session, tournament: Tournament) -> Iterator[DealSet]:
    """Yield the sets with their matches and records, a few at a time in memory."""
    number = 0
    while True:
        query = (
            select(DealSet)
            .where(DealSet.tournament_id == tournament.id, DealSet.number >= number)
            .order_by(DealSet.number)
            .limit(AT_ONCE)
            .options(selectinload(DealSet.matches).options(undefer(Match.record)))
        )
        found = list(session.scalars(query))
        yield from found
        if len(found) < AT_ONCE:
            return
        number = found[-1].number + 1
        for one in found:
            for match in one.matches:
                session.expunge(match)
            session.expunge(one)


def _count(
    deal_set: DealSet, pairing: Pairing, totals: dict[int, Total], *, partners: bool
) -> None:
    scores, margins = deal_set.scores or (), deal_set.margins or ()
    for place, number in enumerate(pairing.entrants):
        totals[number].add(place, scores, margins, deal_set.deals, partners=partners)
    for match in deal_set.matches:
        for forfeit in match.forfeits or ():
            totals[pairing.entrants[match.seating[forfeit["seat"]]]].forfeits += 1


def _set(
    deal_set: DealSet, pairing: Pairing, matches: list[Match], cards: dict[str, int] | None
) -> dict[str, Any]:
    return {
        "id": deal_set.id,
        "number": deal_set.number,
        "pairing": pairing.number,
        "cards": cards,
        "state": str(deal_set.state),
        "reason": deal_set.reason,
        "scores": deal_set.scores,
        "margins": deal_set.margins,
        "deals": deal_set.deals,
        "finished": _moment(deal_set.finished),
        "matches": [
            {
                "id": match.id,
                "number": match.number,
                "half": match.half,
                "lane": match.lane,
                "seating": match.seating,
                "record": match.record_hash,
                "returns": match.returns,
                "totals": match.totals,
                "margins": match.margins,
                "forfeits": [_public(one) for one in match.forfeits or ()],
                "penalties": [_public(one) for one in match.penalties or ()],
                "finished": _moment(match.finished),
            }
            for match in matches
        ],
    }


def _tournament(
    tournament: Tournament, pairings: list[Pairing], sets: int, rows: list[dict[str, Any]]
) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "id": tournament.id,
        "name": tournament.name,
        "game": tournament.game,
        "options": tournament.options,
        "schedule": tournament.format,
        "sets_per_pairing": tournament.sets_per_pairing,
        "clock": tournament.clock,
        "policy": tournament.policy,
        "rated": tournament.rated,
        "state": str(tournament.state),
        "reason": tournament.reason,
        "owner": tournament.owner.name,
        "created": _moment(tournament.created),
        "started": _moment(tournament.started),
        "finished": _moment(tournament.finished),
        "commitment": tournament.commitment,
        "secret": tournament.secret.hex(),
        "entrants": [_entrant(entrant) for entrant in tournament.entrants],
        "pairings": [
            {"number": each.number, "round": each.round, "entrants": each.entrants}
            for each in pairings
        ],
        "sets": sets,
        "standings": rows,
    }


def _entrant(entrant: Entrant) -> dict[str, Any]:
    version = entrant.version
    return {
        "number": entrant.number,
        "label": version.label,
        "kind": str(version.bot.kind),
        "content_hash": version.content_hash,
        "nonce": entrant.nonce,
    }


def _public(failure: dict[str, Any]) -> dict[str, Any]:
    """Return what everybody may know of a failure: not what the bot wrote."""
    shown = ("deal", "seat", "reason", "action")
    return {key: failure[key] for key in shown if key in failure}


def _moment(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()


def _text(value: dict[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)

"""The results of a tournament as rows: read a few sets at a time, whatever its size."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from kibitz_worker.store import Store
from kibitz_worker.store.models import DealSet, Match, MatchState, Pairing, SetState, Tournament
from sqlalchemy import select
from sqlalchemy.orm import selectinload

from kibitz_api.tournaments.queries import labels

AT_ONCE = 200
OVER = (SetState.DONE, SetState.VOID, SetState.ANNULLED)


class SetRow(NamedTuple):
    """A set that is over, with what is known of its matches; `players` are labels by place."""

    deal_set: DealSet
    round: int
    entrants: list[int]
    players: list[str]
    matches: list[Match]


def sets_over(
    store: Store, tournament: Tournament, states: tuple[SetState, ...] = OVER
) -> Iterator[SetRow]:
    """Yield the sets in these states by number; nothing of the database is held in between."""
    names = labels(tournament)
    number = 0
    while True:
        query = (
            select(DealSet, Pairing)
            .join(Pairing, Pairing.id == DealSet.pairing_id)
            .where(DealSet.tournament_id == tournament.id, DealSet.number >= number)
            .where(DealSet.state.in_(states))
            .order_by(DealSet.number)
            .limit(AT_ONCE)
            .options(selectinload(DealSet.matches))
        )
        with store.read() as session:
            found = session.execute(query).all()
        for deal_set, pairing in found:
            done = [match for match in deal_set.matches if match.state is MatchState.DONE]
            players = [names[n] for n in pairing.entrants]
            yield SetRow(deal_set, pairing.round + 1, pairing.entrants, players, done)
        if len(found) < AT_ONCE:
            return
        number = found[-1][0].number + 1


SET_COLUMNS = (
    "set",
    "number",
    "round",
    "player",
    "entrant",
    "score",
    "margin",
    "deals",
    "forfeits",
    "finished",
)
SEAT_COLUMNS = (
    "set",
    "number",
    "round",
    "match",
    "half",
    "lane",
    "seat",
    "player",
    "entrant",
    "score",
    "returns",
    "margin",
    "deals",
    "forfeits",
    "penalties",
    "finished",
)


def set_rows(row: SetRow) -> Iterator[list[object]]:
    """Yield a row for every player of a finished set, as `SET_COLUMNS` names its cells."""
    one = row.deal_set
    lost = [0] * len(row.players)
    for match in row.matches:
        for forfeit in match.forfeits or ():
            lost[match.seating[forfeit["seat"]]] += 1
    for place, label in enumerate(row.players):
        score, margin = _of(one.scores, place), _of(one.margins, place)
        yield [
            *(one.id, one.number, row.round, label, row.entrants[place]),
            *(score, margin, one.deals, lost[place], moment(one.finished)),
        ]


def seat_rows(row: SetRow) -> Iterator[list[object]]:
    """Yield a row for every seat of every match of a set, as `SEAT_COLUMNS` names its cells."""
    one = row.deal_set
    for match in row.matches:
        lost = [forfeit["seat"] for forfeit in match.forfeits or ()]
        fined = [penalty["seat"] for penalty in match.penalties or ()]
        for seat, place in enumerate(match.seating):
            yield [
                *(one.id, one.number, row.round, match.id, match.half, match.lane, seat),
                *(row.players[place], row.entrants[place], _of(match.totals, seat)),
                *(_of(match.returns, seat), _of(match.margins, seat), match.deals),
                *(lost.count(seat), fined.count(seat), moment(match.finished)),
            ]


def set_json(row: SetRow) -> dict[str, Any]:
    """Tell a set with all its matches, as in the export as JSON."""
    one = row.deal_set
    return {
        "id": one.id,
        "number": one.number,
        "round": row.round,
        "state": one.state.value,
        "reason": one.reason,
        "players": row.players,
        "entrants": row.entrants,
        "scores": one.scores,
        "margins": one.margins,
        "deals": one.deals,
        "finished": moment(one.finished),
        "matches": [_match_json(match) for match in row.matches],
    }


def _match_json(match: Match) -> dict[str, Any]:
    return {
        "id": match.id,
        "half": match.half,
        "lane": match.lane,
        "seating": match.seating,
        "totals": match.totals,
        "returns": match.returns,
        "margins": match.margins,
        "deals": match.deals,
        "forfeits": [
            {key: forfeit[key] for key in ("deal", "seat", "reason")}
            for forfeit in match.forfeits or ()
        ],
        "penalties": len(match.penalties or ()),
        "finished": moment(match.finished),
    }


def moment(at: datetime | None) -> str | None:
    """Return a time in ISO 8601."""
    return None if at is None else at.isoformat()


def _of(values: list[float] | None, place: int) -> float | None:
    return None if values is None else values[place]

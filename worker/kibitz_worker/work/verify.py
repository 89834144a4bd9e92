"""Checking a reported match before it counts: replayed, re-scored, and held against the plan."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

from kibitz.errors import KibitzError
from kibitz.match import whole
from kibitz.record import Record
from kibitz.seal import sealed
from kibitz.totals import margins

from kibitz_worker.errors import ReportError
from kibitz_worker.store.ids import sha256_hex
from kibitz_worker.work.ledger import Entry, ledger_of
from kibitz_worker.work.plan import PlannedMatch, SetPlan


@dataclass(frozen=True)
class Reported:
    """What the referee says of a finished match."""

    match_id: str
    record: str
    returns: tuple[float, ...]
    forfeits: tuple[dict[str, Any], ...] = ()
    penalties: tuple[dict[str, Any], ...] = ()


@dataclass(frozen=True)
class Checked:
    """A match that holds: its numbers come from the replay, not from the report."""

    match_id: str
    record: str
    record_hash: str
    deals: int
    returns: tuple[float, ...]
    totals: tuple[float, ...]
    margins: tuple[float, ...]
    forfeits: tuple[dict[str, Any], ...] = ()
    penalties: tuple[dict[str, Any], ...] = ()
    ledger: tuple[Entry, ...] = ()


def check(plan: SetPlan, reported: Reported) -> Checked:
    """Replay a reported match and compare it with what was to be played; seal its record.

    Raises ReportError: MATCH_UNKNOWN, RECORD_WRONG (it does not replay), RECORD_DIFFERS (another
    game, seats or decks than planned), UNRATED (played without the clocks that were planned),
    RESULT_WRONG (the returns are not those of the record).
    """
    match = next((match for match in plan.matches if match.id == reported.match_id), None)
    if match is None:
        raise ReportError(
            f"set {plan.id} has no match {reported.match_id!r} to play", reason="MATCH_UNKNOWN"
        )
    try:
        record = Record.from_json(reported.record)
        replayed = record.verify()
    except KibitzError as error:
        raise ReportError(
            f"the record of match {match.id} does not hold: {error}", reason="RECORD_WRONG"
        ) from error
    _compare(plan, match, record)
    if not replayed.over or replayed.returns is None:
        raise ReportError(f"match {match.id} is not over", reason="RECORD_WRONG")
    if list(whole(replayed.returns)) != list(whole(reported.returns)):
        raise ReportError(
            f"match {match.id} returns {whole(reported.returns)}, its record gives "
            f"{whole(replayed.returns)}",
            reason="RESULT_WRONG",
        )
    text = Record(sealed(record.data, replayed)).to_json()
    return Checked(
        match_id=match.id,
        record=text,
        record_hash=sha256_hex(text),
        deals=replayed.number,
        returns=tuple(whole(replayed.returns)),
        totals=tuple(whole(replayed.totals)),
        margins=margins(replayed.results),
        forfeits=reported.forfeits,
        penalties=reported.penalties,
        ledger=tuple(ledger_of(replayed)),
    )


CORE = ("game", "options", "seats", "totals", "returns")
CORE_OF_DEAL = ("number", "dealer", "deck", "cut", "actions", "scores", "forfeit")


def play_of(record: str) -> dict[str, Any]:
    """Return what was played and how it ended: the record without thinking times and the like."""
    data = json.loads(record)
    deals = [{key: deal.get(key) for key in CORE_OF_DEAL} for deal in data["deals"]]
    return {key: data.get(key) for key in CORE} | {"deals": deals}


def _compare(plan: SetPlan, match: PlannedMatch, record: Record) -> None:
    names = [plan.names[player] for player in match.seating]
    decks = [{"deck": deal["deck"], "cut": deal["cut"]} for deal in record.deals]
    timed = not plan.clock.get("untimed", False)
    if timed and record.data.get("rated") is False:
        raise ReportError(
            f"match {match.id} was played without clocks and cannot count here", reason="UNRATED"
        )
    for what, found, wanted in (
        ("game", record.game, plan.game),
        ("seats", record.seats, names),
        ("decks", decks, [dict(luck) for luck in match.decks]),
    ):
        if found != wanted:
            raise ReportError(
                f"the record of match {match.id} has other {what} than were to be played",
                reason="RECORD_DIFFERS",
            )

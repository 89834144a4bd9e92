"""What a bot heard and said at its seat, for its owner: one JSON object a line."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime

from google.protobuf.json_format import MessageToDict
from kibitz.v1 import log_pb2
from kibitz_worker.store.models import BotKind, Match, SeatMessages, Version
from kibitz_worker.work.messages import messages_of
from sqlalchemy import select
from sqlalchemy.orm import Session

from kibitz_api.context import Person
from kibitz_api.errors import ForbiddenError, NotFoundError
from kibitz_api.matches.queries import is_open, players, require_open


def owned_log(session: Session, match: Match, seat: int, person: Person) -> log_pb2.MessageLog:
    """The log of a seat whose bot is the person's own, or of the house in the person's tournament.

    Raises NotFoundError (there is no such seat, or nothing was kept), ForbiddenError (another's
    bot), ConflictError (the decks are in play still).
    """
    if seat >= len(match.seating):
        raise NotFoundError("seat", seat, where="path.seat")
    if not _may_read(match, players(session, match.set)[match.seating[seat]], person):
        raise ForbiddenError(
            "NOT_YOUR_BOT", "Only the owner of a bot may read what it heard and said."
        )
    require_open(match)
    log = messages_of(session, match.id, seat)
    if log is None:
        raise NotFoundError("messages", f"of seat {seat}", where="path.seat")
    return log


def own_seats(session: Session, match: Match, person: Person | None) -> list[int]:
    """The seats of a match whose messages this person can fetch."""
    if person is None or not is_open(match):
        return []
    versions = players(session, match.set)
    kept = select(SeatMessages.seat).where(SeatMessages.match_id == match.id)
    return [
        seat
        for seat in sorted(session.scalars(kept))
        if _may_read(match, versions[match.seating[seat]], person)
    ]


def _may_read(match: Match, version: Version, person: Person) -> bool:
    """Bots of the house have no owner: who made the tournament may see why one failed in it."""
    owner = version.bot.owner_id
    if version.bot.kind is BotKind.HOUSE:
        owner = match.set.tournament.owner_id
    return owner == person.id


def lines(match: Match, seat: int, log: log_pb2.MessageLog) -> Iterator[str]:
    """Tell a log: first what it is of, then a line for each message."""
    about = {"match": match.id, "seat": seat, "left_out": log.left_out}
    yield json.dumps(about) + "\n"
    for entry in log.messages:
        kind = entry.WhichOneof("entry") or "note"
        moment = datetime.fromtimestamp(entry.time_us / 1e6, UTC)
        told: object = entry.note
        if kind != "note":
            told = MessageToDict(getattr(entry, kind), preserving_proto_field_name=True)
        line = {"time": moment.isoformat(timespec="microseconds"), kind: told}
        if entry.HasField("measured_us"):
            line["measured_us"] = entry.measured_us
        yield json.dumps(line, ensure_ascii=False) + "\n"

"""What owners of bots add to the luck of their sets: after the commitment, before play."""

from __future__ import annotations

from kibitz.fair import NONCE
from sqlalchemy import select
from sqlalchemy.orm import Session

from kibitz_worker.errors import ConflictError, InvalidError
from kibitz_worker.store.models import BotKind, Entrant
from kibitz_worker.store.tournaments import tournament_with_id


def contribute(
    session: Session, owner: str, tournament_id: str, nonce: str, entrant: str | None = None
) -> list[Entrant]:
    """Give a nonce to the bots that somebody has in a tournament; return these entrants.

    With `entrant`, the label of a version or of its bot, only to that one. A later nonce replaces
    an earlier one, until the tournament is started.

    Raises NotFoundError (TOURNAMENT_UNKNOWN), InvalidError (NONCE_INVALID, ENTRANT_UNKNOWN: the
    owner has no such bot in it) and ConflictError (ENTRIES_LOCKED).
    """
    if not NONCE.fullmatch(nonce):
        raise InvalidError(
            "a nonce is 1 to 64 letters, digits, '_', '.' or '-', such as 32 hexadecimal digits",
            reason="NONCE_INVALID",
        )
    tournament = tournament_with_id(session, tournament_id)
    if tournament.started is not None or tournament.finished is not None:
        raise ConflictError(
            f"tournament {tournament.id} has begun, and its decks are settled; nonces are added "
            "between its creation (start=false) and its start",
            reason="ENTRIES_LOCKED",
        )
    chosen = _entrants(session, owner, tournament.id, entrant)
    for each in chosen:
        each.nonce = nonce
    session.flush()
    return chosen


def _entrants(session: Session, owner: str, tournament_id: str, label: str | None) -> list[Entrant]:
    query = select(Entrant).where(Entrant.tournament_id == tournament_id).order_by(Entrant.number)
    own = [
        each
        for each in session.scalars(query)
        if each.version.bot.kind is not BotKind.HOUSE and each.version.bot.owner.name == owner
    ]
    if label is None:
        return own
    found = [each for each in own if label in {each.version.label, each.version.bot.label}]
    if not found:
        known = ", ".join(each.version.label for each in own) or "none"
        raise InvalidError(
            f"{label[:130]!r} is no bot of yours in tournament {tournament_id}; yours: {known}",
            reason="ENTRANT_UNKNOWN",
        )
    return found

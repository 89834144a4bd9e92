"""Self-hosted bots: the referee is told their tokens, and who is connected is noted."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import kibitz
import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from kibitz_worker.errors import StoreError
from kibitz_worker.play.referee import Referee
from kibitz_worker.store import Store
from kibitz_worker.store.bots import host_version
from kibitz_worker.store.models import Token

WRITE_EVERY = timedelta(seconds=5)
"""How old the note of a connected bot may become; `filling.PRESENT` must be longer."""

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Guest:
    """A connected self-hosted bot as the referee tells of it."""

    token_sha256: str
    bot: str
    games: tuple[str, ...]


class Presence:
    """Keeps the referee's list of tokens and the store's list of connected bots in step."""

    def __init__(self, store: Store, referee: Referee) -> None:
        self._store = store
        self._referee = referee
        self._ours: set[str] = set()
        self._noted: dict[Guest, datetime] = {}

    async def look(self) -> None:
        """Admit new tokens, dismiss revoked ones, note who is connected.

        Raises RefereeError and StoreError.
        """
        tokens = self._tokens()
        answer = await self._referee.presence()
        known = {player.token_sha256 for player in answer.players}
        if missing := {token: label for token, label in tokens.items() if token not in known}:
            await self._referee.admit(missing)
        if revoked := self._ours - set(tokens):
            await self._referee.dismiss(revoked)
        self._ours = set(tokens)
        self._note(
            Guest(player.token_sha256, player.bot, tuple(sorted(player.games)))
            for player in answer.players
            if player.connected and player.token_sha256 in tokens
        )

    def _tokens(self) -> dict[str, str]:
        with self._store.read() as session:
            query = select(Token).where(Token.revoked.is_(None))
            return {token.sha256: token.user.name for token in session.scalars(query)}

    def _note(self, guests: Iterable[Guest]) -> None:
        here = list(guests)
        self._noted = {guest: self._noted[guest] for guest in here if guest in self._noted}
        if not here:
            return
        with self._store.read() as session:
            now = self._store.now(session)
        stale = [g for g in here if g not in self._noted or now - self._noted[g] >= WRITE_EVERY]
        for guest in stale:
            self._noted[guest] = now
            try:
                with self._store.write() as session:
                    note_guest(session, self._store.now(session), guest)
            except StoreError as error:
                log.warning("a connected bot cannot be entered", bot=guest.bot, error=str(error))


def note_guest(session: Session, now: datetime, guest: Guest) -> None:
    """Write that a self-hosted bot is connected, as a new bot or version where it is one.

    Raises ConflictError (BOT_KIND_DIFFERS) when its owner has another kind of bot of that name.
    """
    token = session.scalar(select(Token).where(Token.sha256 == guest.token_sha256))
    if token is None or token.revoked is not None:
        return
    version = host_version(session, token.user, bot_name(guest.bot), played(guest.games))
    version.token_id = token.id
    version.seen = now


def bot_name(said: str) -> str:
    """Return the name for what a bot calls itself: ASCII letters, digits, dashes."""
    plain = unicodedata.normalize("NFKD", said).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9_]+", "-", plain).strip("-_")[:40].strip("-_") or "bot"


def played(games: Sequence[str]) -> list[str]:
    """Return which of the games named exist here; a bot that names none plays all."""
    known = list(kibitz.games())
    return [game for game in known if game in games] if games else known

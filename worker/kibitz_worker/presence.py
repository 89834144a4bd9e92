"""Self-hosted bots: the referee is told their tokens, and who is connected is noted."""

from __future__ import annotations

import asyncio
import re
import time
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import kibitz
import structlog
from sqlalchemy import select
from sqlalchemy.orm import Session

from kibitz_worker.errors import QueueServerError, StoreError
from kibitz_worker.halls import NOTE_EVERY, NOTED_SECONDS, HallNote
from kibitz_worker.play.referee import Referee
from kibitz_worker.store import Store
from kibitz_worker.store.bots import host_version
from kibitz_worker.store.models import Token

WRITE_EVERY = timedelta(seconds=5)
"""How old the note of a connected bot may become; `filling.PRESENT` must be longer."""

TAKEN_SECONDS = 2 * NOTED_SECONDS

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Guest:
    """A connected self-hosted bot as the referee tells of it."""

    token_sha256: str
    bot: str
    games: tuple[str, ...]


class Presence:
    """Keeps in step: the referee's tokens, the store's bots, the hall's note in Redis."""

    def __init__(self, store: Store, referee: Referee, note: HallNote) -> None:
        self._store = store
        self._referee = referee
        self._note = note
        self._ours: set[str] = set()
        self._entered: dict[Guest, tuple[datetime, int]] = {}
        self._said: frozenset[int] | None = None
        self._note_at = 0.0
        self._taken_since: float | None = None

    async def look(self) -> None:
        """Admit new tokens, dismiss revoked ones, note who is connected.

        Raises RefereeError, StoreError and QueueServerError.
        """
        tokens = await asyncio.to_thread(self._tokens)
        answer = await self._referee.presence()
        known = {player.token_sha256 for player in answer.players}
        if missing := {token: label for token, label in tokens.items() if token not in known}:
            await self._referee.admit(missing, owners=missing)
        if revoked := self._ours - set(tokens):
            await self._referee.dismiss(revoked)
        self._ours = set(tokens)
        guests = [
            Guest(player.token_sha256, player.bot, tuple(sorted(player.games)))
            for player in answer.players
            if player.connected and player.token_sha256 in tokens
        ]
        await asyncio.to_thread(self._tell, guests)

    async def leave(self) -> None:
        """Take the note away, since nobody looks after this referee any more."""
        try:
            await asyncio.to_thread(self._note.take_away)
        except QueueServerError as error:
            log.warning("the note of this machine lapses by itself", error=str(error))

    def _tell(self, guests: Iterable[Guest]) -> None:
        here = frozenset(self._enter(guests))
        now = time.monotonic()
        if here == self._said and now < self._note_at:
            return
        if self._note.write(here):
            self._said, self._note_at, self._taken_since = here, now + NOTE_EVERY, None
            return
        self._taken_since = self._taken_since or now
        if now - self._taken_since > TAKEN_SECONDS:  # not the note of one that has just died
            self._taken_since = now
            log.warning(
                "two machines have the same name; give one of them KIBITZ_HOST_NAME",
                name=self._note.name,
            )

    def _tokens(self) -> dict[str, str]:
        with self._store.read() as session:
            query = select(Token).where(Token.revoked.is_(None))
            return {token.sha256: token.user.name for token in session.scalars(query)}

    def _enter(self, guests: Iterable[Guest]) -> Iterator[int]:
        """Yield the versions of those who are here; enter them in the store now and then."""
        here = list(guests)
        self._entered = {guest: self._entered[guest] for guest in here if guest in self._entered}
        if not here:
            return
        with self._store.read() as session:
            now = self._store.now(session)
        for guest in here:
            entered = self._entered.get(guest)
            if entered is None or now - entered[0] >= WRITE_EVERY:
                try:
                    with self._store.write() as session:
                        version = note_guest(session, self._store.now(session), guest)
                except StoreError as error:
                    log.warning("a bot cannot be entered", bot=guest.bot, error=str(error))
                    continue
                if version is None:
                    continue
                entered = self._entered[guest] = (now, version)
            yield entered[1]


def note_guest(session: Session, now: datetime, guest: Guest) -> int | None:
    """Write that a self-hosted bot is connected, as a new bot or version where it is one.

    Returns the version's id; None when the token has just been revoked.

    Raises ConflictError (BOT_KIND_DIFFERS) when its owner has another kind of bot of that name.
    """
    token = session.scalar(select(Token).where(Token.sha256 == guest.token_sha256))
    if token is None or token.revoked is not None:
        return None
    version = host_version(session, token.user, bot_name(guest.bot), played(guest.games))
    version.token_id = token.id
    version.seen = now
    return version.id


def bot_name(said: str) -> str:
    """Return the name for what a bot calls itself: ASCII letters, digits, dashes."""
    plain = unicodedata.normalize("NFKD", said).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9_]+", "-", plain).strip("-_")[:40].strip("-_") or "bot"


def played(games: Sequence[str]) -> list[str]:
    """Return which of the games named exist here; a bot that names none plays all."""
    known = list(kibitz.games())
    return [game for game in known if game in games] if games else known

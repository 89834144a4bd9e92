"""Small leagues to test with."""

from __future__ import annotations

from collections.abc import Sequence

from kibitz_worker.errors import NotFoundError
from kibitz_worker.store.accounts import create_user, user_named
from kibitz_worker.store.bots import add_house_bot
from kibitz_worker.store.models import Tournament, User, Version
from kibitz_worker.store.tournaments import create_tournament
from sqlalchemy.orm import Session

SHORT = {"german_whist": "hands:2", "whist": "deals:4", "whiskey": "deals:3"}
GAMES = list(SHORT)


def house_bots(session: Session, names: Sequence[str]) -> list[Version]:
    return [add_house_bot(session, name, name, f"hash of {name}", GAMES) for name in names]


def owner_named(session: Session, name: str) -> User:
    try:
        return user_named(session, name)
    except NotFoundError:
        return create_user(session, name)


def league(
    session: Session,
    game: str = "german_whist",
    bots: Sequence[str] = ("random", "careful"),
    *,
    sets: int = 2,
    end: str = "",
) -> Tournament:
    owner = owner_named(session, "ana")
    versions = house_bots(session, bots)
    return create_tournament(
        session, owner, game, versions, options={"end": end or SHORT[game]}, sets_per_pairing=sets
    )

"""Users and tokens."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from kibitz_worker.errors import ConflictError, NotFoundError
from kibitz_worker.store.ids import new_token, sha256_hex
from kibitz_worker.store.models import Token, User
from kibitz_worker.store.moments import database_now
from kibitz_worker.store.names import HOUSE, check_name, check_title


def create_user(session: Session, name: str) -> User:
    """Add a user.

    Raises InvalidError (NAME_INVALID) or ConflictError (NAME_TAKEN, NAME_RESERVED).
    """
    check_name(name, "user")
    if name == HOUSE:
        raise ConflictError(f"the name {name!r} belongs to the house", reason="NAME_RESERVED")
    if session.scalar(select(User).where(User.name == name)) is not None:
        raise ConflictError(f"there is a user {name!r} already", reason="NAME_TAKEN")
    user = User(name=name, created=database_now(session))
    session.add(user)
    session.flush()
    return user


def user_named(session: Session, name: str) -> User:
    """Return a user by name. Raises NotFoundError (USER_UNKNOWN)."""
    user = session.scalar(select(User).where(User.name == name))
    if user is None:
        raise NotFoundError(f"there is no user {name[:60]!r}", reason="USER_UNKNOWN")
    return user


def house(session: Session) -> User:
    """Return the user who owns the house bots, adding it the first time."""
    user = session.scalar(select(User).where(User.name == HOUSE))
    if user is None:
        user = User(name=HOUSE, created=database_now(session))
        session.add(user)
        session.flush()
    return user


def create_token(session: Session, user: User, name: str) -> tuple[Token, str]:
    """Give a user a token; return the row and the secret text, which is not kept.

    Raises InvalidError (TITLE_INVALID).
    """
    text = new_token()
    token = add_token(session, user, name, text)
    return token, text


def add_token(session: Session, user: User, name: str, text: str) -> Token:
    """Register a token text that exists already (a token file that survived its database)."""
    token = Token(
        user_id=user.id,
        sha256=sha256_hex(text),
        name=check_title(name, "token name", 80),
        created=database_now(session),
    )
    session.add(token)
    session.flush()
    return token


def user_of_token(session: Session, text: str) -> User | None:
    """Return whose token this is; None for unknown and revoked ones."""
    found = select(Token).where(Token.sha256 == sha256_hex(text), Token.revoked.is_(None))
    token = session.scalar(found)
    return None if token is None else token.user


def revoke_token(session: Session, token_id: int) -> Token:
    """Make a token worthless; once more is fine. Raises NotFoundError (TOKEN_UNKNOWN)."""
    token = session.get(Token, token_id)
    if token is None:
        raise NotFoundError(f"there is no token {token_id}", reason="TOKEN_UNKNOWN")
    if token.revoked is None:
        token.revoked = database_now(session)
    return token

"""The tokens of a user: listed, made and revoked by their owner."""

from __future__ import annotations

from sqlalchemy import select
from sqlalchemy.orm import Session

from kibitz_worker.errors import ConflictError, NotFoundError
from kibitz_worker.store.accounts import create_token, revoke_token
from kibitz_worker.store.models import Token, User

MOST_TOKENS = 50
"""A user's tokens that are not revoked."""


def tokens_of(session: Session, user: User) -> list[Token]:
    """Return the tokens that still open something, the oldest first."""
    query = select(Token).where(Token.user_id == user.id, Token.revoked.is_(None))
    return list(session.scalars(query.order_by(Token.id)))


def make_token(session: Session, user: User, name: str) -> tuple[Token, str]:
    """Give a user a further token; return it and its text, which is told this once.

    Raises InvalidError (TITLE_INVALID) and ConflictError (TOO_MANY_TOKENS).
    """
    if len(tokens_of(session, user)) >= MOST_TOKENS:
        raise ConflictError(
            f"{user.name} has {MOST_TOKENS} tokens; revoke one that is not used any more",
            reason="TOO_MANY_TOKENS",
        )
    return create_token(session, user, name)


def revoke_own(session: Session, user: User, token_id: int) -> Token:
    """Make a token of a user worthless. Raises NotFoundError (TOKEN_UNKNOWN) for anybody else's."""
    token = session.get(Token, token_id)
    if token is None or token.user_id != user.id:
        raise NotFoundError(f"you have no token {token_id}", reason="TOKEN_UNKNOWN")
    return revoke_token(session, token_id)

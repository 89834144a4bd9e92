"""The secret of a tournament, and what is drawn from it beside the decks (`kibitz.fair`)."""

from __future__ import annotations

import hashlib
import hmac
import secrets

from kibitz.fair import SECRET_BYTES, commitment

__all__ = ["bot_seed", "commitment", "new_secret"]


def new_secret() -> bytes:
    """Return 256 random bits."""
    return secrets.token_bytes(SECRET_BYTES)


def bot_seed(secret: bytes, version: int) -> str:
    """Return the seed of a version's own chance in a tournament.

    It is the same at every attempt, so that a set played again ends the same, and tells a bot
    nothing of the decks or of the chance of others.
    """
    return hmac.new(secret, f"bot {version}".encode(), hashlib.sha256).hexdigest()

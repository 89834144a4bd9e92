"""Identifiers and secrets."""

from __future__ import annotations

import hashlib
import secrets

LETTERS = "23456789abcdefghjkmnpqrstvwxyz"
"""Digits and letters that are not mistaken for one another when read aloud or typed."""


def short_id(length: int = 8) -> str:
    """Return a random id for addresses people see; 8 letters are about 39 bits."""
    return "".join(secrets.choice(LETTERS) for _ in range(length))


def new_token() -> str:
    """Return the text of a new token: ``kbz_`` and 43 letters, 256 random bits."""
    return "kbz_" + secrets.token_urlsafe(32)


def sha256_hex(value: str | bytes) -> str:
    """Return the SHA-256 of a text (as UTF-8) or of bytes, 64 hexadecimal digits."""
    return hashlib.sha256(value.encode() if isinstance(value, str) else value).hexdigest()

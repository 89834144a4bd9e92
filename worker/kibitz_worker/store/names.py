"""What users, bots and tournaments may be called."""

from __future__ import annotations

import re
import unicodedata

from kibitz_worker.errors import InvalidError

NAME = re.compile(r"[a-z0-9](?:[a-z0-9_-]{0,38}[a-z0-9])?")
HOUSE = "house"
"""The user who owns the bots that come with Kibitz."""


def check_name(name: str, what: str) -> str:
    """Return `name` when it may name a user or bot; it becomes part of labels and addresses.

    Raises InvalidError (NAME_INVALID).
    """
    if not NAME.fullmatch(name):
        raise InvalidError(
            f"{what} {name[:60]!r}: names are 1 to 40 of a-z, 0-9, '-' and '_', "
            "beginning and ending with a letter or digit",
            reason="NAME_INVALID",
        )
    return name


def check_title(title: str, what: str, limit: int = 120) -> str:
    """Return the text trimmed when it is printable, on one line and not too long.

    Raises InvalidError (TITLE_INVALID).
    """
    title = unicodedata.normalize("NFC", title).strip()
    if not title or len(title) > limit or not title.isprintable():
        raise InvalidError(
            f"{what}: give one line of 1 to {limit} printable characters", reason="TITLE_INVALID"
        )
    return title

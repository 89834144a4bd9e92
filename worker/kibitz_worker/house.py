"""The bots that come with Kibitz, entered in the store as bots of the house."""

from __future__ import annotations

import hashlib
import importlib.util
from importlib.metadata import version
from pathlib import Path

import kibitz
from kibitz.loading import SHIPPED
from sqlalchemy.orm import Session

from kibitz_worker.store.bots import add_house_bot
from kibitz_worker.store.models import Version


def add_house_bots(session: Session) -> list[Version]:
    """Enter the shipped bots; one whose code has changed gets a new version."""
    games = list(kibitz.games())
    return [add_house_bot(session, name, name, code_hash(name), games) for name in SHIPPED]


def code_hash(name: str) -> str:
    """Return what tells versions of a shipped bot apart: the release and the bot's own module."""
    module = SHIPPED[name].partition(":")[0]
    spec = importlib.util.find_spec(module)
    source = Path(spec.origin).read_bytes() if spec and spec.origin else b""
    return hashlib.sha256(
        version("kibitz").encode() + b"\0" + name.encode() + b"\0" + source
    ).hexdigest()

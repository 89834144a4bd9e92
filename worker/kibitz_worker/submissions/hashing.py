"""The identity of a bot's version: a hash of what it consists of."""

import hashlib
from collections.abc import Mapping
from pathlib import Path

VERSION = b"kibitz-bot/1\n"


def content_hash(files: Mapping[str, bytes]) -> str:
    """SHA-256, in hex, over the sorted paths and contents, however they were packed.

    Hashed is the line `kibitz-bot/1`, then per file a line with the hex SHA-256 of the content, a
    space and the path.
    """
    total = hashlib.sha256(VERSION)
    for name in sorted(files):
        total.update(f"{hashlib.sha256(files[name]).hexdigest()} {name}\n".encode())
    return total.hexdigest()


def folder_hash(folder: Path) -> str:
    """The content hash of what lies in a folder now."""
    paths = (path for path in folder.rglob("*") if path.is_file() or path.is_symlink())
    return content_hash({p.relative_to(folder).as_posix(): _read(p) for p in paths})


def _read(path: Path) -> bytes:
    return b"" if path.is_symlink() else path.read_bytes()

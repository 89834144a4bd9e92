"""Where tokens are kept: one file of the user's own, readable by nobody else."""

from __future__ import annotations

import json
import os
from pathlib import Path
from urllib.parse import urlsplit

from kibitz.cli.failures import CommandError

LOOPBACK = frozenset({"localhost", "127.0.0.1", "::1"})


def file() -> Path:
    """Return where tokens are kept: ``kibitz/tokens.json`` in the user's configuration folder."""
    folder = os.environ.get("XDG_CONFIG_HOME")
    return (Path(folder) if folder else Path.home() / ".config") / "kibitz" / "tokens.json"


def normal(url: str) -> str:
    """Return a server's address in one spelling: ``http://host:port`` without a slash at the end.

    Raises:
        CommandError: it is no address of a server.
    """
    text = url.strip()
    parts = urlsplit(text if "://" in text else f"http://{text}")
    try:
        port = parts.port
    except ValueError:
        port = -1
    if parts.scheme not in {"http", "https"} or not parts.hostname or port == -1:
        raise CommandError(
            f"{url!r} is no address of a server; it looks like http://localhost:8000",
            reason="BAD_ADDRESS",
        )
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path.rstrip('/')}"


def _load() -> dict[str, str]:
    try:
        known = json.loads(file().read_text("utf-8"))
    except FileNotFoundError:
        return {}
    except ValueError as error:
        raise CommandError(f"{file()} is broken: {error}", reason="TOKENS_UNREADABLE") from error
    if not isinstance(known, dict):
        raise CommandError(f"{file()} is broken: no JSON object", reason="TOKENS_UNREADABLE")
    return {str(url): str(token) for url, token in known.items()}


def save(url: str, token: str) -> Path:
    """Keep the token of a server; return the file it is kept in."""
    tokens = {**_load(), url: token}
    target = file()
    target.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
    part = target.with_name(f"{target.name}.{os.getpid()}")
    handle = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(handle, "w", encoding="utf-8") as stream:
        json.dump(tokens, stream, indent=1)
    part.replace(target)
    return target


def find(url: str) -> str | None:
    """Return the token for a server: of ``KIBITZ_TOKEN``, of ``kibitz login``, or of this machine.

    A local installation writes its token to ``token`` in its data folder (``KIBITZ_DATA_DIR``, or
    ``.kibitz`` here, or the user's data folder); it is read for an address of this machine only.
    """
    given = os.environ.get("KIBITZ_TOKEN", "").strip()
    if given:
        return given
    known = _load().get(url)
    if known or urlsplit(url).hostname not in LOOPBACK:
        return known
    try:
        return (_data_dir() / "token").read_text("utf-8").strip() or None
    except (OSError, UnicodeDecodeError):
        return None


def of_host(address: str) -> str | None:
    """Return the token for a referee at ``HOST:PORT`` or ``unix:/path``: the one kept for its host.

    None where tokens for several servers of the host are kept, since one must not see another's.
    """
    host = "localhost" if address.startswith("unix:") else address.rpartition(":")[0].strip("[]")
    hosts = LOOPBACK if host in LOOPBACK else {host}
    kept = {token for url, token in _load().items() if urlsplit(url).hostname in hosts}
    if kept:
        return kept.pop() if len(kept) == 1 else None
    return find(f"http://{host}") if host in LOOPBACK else None


def _data_dir() -> Path:
    given = os.environ.get("KIBITZ_DATA_DIR")
    if given:
        return Path(given).expanduser()
    here = Path(".kibitz")
    if here.is_dir():
        return here
    base = os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share"
    return Path(base) / "kibitz"

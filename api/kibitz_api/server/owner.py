"""The owner of an installation: the user whose token lies in the data folder."""

import os
import sys
from pathlib import Path
from urllib.parse import quote

from kibitz_worker.store import Store
from kibitz_worker.store.accounts import add_token, create_user, user_of_token
from kibitz_worker.store.ids import new_token
from kibitz_worker.store.models import User
from kibitz_worker.store.store import folder_error
from sqlalchemy import select
from sqlalchemy.orm import Session

from kibitz_api.server.errors import ServerError

NAME = "local"
FILE = "token"


def ensure_token(store: Store, data_dir: Path) -> Path:
    """Make sure that the file ``token`` holds a token of the installation's user; return its path.

    A file that is there is kept and made valid again when the database doesn't know it (a database
    that was made anew). Raises StoreError when the file cannot be written.
    """
    path = data_dir / FILE
    try:
        text = path.read_text().strip() if path.exists() else ""
        if not text:
            text = new_token()
            write_private(path, text + "\n")
        path.chmod(0o600)
    except OSError as error:
        raise folder_error(data_dir, error) from error
    with store.write() as session:
        if user_of_token(session, text) is None:
            add_token(session, owner(session), "this installation", text)
    return path


def token(data_dir: Path) -> str:
    """Read the installation's own token. Raises ServerError when it cannot be read."""
    path = data_dir / FILE
    try:
        return path.read_text().strip()
    except OSError as error:
        raise ServerError(f"{path} cannot be read: {error.strerror}.") from error


def how_to_log_in(url: str, data_dir: Path) -> str:
    """Say how the owner logs in at the dashboard.

    On a terminal that is an address to open. Output that is kept somewhere, as a service's is, may
    be read by others: it names the token's file only.
    """
    kept = f"Your token is in {data_dir / FILE}"
    if not sys.stdout.isatty():
        return kept
    return f"Log in at\n\n  {url}/login?token={quote(token(data_dir))}\n\n{kept}"


def owner(session: Session) -> User:
    """Return the installation's user, adding it the first time."""
    found = session.scalar(select(User).where(User.name == NAME))
    return create_user(session, NAME) if found is None else found


def write_private(path: Path, text: str) -> None:
    """Write a file that nobody but this user may read, at no moment."""
    part = path.with_name(f"{path.name}.{os.getpid()}")
    descriptor = os.open(part, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    part.replace(path)

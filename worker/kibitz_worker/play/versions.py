"""How the processes of a version are started."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import select
from sqlalchemy.orm import Session

from kibitz_worker.errors import NotFoundError, StoreError
from kibitz_worker.store.models import BotKind, Token, Version
from kibitz_worker.submissions import SubmissionError, folder_hash


@dataclass(frozen=True)
class Runnable:
    """What it takes to have a version at a table.

    A house bot has a `spec`, a submitted one a `folder` with contents of this `content_hash`; a
    self-hosted one runs elsewhere and is known by the SHA-256 of its token.
    """

    id: int
    label: str
    kind: BotKind
    spec: str = ""
    folder: Path | None = None
    content_hash: str = ""
    token_sha256: str = ""

    @property
    def command(self) -> list[str]:
        """The command that plays it as a process."""
        bot = self.spec if self.folder is None else str(self.folder)
        return [sys.executable, "-m", "kibitz.bots", bot]


def check_folders(versions: Iterable[Runnable]) -> None:
    """Make sure that submitted versions are still what was submitted; reads all their files.

    Raises StoreError (VERSION_DAMAGED).
    """
    for version in versions:
        if version.folder is None:
            continue
        try:
            found = folder_hash(version.folder)
        except (OSError, SubmissionError) as error:
            found = str(error)
        if found != version.content_hash:
            raise StoreError(
                f"the files of {version.label} in {version.folder} are not those that were "
                "submitted; submit it again",
                reason="VERSION_DAMAGED",
            )


def load_versions(session: Session, ids: Iterable[int], data_dir: Path) -> dict[int, Runnable]:
    """Return how to run these versions, by id. Raises NotFoundError (VERSION_UNKNOWN)."""
    wanted = set(ids)
    found = {}
    for version in session.scalars(select(Version).where(Version.id.in_(wanted))):
        token = session.get(Token, version.token_id) if version.token_id else None
        found[version.id] = Runnable(
            id=version.id,
            label=version.label,
            kind=version.bot.kind,
            spec=version.spec or "",
            folder=data_dir / version.path if version.path else None,
            content_hash=version.content_hash,
            token_sha256=token.sha256 if token and token.revoked is None else "",
        )
    if missing := wanted - set(found):
        raise NotFoundError(f"there are no versions {sorted(missing)}", reason="VERSION_UNKNOWN")
    return found

"""Archives of tournaments in the data folder, and records read from there when they are gone."""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Mapping
from pathlib import Path

from kibitz_worker.errors import NotFoundError
from kibitz_worker.store.models import Match


def archives_folder(data_dir: Path) -> Path:
    """Return where a server keeps the archives of its tournaments."""
    return data_dir / "archives"


def archive_path(folder: Path, tournament_id: str, counts: Mapping[str, int]) -> Path:
    """Return the file of a tournament's archive; another one when a set was annulled since."""
    stamp = "-".join(str(count) for _, count in sorted(counts.items()))
    return folder / f"{tournament_id}-{stamp}.zip"


def record_of(match: Match, folder: Path) -> str:
    """Return the record of a finished match: the stored one, else that of an archive.

    Raises NotFoundError (RECORD_ARCHIVED) when it is in neither, or not as it was hashed.
    """
    if match.record is not None:
        return match.record
    for path in sorted(folder.glob(f"{match.tournament_id}-*.zip"), reverse=True):
        text = _read(path, f"records/{match.id}.json")
        if text is not None and hashlib.sha256(text).hexdigest() == match.record_hash:
            return text.decode()
    raise NotFoundError(
        f"the record of match {match.id} was moved to the archive of tournament "
        f"{match.tournament_id}, which is not on this server any more",
        reason="RECORD_ARCHIVED",
    )


def _read(path: Path, name: str) -> bytes | None:
    try:
        with zipfile.ZipFile(path) as archive:
            return archive.read(name)
    except (OSError, KeyError, zipfile.BadZipFile):
        return None

"""Unpacked versions: one folder each, named by its content hash, written once."""

import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

from kibitz_worker.submissions.errors import SubmissionError
from kibitz_worker.submissions.hashing import content_hash, folder_hash

PROGRAM_STARTS = (b"#!", b"\x7fELF")


def versions_folder(data_dir: Path) -> Path:
    """Where the versions lie."""
    return data_dir / "versions"


def keep(files: Mapping[str, bytes], data_dir: Path) -> Path:
    """Write the files to `versions/HASH`, all or nothing, and return that folder.

    Writing the same again changes nothing. A folder of that name whose content has been damaged is
    replaced. Raises SubmissionError `NOT_STORED` when the disk is full or read-only.
    """
    digest = content_hash(files)
    target = versions_folder(data_dir) / digest
    if target.is_dir() and folder_hash(target) == digest:
        return target
    try:
        target.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        fresh = Path(tempfile.mkdtemp(prefix=".new-", dir=target.parent))
        try:
            _write(files, fresh)
            _move(fresh, target, digest)
        finally:
            shutil.rmtree(fresh, ignore_errors=True)
    except OSError as error:
        reason = error.strerror or str(error)
        text = f"the server could not store the bot: {reason}; try again or tell its operator"
        raise SubmissionError("NOT_STORED", text) from error
    return target


def _write(files: Mapping[str, bytes], folder: Path) -> None:
    folder.chmod(0o755)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        mode = 0o755 if content.startswith(PROGRAM_STARTS) else 0o644
        with open(path, "xb", opener=lambda p, flags: os.open(p, flags, 0o600)) as file:
            file.write(content)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())


def _move(fresh: Path, target: Path, digest: str) -> None:
    """Put the finished folder into its place; whoever else did the same meanwhile has won."""
    if target.exists() and folder_hash(target) != digest:
        target.rename(fresh.with_name(fresh.name + "-damaged"))
        shutil.rmtree(fresh.with_name(fresh.name + "-damaged"), ignore_errors=True)
    try:
        fresh.rename(target)
    except OSError:
        if not target.is_dir():
            raise
    parent = os.open(target.parent, os.O_RDONLY)
    try:
        os.fsync(parent)
    finally:
        os.close(parent)

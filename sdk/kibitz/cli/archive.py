"""Packing a bot's folder into the zip that is submitted."""

from __future__ import annotations

import io
import os
import zipfile
from collections.abc import Iterator
from pathlib import Path

from kibitz.cli.failures import CommandError

SKIPPED = frozenset({"__pycache__"})
EPOCH = (1980, 1, 1, 0, 0, 0)  # the same content gives the same bytes
MOST_FILES = 2000


def pack(folder: Path) -> tuple[bytes, list[str]]:
    """Return a zip of a bot's folder and the names in it.

    Left out are hidden files and folders, caches and virtual environments.

    Raises:
        CommandError: the folder holds links, special files or too many files.
    """
    names: list[str] = []
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in _files(folder):
            name = path.relative_to(folder).as_posix()
            names.append(name)
            if len(names) > MOST_FILES:
                raise CommandError(
                    f"{folder} has more than {MOST_FILES} files; it should hold the bot only",
                    reason="TOO_MANY_FILES",
                )
            info = zipfile.ZipInfo(name, EPOCH)
            info.external_attr = (0o755 if os.access(path, os.X_OK) else 0o644) << 16
            archive.writestr(info, path.read_bytes(), zipfile.ZIP_DEFLATED)
    return buffer.getvalue(), names


def _files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name in SKIPPED or path.suffix in {".pyc", ".pyo"}:
            continue
        if path.is_symlink():
            raise CommandError(
                f"{path} is a link; put the file itself into the folder", reason="LINK_IN_FOLDER"
            )
        if path.is_dir():
            if not (path / "pyvenv.cfg").exists():
                yield from _files(path)
        elif path.is_file():
            yield path
        else:
            raise CommandError(f"{path} is no plain file", reason="SPECIAL_FILE")

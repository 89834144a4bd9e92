"""The file of an archive: a zip that is sealed, and read without trusting it.

The comment of the zip, its last bytes, ends with the SHA-256 of all bytes before these digits. So
a change of any byte is found at once; a change by somebody who seals the file anew is found by
what :mod:`kibitz.archive.checking` works out again.
"""

import hashlib
import re
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from kibitz.errors import ArchiveError
from kibitz.reading import LARGEST

FORMAT = "kibitz-archive/1"
SEAL = f"{FORMAT} sha256 ".encode()
DIGITS = 64
MOST_MEMBERS = 1_000_000
LARGEST_TOTAL = 32 << 30
MOST_SHRUNK = 200
"""A member that unpacks to more than so many times its size is no honest JSON."""

EPOCH = (1980, 1, 1, 0, 0, 0)  # the same content gives the same bytes
_CHUNK = 1 << 20
_METHODS = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
_NAMES = re.compile(r"tournament\.json|sets/[0-9]{1,9}\.json|records/[0-9A-Za-z-]{1,64}\.json")
_BROKEN = (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError, OverflowError)


def unheard(*_: object) -> None:
    """Take word of progress, and tell nobody."""


class ArchiveWriter:
    """Writes an archive; a context manager that seals it at the end."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._zip = zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED)

    def add(self, name: str, text: str) -> None:
        """Add a file."""
        info = zipfile.ZipInfo(name, EPOCH)
        info.external_attr = 0o644 << 16
        self._zip.writestr(info, text, zipfile.ZIP_DEFLATED)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._zip.comment = SEAL + b"0" * DIGITS
        self._zip.close()
        if error is None:
            digest = _digest(self._path, unheard)
            with self._path.open("r+b") as file:
                file.seek(-DIGITS, 2)
                file.write(digest)


class ArchiveReader:
    """An archive whose seal is whole; a context manager.

    ``names`` are the files in it.
    """

    def __init__(self, path: Path, on_progress: Callable[[int, int], None] = unheard) -> None:
        """Open an archive.

        Args:
            path: its file.
            on_progress: called with bytes looked at and all bytes, while the seal is checked.

        Raises:
            ArchiveError: UNREADABLE, NOT_AN_ARCHIVE, DAMAGED, or SUSPICIOUS (files of other names
                than an archive has, doubled, or too large).
        """
        _check_seal(path, on_progress)
        try:
            self._zip = zipfile.ZipFile(path)
        except (*_BROKEN, OSError, NotImplementedError) as error:
            raise ArchiveError(f"{path} is no sound zip file: {error}", reason="DAMAGED") from error
        try:
            self._members = _members(self._zip.infolist())
        except ArchiveError:
            self._zip.close()
            raise
        self.names = self._members.keys()

    def read(self, name: str) -> bytes:
        """Return the content of a file.

        Raises:
            ArchiveError: MISSING_FILE, or DAMAGED.
        """
        info = self._members.get(name)
        if info is None:
            raise ArchiveError(f"{name} is missing", reason="MISSING_FILE")
        try:
            with self._zip.open(info) as stream:
                content = stream.read(info.file_size + 1)
        except (*_BROKEN, OSError, NotImplementedError) as error:
            raise ArchiveError(f"{name} cannot be unpacked: {error}", reason="DAMAGED") from error
        if len(content) != info.file_size:
            raise ArchiveError(f"{name} has another size than it says", reason="DAMAGED")
        return content

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._zip.close()


def _check_seal(path: Path, on_progress: Callable[[int, int], None]) -> None:
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - DIGITS - len(SEAL)))
            end = file.read()
        if len(end) < DIGITS + len(SEAL) or not end.startswith(SEAL):
            raise ArchiveError(
                f"{path} is no archive of a tournament, or its end is missing",
                reason="NOT_AN_ARCHIVE",
            )
        found = _digest(path, on_progress)
    except OSError as error:
        raise ArchiveError(f"cannot read {path}: {error.strerror}", reason="UNREADABLE") from error
    if found != end[-DIGITS:]:
        raise ArchiveError(
            f"{path} was damaged or changed: it is not what was sealed", reason="DAMAGED"
        )


def _digest(path: Path, on_progress: Callable[[int, int], None]) -> bytes:
    found = hashlib.sha256()
    size = left = path.stat().st_size - DIGITS
    with path.open("rb") as file:
        while left and (chunk := file.read(min(_CHUNK, left))):
            found.update(chunk)
            left -= len(chunk)
            on_progress(size - left, size)
    return found.hexdigest().encode()


def _members(infos: list[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    if len(infos) > MOST_MEMBERS:
        raise _suspicious(f"it holds {len(infos)} files; {MOST_MEMBERS} are the most")
    found: dict[str, zipfile.ZipInfo] = {}
    for info in infos:
        name = info.filename
        if not _NAMES.fullmatch(name):
            raise _suspicious(f"an archive of a tournament holds no file {name!r:.80}")
        if name in found:
            raise _suspicious(f"{name} is in it twice")
        if info.file_size > LARGEST:
            raise _suspicious(f"{name} has {info.file_size} bytes; {LARGEST} are the most")
        if info.file_size > _CHUNK and info.file_size > MOST_SHRUNK * info.compress_size:
            raise _suspicious(f"{name} unpacks to {info.file_size} bytes from next to nothing")
        if info.flag_bits & 1 or info.compress_type not in _METHODS:
            raise _suspicious(f"{name} is encrypted, or packed in another way than deflate")
        found[name] = info
    total = sum(info.file_size for info in infos)
    if total > LARGEST_TOTAL:
        raise _suspicious(f"it unpacks to {total} bytes; {LARGEST_TOTAL} are the most")
    return found


def _suspicious(what: str) -> ArchiveError:
    return ArchiveError(what, reason="SUSPICIOUS")

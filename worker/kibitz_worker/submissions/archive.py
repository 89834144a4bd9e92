"""Reading an uploaded zip as something hostile."""

import re
import stat
import struct
import zipfile
import zlib
from pathlib import PurePosixPath
from typing import BinaryIO

from kibitz_worker.submissions.errors import SubmissionError
from kibitz_worker.submissions.limits import UploadLimits
from kibitz_worker.submissions.names import check_distinct, check_name

MANIFEST = "kibitz.toml"
ENCRYPTED = 0x1
JUNK = {"__MACOSX", "__pycache__", ".git", ".DS_Store", "Thumbs.db"}
"""What archive programs and Python leave behind; not part of the bot."""

BROKEN = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, OSError),
    *(ValueError, LookupError, NotImplementedError, RuntimeError, OverflowError),
)
"""What `zipfile` raises for damaged files, by experiment as well as by its documentation."""


def read_archive(file: BinaryIO, limits: UploadLimits) -> dict[str, bytes]:
    """Return the bot's files, from path to content, sorted; folders are left out.

    If all files lie in one folder, that is taken for the bot's. Nothing is written anywhere. Raises
    SubmissionError.
    """
    _check_size(file, limits)
    try:
        with zipfile.ZipFile(file) as archive:
            entries = _checked_entries(archive, limits)
            names = _without_common_folder([entry.filename for entry in entries])
            check_distinct(names)
            pairs = zip(names, entries, strict=True)
            return {name: _content(archive, entry) for name, entry in sorted(pairs, key=_name)}
    except BROKEN as error:
        text = f"the upload is not a sound zip file: {error}; pack it anew"
        raise SubmissionError("NOT_A_ZIP", text) from error


def _name(pair: tuple[str, zipfile.ZipInfo]) -> str:
    return pair[0]


def _check_size(file: BinaryIO, limits: UploadLimits) -> None:
    size = file.seek(0, 2)
    if size > limits.packed:
        text = f"the zip has {size} bytes; {limits.packed} are allowed"
        raise SubmissionError("UPLOAD_TOO_LARGE", text)
    file.seek(max(0, size - 65557))
    tail = file.read()
    ends = (found.start() for found in re.finditer(b"PK\x05\x06", tail))
    directory = max((int.from_bytes(tail[at + 12 : at + 16], "little") for at in ends), default=0)
    if directory > limits.directory:
        raise SubmissionError("TOO_MANY_FILES", f"more than {limits.files} files are in the zip")
    file.seek(0)


def _checked_entries(archive: zipfile.ZipFile, limits: UploadLimits) -> list[zipfile.ZipInfo]:
    """The files that belong to the bot; everything in the zip is checked, junk too."""
    total = 0
    kept = []
    if len(archive.infolist()) > limits.files:
        raise SubmissionError("TOO_MANY_FILES", f"more than {limits.files} files are in the zip")
    for entry in archive.infolist():
        _check_entry(entry, limits)
        total += entry.file_size
        if not entry.is_dir() and not JUNK.intersection(PurePosixPath(entry.filename).parts):
            kept.append(entry)
    if total > limits.unpacked:
        text = f"unpacked, the zip has {total} bytes; {limits.unpacked} are allowed"
        raise SubmissionError("UNPACKED_TOO_LARGE", text)
    return kept


def _check_entry(entry: zipfile.ZipInfo, limits: UploadLimits) -> None:
    check_name(entry.orig_filename, limits)
    name = ascii(entry.filename)
    if stat.S_IFMT(entry.external_attr >> 16) not in {0, stat.S_IFREG, stat.S_IFDIR}:
        text = f"{name} is a link or device; only files and folders are allowed"
        raise SubmissionError("SPECIAL_FILE", text, name)
    if entry.flag_bits & ENCRYPTED:
        raise SubmissionError("ENCRYPTED", f"{name} is encrypted; pack without a password", name)
    if entry.compress_type not in {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}:
        text = f"{name} is packed in an unusual way; use plain zip (deflate)"
        raise SubmissionError("BAD_COMPRESSION", text, name)
    if entry.file_size > max(limits.small, limits.ratio * entry.compress_size):
        text = f"{name} unpacks to more than {limits.ratio} times its size in the zip"
        raise SubmissionError("ZIP_BOMB", text, name)


def _content(archive: zipfile.ZipFile, entry: zipfile.ZipInfo) -> bytes:
    """The content, never more than was declared: a lie about the size ends in a wrong checksum."""
    with archive.open(entry) as file:
        content = file.read(entry.file_size + 1)
    if len(content) != entry.file_size:
        raise zipfile.BadZipFile(f"{entry.filename!a} has not the size that it declares")
    return content


def _without_common_folder(names: list[str]) -> list[str]:
    if MANIFEST in names or not names:
        return names
    folder = names[0].split("/")[0] + "/"
    if folder + MANIFEST in names and all(name.startswith(folder) for name in names):
        return [name.removeprefix(folder) for name in names]
    return names

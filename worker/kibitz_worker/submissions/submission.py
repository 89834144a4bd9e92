"""From an upload to a version that can be played."""

from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import BinaryIO

from kibitz.manifest import Manifest, ManifestError

from kibitz_worker.submissions.archive import MANIFEST, read_archive
from kibitz_worker.submissions.errors import SubmissionError
from kibitz_worker.submissions.hashing import content_hash
from kibitz_worker.submissions.limits import DEFAULT_LIMITS, UploadLimits
from kibitz_worker.submissions.versions import keep

MANIFEST_BYTES = 16 * 1024


@dataclass(frozen=True, slots=True)
class Submission:
    """A checked upload, still in memory: nothing of it has run, nothing is stored.

    `content_hash` is the same for the same files, however they were packed. `manifest` is its
    kibitz.toml.
    """

    manifest: Manifest
    content_hash: str
    files: dict[str, bytes]

    @property
    def size(self) -> int:
        """Bytes of all files together."""
        return sum(map(len, self.files.values()))

    def store(self, data_dir: Path) -> Path:
        """Write it to `data_dir/versions/HASH` and return that folder; again changes nothing.

        Raises SubmissionError `NOT_STORED`.
        """
        return keep(self.files, data_dir)


def check_upload(file: BinaryIO, limits: UploadLimits = DEFAULT_LIMITS) -> Submission:
    """Check an uploaded zip, given as a seekable binary file.

    Raises SubmissionError; the reasons are UPLOAD_TOO_LARGE, UNPACKED_TOO_LARGE, TOO_MANY_FILES,
    ZIP_BOMB, NOT_A_ZIP, ENCRYPTED, BAD_COMPRESSION, SPECIAL_FILE, BAD_PATH, DUPLICATE_NAME,
    CASE_CLASH, FILE_AND_FOLDER, ENTRY_MISSING and those of `kibitz.manifest` (MANIFEST_MISSING,
    ...).
    """
    files = read_archive(file, limits)
    manifest = _manifest(files)
    _check_entry(manifest, files)
    return Submission(manifest, content_hash(files), files)


def _manifest(files: dict[str, bytes]) -> Manifest:
    if MANIFEST not in files:
        found = ", ".join(ascii(name) for name in list(files)[:5]) or "nothing"
        text = f"the zip has no {MANIFEST} at its top, but {found}; `kibitz new` makes one"
        raise SubmissionError("MANIFEST_MISSING", text, MANIFEST)
    if len(files[MANIFEST]) > MANIFEST_BYTES:
        text = f"{MANIFEST} has {len(files[MANIFEST])} bytes; {MANIFEST_BYTES} are allowed"
        raise SubmissionError("MANIFEST_WRONG", text, MANIFEST)
    try:
        return Manifest.parse(files[MANIFEST].decode("utf-8"), MANIFEST)
    except UnicodeDecodeError as error:
        text = f"{MANIFEST} is not UTF-8 text (byte {error.start})"
        raise SubmissionError("MANIFEST_UNREADABLE", text, MANIFEST) from error
    except ManifestError as error:
        raise SubmissionError(error.reason, str(error), MANIFEST) from error
    except (ValueError, RecursionError) as error:
        text = f"{MANIFEST} is no TOML that can be read: {error}"
        raise SubmissionError("MANIFEST_NOT_TOML", text, MANIFEST) from error


def _check_entry(manifest: Manifest, files: dict[str, bytes]) -> None:
    """What the manifest starts must be in the zip."""
    if manifest.entry:
        module = manifest.entry.partition(":")[0]
        file = module.replace(".", "/") + ".py"
        if file not in files:
            text = f"entry {manifest.entry!r} needs the file {file}, which is not in the zip"
            raise SubmissionError("ENTRY_MISSING", text, file)
        return
    program = manifest.command[0]
    if "/" in program and str(PurePosixPath(program)) not in files:
        text = f"command starts {program!a}, which is not in the zip"
        raise SubmissionError("ENTRY_MISSING", text, ascii(program))

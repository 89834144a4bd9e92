"""Which names files in a zip may have.

A name must mean the same file on every system and look like what it is: no way out of the folder
(`..`, absolute), no characters that hide or reorder text, no two names that some file system takes
for one.
"""

import re
import unicodedata
from collections.abc import Iterable

from kibitz_worker.submissions.errors import SubmissionError
from kibitz_worker.submissions.limits import UploadLimits

FORBIDDEN = re.compile(r'[\\:*?"<>|]')
HIDING = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
"""Unicode's categories of controls, formats (right-to-left marks too), unassigned, separators."""

DEVICES = re.compile(r"(con|prn|aux|nul|com[0-9]|lpt[0-9])(\..*)?", re.IGNORECASE)


def _shown(name: str) -> str:
    return ascii(name if len(name) <= 80 else name[:77] + "...")


def check_name(name: str, limits: UploadLimits) -> None:
    """Refuse a path in a zip that is not plain; raises SubmissionError `BAD_PATH`."""
    problem = _problem(name, limits)
    if problem:
        text = f"the name {_shown(name)} in the zip {problem}"
        raise SubmissionError("BAD_PATH", text, _shown(name))


def _problem(name: str, limits: UploadLimits) -> str:
    size = len(name.encode(errors="replace"))
    if size > limits.name:
        return f"has {size} bytes; {limits.name} are allowed"
    if name.startswith("/") or re.match(r"[A-Za-z]:", name):
        return "is absolute; names must be relative to the bot's folder"
    if FORBIDDEN.search(name):
        return 'has a character that is not allowed in names (\\ : * ? " < > |); separate with /'
    if any(unicodedata.category(char) in HIDING for char in name):
        return "has invisible or control characters; use visible ones"
    if unicodedata.normalize("NFC", name) != name:
        return "is not in Unicode's normal form NFC; pack the zip anew with plain letters"
    parts = name.rstrip("/").split("/")
    if len(parts) > limits.depth:
        return f"lies {len(parts)} folders deep; {limits.depth} are allowed"
    return next(filter(None, map(_part_problem, parts)), "")


def _part_problem(part: str) -> str:
    if part in {"", ".", ".."}:
        return "has an empty part, '.' or '..' in it; write the plain path"
    if part != part.strip() or part.endswith("."):
        return "has a part that begins or ends with a space or ends with a dot"
    if DEVICES.fullmatch(part):
        return "has a part that is a device on some systems; rename it"
    return ""


def _folded(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def check_distinct(names: Iterable[str]) -> None:
    """Refuse names that are equal, differ by case only, or use a file as a folder.

    Raises SubmissionError `DUPLICATE_NAME`, `CASE_CLASH` or `FILE_AND_FOLDER`.
    """
    seen: dict[str, str] = {}
    for name in names:
        other = seen.setdefault(_folded(name), name)
        if other is not name:
            _clash(name, other)
    for key, name in seen.items():
        parts = key.split("/")
        for end in range(1, len(parts)):
            if "/".join(parts[:end]) in seen:
                file = seen["/".join(parts[:end])]
                text = f"{_shown(file)} is a file and, for {_shown(name)}, a folder; rename one"
                raise SubmissionError("FILE_AND_FOLDER", text, _shown(name))


def _clash(name: str, other: str) -> None:
    if name == other:
        text = f"the zip holds {_shown(name)} twice; each name once"
        raise SubmissionError("DUPLICATE_NAME", text, _shown(name))
    text = f"{_shown(name)} and {_shown(other)} are the same name on some systems; rename one"
    raise SubmissionError("CASE_CLASH", text, _shown(name))

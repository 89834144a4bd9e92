"""How large a submitted bot may be."""

from dataclasses import dataclass

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class UploadLimits:
    """Sizes in bytes: of the zip, of its contents together, of its directory, of a name in UTF-8.

    `ratio` is how many times smaller than its contents a file may be packed, above `small` bytes.
    """

    packed: int = 16 * MEBIBYTE
    unpacked: int = 64 * MEBIBYTE
    files: int = 2000
    directory: int = 2 * MEBIBYTE
    name: int = 200
    depth: int = 12
    ratio: int = 200
    small: int = MEBIBYTE


DEFAULT_LIMITS = UploadLimits()

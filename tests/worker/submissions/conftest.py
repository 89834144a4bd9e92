"""Zips as users and attackers make them."""

import io
import stat
import zipfile
from collections.abc import Callable, Mapping

import pytest

MANIFEST = '[bot]\nname = "heart"\nentry = "bot:Heart"\ngames = ["whiskey"]\n'
BOT: dict[str, bytes] = {"kibitz.toml": MANIFEST.encode(), "bot.py": b"class Heart: ...\n"}

MakeZip = Callable[..., io.BytesIO]


def pack(
    files: Mapping[str, bytes],
    *,
    mode: int = stat.S_IFREG | 0o644,
    compression: int = zipfile.ZIP_DEFLATED,
    date: tuple[int, int, int, int, int, int] = (2026, 1, 1, 0, 0, 0),
) -> io.BytesIO:
    """A zip with these files, all of this mode."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", compression) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, date)
            info.external_attr = mode << 16
            archive.writestr(info, content, compression)
    buffer.seek(0)
    return buffer


@pytest.fixture
def make_zip() -> MakeZip:
    return pack


@pytest.fixture
def bot() -> dict[str, bytes]:
    return dict(BOT)

"""Bots as their authors upload them."""

from __future__ import annotations

import io
import zipfile

from kibitz_worker.submissions import Submission, check_upload


def uploaded(name: str, code: str, games: str, entry: str = "bot:Low") -> Submission:
    """Check an upload with a bot of one file, for games as a manifest lists them."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        toml = f'[bot]\nname = "{name}"\nentry = "{entry}"\ngames = {games}\n'
        archive.writestr("kibitz.toml", toml)
        archive.writestr("bot.py", code)
    packed.seek(0)
    return check_upload(packed)

"""Logs that parts of the server have put aside."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path


def old_logs(folder: Path, before: datetime) -> list[Path]:
    """Return logs put aside (``NAME.log.1``) that nobody has written to since a moment."""
    return sorted(
        path for path in folder.glob("*.log.*") if path.stat().st_mtime < before.timestamp()
    )

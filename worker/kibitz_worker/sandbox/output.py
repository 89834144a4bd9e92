"""What a bot writes to stdout and stderr: its beginning and its end are kept, the middle is not."""

import os
import threading
from collections import deque
from pathlib import Path

CHUNK = 16 * 1024


class Capture:
    """Drains a pipe into a file of limited size in a thread of its own; a bot never waits for us.

    The first half of the limit is written at once, so it can be read while the bot runs; the last
    half follows when the bot has ended, with a line between that says how much is left out.
    """

    def __init__(self, pipe: int, file: Path, limit: int) -> None:
        self._pipe = pipe
        self._half = limit // 2
        self._file = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, 0o600)
        self._thread = threading.Thread(target=self._drain, name="bot-output", daemon=True)
        self._thread.start()

    def _drain(self) -> None:
        room, lost = self._half, 0
        tail: deque[bytes] = deque()
        kept = 0
        while data := os.read(self._pipe, CHUNK):
            os.write(self._file, data[:room])
            rest = data[room:]
            room -= len(data) - len(rest)
            if rest:
                tail.append(rest)
                kept += len(rest)
            while kept - len(tail[0] if tail else b"") >= self._half and tail:
                gone = len(tail.popleft())
                kept, lost = kept - gone, lost + gone
        self._finish(b"".join(tail), lost)

    def _finish(self, tail: bytes, lost: int) -> None:
        lost += max(0, len(tail) - self._half)
        if lost:
            os.write(self._file, f"\n[... {lost} bytes left out ...]\n".encode())
        os.write(self._file, tail[-self._half :])
        os.close(self._pipe)
        os.close(self._file)

    def join(self, timeout: float) -> None:
        """Wait until all is written; the bot has ended, so this is soon."""
        self._thread.join(timeout)

"""How much a bot may use."""

from dataclasses import dataclass

MEBIBYTE = 1 << 20


@dataclass(frozen=True, slots=True)
class Limits:
    """Limits of one bot process; sizes in bytes, times in seconds.

    A bot is one process (it may start threads, no processes), so `memory` bounds the whole bot.
    `temporary` is the size of its private /tmp, where the layer has one. `output` is what is kept
    of stdout and stderr together.
    """

    memory: int = 1024 * MEBIBYTE
    cpu_seconds: int = 3600
    file_size: int = 16 * MEBIBYTE
    temporary: int = 16 * MEBIBYTE
    open_files: int = 128
    tasks: int = 64
    output: int = 64 * 1024

"""Processes that stand still for a while, as on a machine that is overloaded."""

from __future__ import annotations

import signal
import subprocess
import time


def stopped(process: subprocess.Popen[str], seconds: float) -> None:
    """Have a process stand still for some seconds."""
    process.send_signal(signal.SIGSTOP)
    time.sleep(seconds)
    process.send_signal(signal.SIGCONT)

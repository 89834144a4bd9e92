"""The environment variables of a bot."""

import os
import sys
from collections.abc import Mapping
from pathlib import Path

from kibitz_worker.sandbox.layer import Layer

SINGLE_THREADED = ("OMP", "OPENBLAS", "MKL", "NUMEXPR", "VECLIB_MAXIMUM", "RAYON")


def clean_environment(layer: Layer, socket: Path, extra: Mapping[str, str]) -> dict[str, str]:
    """Paths, the referee's address, one thread for numerical libraries, the caller's own."""
    home = "/tmp" if layer.name == "strict" else "/"  # noqa: S108 (the bot's own)
    path = os.environ.get("PATH", "") if layer.name == "none" else "/usr/local/bin:/usr/bin:/bin"
    return {
        "PATH": f"{Path(sys.executable).parent}:{path}",
        "HOME": home,
        "TMPDIR": "/tmp",  # noqa: S108
        "LANG": "C.UTF-8",
        "PYTHONUNBUFFERED": "1",
        "PYTHONDONTWRITEBYTECODE": "1",
        **{f"{library}_NUM_THREADS": "1" for library in SINGLE_THREADED},
        "KIBITZ_ADDRESS": f"unix:{socket}",
        **extra,
    }

"""Which build of the rules is installed: pure Python, or compiled from the same sources."""

from importlib.machinery import EXTENSION_SUFFIXES
from importlib.util import find_spec


def build_of(module: str) -> str:
    """Return ``"compiled"`` if a module of this name is an extension, else ``"pure"``."""
    spec = find_spec(module)
    origin = "" if spec is None else str(spec.origin)
    return "compiled" if origin.endswith(tuple(EXTENSION_SUFFIXES)) else "pure"


BUILD = build_of("kibitz.deal")
"""``"pure"``, or ``"compiled"`` where kibitz was installed with ``KIBITZ_COMPILE=1``."""


def server_builds() -> str:
    """Return in words which builds of the rules and of the referee are installed."""
    return f"rules {BUILD}, referee {build_of('kibitz_referee.table')}"

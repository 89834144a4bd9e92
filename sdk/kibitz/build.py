"""Which build of the rules is installed: pure Python, or compiled from the same sources."""

from importlib.machinery import EXTENSION_SUFFIXES

from kibitz import deal

BUILD = "compiled" if deal.__file__.endswith(tuple(EXTENSION_SUFFIXES)) else "pure"
"""``"pure"``, or ``"compiled"`` where kibitz was installed with ``KIBITZ_COMPILE=1``."""

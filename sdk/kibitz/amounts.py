"""How many of something, in words."""

from __future__ import annotations


def amount(count: int, noun: str) -> str:
    """Return ``1 set``, ``0 sets``, ``2 matches``."""
    return f"{count} {plural(count, noun)}"


def plural(count: int, noun: str) -> str:
    """Return the noun as it stands after this number: ``set`` after 1, else ``sets``."""
    if count == 1:
        return noun
    return noun + ("es" if noun.endswith(("ch", "s", "x")) else "s")


def duration(seconds: float) -> str:
    """Return about how long something takes: ``40 seconds``, ``15 minutes``, ``2.5 hours``."""
    if seconds < 90:
        return amount(max(1, round(seconds)), "second")
    if seconds < 5400:
        return amount(round(seconds / 60), "minute")
    return f"{seconds / 3600:.1f} hours" if seconds < 172800 else f"{seconds / 86400:.1f} days"

"""Numbers as pages show them."""

DASH = "\u2013"
MINUS = "\u2212"


def signed(number: float | None, digits: int = 2) -> str:
    """A number with its sign, a true minus, or a dash for none."""
    if number is None:
        return DASH
    return f"{number:+.{digits}f}".replace("-", MINUS)


def plain(number: float | None, digits: int = 0) -> str:
    """A number with `digits` decimals, none for whole ones, or a dash."""
    if number is None:
        return DASH
    return f"{number:.{digits}f}".replace("-", MINUS)

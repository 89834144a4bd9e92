"""Words of tournaments for people."""

RESULTS = {
    "won": ("+", "won"),
    "drawn": ("=", "drawn"),
    "lost": ("−", "lost"),  # noqa: RUF001 - a minus sign
    "part": ("±", "better than some"),
    "bye": ("○", "a bye"),
    "void": ("×", "could not be played"),  # noqa: RUF001 - a cross
    "open": ("…", "being played"),
}
"""A sign and words for each result of a round."""


def round_name(number: int, rounds: int, pairs: bool) -> str:
    """Return what a round of a knockout is called; only brackets of pairs have semi-finals."""
    left = rounds - number
    if left == 0:
        return "Final"
    if pairs and left <= 2:
        return ("Semi-finals", "Quarter-finals")[left - 1]
    return f"Round {number}"

"""Codes of cards and actions as people write them."""

PIPS = {"C": "♣", "D": "♦", "H": "♥", "S": "♠"}
FRENCH_RANKS = frozenset("AKQJT98765432")


def action_words(code: str) -> tuple[str, str | None]:
    """A code as people write it (10♥ for TH), and the suit letter of a French card."""
    if code in PIPS:
        return PIPS[code], code
    if len(code) == 2 and code[1] in PIPS and code[0] in FRENCH_RANKS:
        rank = "10" if code[0] == "T" else code[0]
        return f"{rank}{PIPS[code[1]]}", code[1]
    verb, colon, rest = code.partition(":")
    if not colon:
        return code, None
    if rest == "NT":
        return f"{verb} without trumps", None
    return f"{verb} {action_words(rest)[0]}", None

"""The Bolognese tarot pack of 62 cards, in the order in which its cards are listed."""

from typing import Final

from kibitz.cards import Pack, mask_of

LONG, ROUND = "KQNJ 10 9 8 7 6 A", "KQNJ A 6 7 8 9 10"
TRUMP_CODES: Final = (
    *("ANG", "MON", "SOL", "LUN"),
    *(f"T{n}" for n in range(16, 4, -1)),
    *("MO1", "MO2", "MO3", "MO4", "BAG"),
)
TRUMP_STRENGTHS: Final = (*range(20, 4, -1), 1, 1, 1, 1, 0)
PLAIN: Final = {"S": LONG, "B": LONG, "C": ROUND, "D": ROUND}
TRUMPS: Final = 0


def _ranks(order: str) -> list[str]:
    courts, *pips = order.split()
    return [*courts, *pips]


def _pack() -> Pack:
    codes, suit, rank, strength = [*TRUMP_CODES, "MAT"], [0] * 21 + [5], [*TRUMP_CODES, "MAT"], []
    strength = [*TRUMP_STRENGTHS, -1]
    for number, (letter, order) in enumerate(PLAIN.items(), start=1):
        for worth, its in zip(range(9, -1, -1), _ranks(order), strict=True):
            codes.append(letter + its)
            suit.append(number)
            rank.append(its)
            strength.append(worth)
    return Pack(codes, ("T", *PLAIN), suit, rank, strength)


PACK: Final = _pack()


def cards(*codes: str) -> tuple[int, ...]:
    """Return the numbers of some cards."""
    return tuple(PACK.number[code] for code in codes)


def each(rank: str) -> tuple[int, ...]:
    """Return the four cards of a rank, in the order of the suits S B C D."""
    return cards(*(suit + rank for suit in PLAIN))


FOOL: Final = PACK.number["MAT"]
BAGATTINO: Final = PACK.number["BAG"]
HONOURS: Final = cards("ANG", "MON", "BAG", "MAT")
MOORS: Final = cards("MO1", "MO2", "MO3", "MO4")
MOOR_CARDS: Final = mask_of(MOORS)
BARRED: Final = mask_of((*HONOURS, *each("K")))
"""Cards that may not be discarded: those worth five points."""

VALUES: Final = tuple(
    5 if card in HONOURS else {"K": 5, "Q": 4, "N": 3, "J": 2}.get(PACK.rank[card], 1)
    for card in range(62)
)
EMPTY: Final = (
    *(card for rank in ("6", "7", "8", "9", "10") for card in each(rank)),
    *cards(*(f"T{n}" for n in range(5, 17)), "LUN", "SOL"),
    *MOORS,
    *each("A"),
)
"""Empty cards in the order in which they pay for the Fool."""
EMPTY_CARDS: Final = mask_of(EMPTY)

COUNTING: Final = (*each("J"), *each("N"), *each("Q"), *each("K"), *cards("BAG", "MON", "ANG"))
"""What pays for the Fool at the end if there is no empty card."""

UNIFORM: Final = tuple(
    9 - _ranks(LONG).index(PACK.rank[card]) if PACK.suit[card] in {3, 4} else PACK.strength[card]
    for card in range(62)
)
"""Strengths with ten high to ace low in all four suits."""


_BY_VALUE: Final = tuple(
    (2 * value - 1, mask_of(card for card in range(62) if VALUES[card] == value))
    for value in sorted(set(VALUES))
)


def half_points(mask: int) -> int:
    """Return what the cards of a pile count, in half points: twice their value less one each."""
    return sum(halves * (mask & cards).bit_count() for halves, cards in _BY_VALUE)

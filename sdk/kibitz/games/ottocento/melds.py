"""Combinations of Ottocento: cricche and sequences, in a pile or as they are declared."""

from functools import lru_cache
from typing import Final

from kibitz.cards import BIT, mask_of, members
from kibitz.games.ottocento.pack import HONOURS, MOORS, PACK, cards, each

CRICCHE: Final = {
    "honours": (HONOURS, 18),
    "kings": (each("K"), 17),
    "queens": (each("Q"), 14),
    "knights": (each("N"), 13),
    "jacks": (each("J"), 12),
}
SEQUENCES: Final = ("trumps", "S", "B", "C", "D", "moors", "aces")
KINDS: Final = (*CRICCHE, *SEQUENCES)
COUNTERS: Final = mask_of(cards("BAG", "MAT"))
CORE: Final = mask_of(cards("MON", "SOL", "LUN"))
CHAIN: Final = cards(*(f"T{n}" for n in range(16, 4, -1)))
CHAIN_CARDS: Final = mask_of(CHAIN)
ANGEL: Final = BIT[PACK.number["ANG"]]
MOOR_CARDS, ACES = mask_of(MOORS), mask_of(each("A"))
SUITS: Final = {
    suit: (
        BIT[PACK.number[suit + "K"]],
        mask_of(cards(*(suit + rank for rank in "QNJ"))),
        BIT[PACK.number[suit + "A"]],
    )
    for suit in "SBCD"
}
MEMBERS: Final = {
    **{kind: mask_of(four) for kind, (four, _) in CRICCHE.items()},
    **{suit: king | courts | ace | COUNTERS for suit, (king, courts, ace) in SUITS.items()},
    "trumps": ANGEL | CORE | CHAIN_CARDS | MOOR_CARDS | COUNTERS,
    "moors": MOOR_CARDS | COUNTERS,
    "aces": ACES | COUNTERS,
}
"""The cards that can stand in a meld of each kind."""


FOURS: Final = [(mask_of(four), three) for four, three in CRICCHE.values()]
"""The cards of each criccha, and what three of them are worth."""


def trump_chain(pile: int) -> tuple[int, int]:
    """Return how many cards the trump sequence of a pile has, and the mask of its genuine chain.

    Angel and at least two of World, Sun and Moon (a counter may stand for one of two, a third is
    jumped); then down from the Star without a hole, except that a counter may fill holes that are
    no neighbours; past Love the Moors join, and counters not used stand at the tail.
    """
    if not pile & ANGEL:
        return 0, 0
    counters, core = (pile & COUNTERS).bit_count(), (pile & CORE).bit_count()
    if core == 0 or (core == 1 and not counters):
        return 0, 0
    spare = counters - (core == 1)
    reached, filled = 0, False
    for card in CHAIN:
        if pile & BIT[card]:
            reached |= BIT[card]
            filled = False
        elif spare and not filled:
            spare -= 1
            filled = True
        else:
            break
    else:
        reached |= pile & MOOR_CARDS
    return 1 + core + reached.bit_count() + counters, reached


def length(kind: str, pile: int) -> int:
    """Return how many cards the sequence of a kind has in a pile; 0 if there is none."""
    return _length(kind, pile & MEMBERS[kind])


@lru_cache(maxsize=65536)
def _length(kind: str, pile: int) -> int:
    if kind == "trumps":
        return trump_chain(pile)[0]
    counters = (pile & COUNTERS).bit_count()
    if kind in SUITS:
        king, courts, ace = SUITS[kind]
        if not pile & king:
            return 0
        held = (pile & courts).bit_count()
        if held + bool(counters) < 2 or not held:
            return 0
        return 1 + held + bool(pile & ace) + counters
    held = (pile & (MOOR_CARDS if kind == "moors" else ACES)).bit_count()
    return held + counters if held >= 3 or (held == 2 and counters) else 0


def value(kind: str, pile: int) -> int:
    """Return the points of a kind in a pile: by three or four of a kind, or 5 (n - 1)."""
    if kind in CRICCHE:
        return criccha(MEMBERS[kind], CRICCHE[kind][1], pile)
    return 5 * max(0, length(kind, pile) - 1)


def criccha(four: int, three: int, pile: int) -> int:
    """Return the points of the cards of one rank in a pile, given what three of them are worth."""
    held = (pile & four).bit_count()
    return 0 if held < 3 else three if held == 3 else 2 * three


def doubled(values: list[int]) -> int:
    """Return the sum of some combinations of one sort, doubled if three or more count."""
    return sum(values) * (2 if len(values) - values.count(0) >= 3 else 1)


def points(melds: dict[str, int]) -> int:
    """Return the points of melds, given as the cards of each kind."""
    cricche = [value(kind, pile) for kind, pile in melds.items() if kind in CRICCHE]
    sequences = [value(kind, pile) for kind, pile in melds.items() if kind not in CRICCHE]
    return doubled(cricche) + doubled(sequences)


def pile_points(pile: int) -> int:
    """Return the points of all combinations in a pile."""
    return doubled([criccha(four, three, pile) for four, three in FOURS]) + doubled(
        [5 * max(0, length(kind, pile) - 1) for kind in SEQUENCES]
    )


def is_meld(kind: str, shown: int) -> bool:
    """Return whether cards, all of them, are a meld of a kind."""
    if shown & ~MEMBERS[kind]:
        return False
    if kind in CRICCHE:
        return shown.bit_count() >= 3
    return 0 < shown.bit_count() == length(kind, shown)


@lru_cache(maxsize=65536)
def steps(kind: str, held: int, shown: int) -> tuple[int, ...]:
    """Return the cards that may be shown next in a meld of a kind, of those held.

    A card may be shown if it comes after those shown and some meld has just these cards up to it.
    """
    later = held & MEMBERS[kind] & ~((1 << shown.bit_length()) - 1)
    return tuple(card for card in members(later) if _leads_on(kind, held, shown | BIT[card]))


def can_open(kind: str, held: int) -> bool:
    """Return whether the cards held contain a meld of a kind: three of a kind, or a sequence."""
    if kind in CRICCHE:
        return (held & MEMBERS[kind]).bit_count() >= 3
    return length(kind, held) > 0


def openable(held: int) -> tuple[str, ...]:
    """Return the kinds of which the cards held contain a meld, in order."""
    return tuple(kind for kind in KINDS if can_open(kind, held))


def _leads_on(kind: str, held: int, shown: int) -> bool:
    later = held & MEMBERS[kind] & ~((1 << shown.bit_length()) - 1)
    if kind == "trumps":
        return _chain_leads_on(later, shown)
    # With the later cards that help; an ace or a fourth card never stands in the way.
    return is_meld(kind, shown) or is_meld(kind, shown | later)


def _chain_leads_on(later: int, shown: int) -> bool:
    # Later cards can only help, but for those behind a hole that cannot be filled, and Moors.
    most = shown | later & ~MOOR_CARDS
    _, reached = trump_chain(most)
    return is_meld("trumps", most & ~(later & CHAIN_CARDS & ~reached))

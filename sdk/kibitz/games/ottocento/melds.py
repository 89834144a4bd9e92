"""Combinations of Ottocento: cricche and sequences, in a pile or as they are declared."""

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
MOOR_CARDS: Final = mask_of(MOORS)
ACES: Final = mask_of(each("A"))
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
    return trump_chain(pile)[0] if kind == "trumps" else LENGTHS[kind][pile & MEMBERS[kind]]


def _length(kind: str, pile: int) -> int:
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


def submasks(mask: int) -> list[int]:
    """Return the masks of some, all or none of the cards of a mask."""
    found = [0]
    for card in members(mask):
        found += [some | BIT[card] for some in found]
    return found


LENGTHS: Final = {
    kind: {pile: _length(kind, pile) for pile in submasks(MEMBERS[kind])} for kind in SEQUENCES[1:]
}
"""The lengths of all sequences but of trumps, by the cards that can stand in them."""


def value(kind: str, pile: int) -> int:
    """Return the points of a kind in a pile: by three or four of a kind, or 5 (n - 1)."""
    if kind in CRICCHE:
        return criccha(MEMBERS[kind], CRICCHE[kind][1], pile)
    return sequence(length(kind, pile))


def sequence(cards: int) -> int:
    """Return the points of a sequence of so many cards, or of none."""
    return 5 * (cards - 1) if cards else 0


def criccha(four: int, three: int, pile: int) -> int:
    """Return the points of the cards of one rank in a pile, given what three of them are worth."""
    held = (pile & four).bit_count()
    return 0 if held < 3 else three if held == 3 else 2 * three


def doubled(values: list[int]) -> int:
    """Return the sum of some combinations of one sort, doubled if three or more count."""
    total = counting = 0
    for value in values:
        if value:
            total += value
            counting += 1
    return 2 * total if counting >= 3 else total


def points(melds: dict[str, int]) -> int:
    """Return the points of melds, given as the cards of each kind."""
    if not melds:
        return 0
    cricche = [value(kind, pile) for kind, pile in melds.items() if kind in CRICCHE]
    sequences = [value(kind, pile) for kind, pile in melds.items() if kind not in CRICCHE]
    return doubled(cricche) + doubled(sequences)


FOURS: Final = [
    (four, {pile: criccha(four, three, pile) for pile in submasks(four)})
    for four, three in ((mask_of(four), three) for four, three in CRICCHE.values())
]
ROWS: Final = [
    (MEMBERS[kind], {pile: sequence(cards) for pile, cards in lengths.items()})
    for kind, lengths in LENGTHS.items()
]
"""The cards of each criccha, or sequence, with the points that any of them are worth."""


def pile_points(pile: int) -> int:
    """Return the points of all combinations in a pile."""
    cricche = [worth[pile & four] for four, worth in FOURS]
    sequences = [worth[pile & row] for row, worth in ROWS]
    sequences.append(sequence(trump_chain(pile)[0]))
    return doubled(cricche) + doubled(sequences)


def is_meld(kind: str, shown: int) -> bool:
    """Return whether cards, all of them, are a meld of a kind."""
    if shown & ~MEMBERS[kind]:
        return False
    if kind in CRICCHE:
        return shown.bit_count() >= 3
    return 0 < shown.bit_count() == length(kind, shown)


def steps(kind: str, held: int, shown: int) -> tuple[int, ...]:
    """Return the cards that may be shown next in a meld of a kind, of those held.

    A card may be shown if it comes after those shown and some meld has just these cards up to it.
    """
    later = held & MEMBERS[kind] & ~((1 << shown.bit_length()) - 1)
    return tuple(card for card in members(later) if _leads_on(kind, held, shown | BIT[card]))


def can_open(kind: str, held: int) -> bool:
    """Return whether the cards held contain a meld of a kind: three of a kind, or a sequence."""
    return value(kind, held) > 0


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

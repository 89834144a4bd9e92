"""How the cards of a finished deal are gathered into the next deck, unshuffled."""

from collections.abc import Sequence
from itertools import groupby

from kibitz.cards import members
from kibitz.deal import Deal
from kibitz.errors import DeckError
from kibitz.events import What
from kibitz.shuffle import Stream

Pile = tuple[list[list[int]], list[int]]
"""The tricks a place has won, then the cards it has not played."""


def piles(deal: Deal) -> list[Pile]:
    """Return the piles of a finished deal; a dummy's tricks lie with those of its player."""
    tricks: list[list[list[int]]] = [[] for _ in range(deal.game.places)]
    trick: list[int] = []
    for event in deal.events:
        if event.what is What.PLAYED:
            trick.append(event.detail)
        elif event.what is What.WON:
            tricks[deal.players[event.place]].append(trick)
            trick = []
    found = [(won, members(hand)) for won, hand in zip(tricks, deal.hands, strict=True)]
    return [pile for pile in found if pile[0] or pile[1]]


def gathered(deal: Deal, luck: Stream) -> list[int]:
    """Return a next deck: piles, tricks and cards lie together in random order, then a cut."""
    deck: list[int] = []
    for tricks, unplayed in luck.shuffled(piles(deal)):
        for block in (*luck.shuffled(tricks), unplayed):
            deck += luck.shuffled(block)
    cut = 1 + luck.below(len(deck) - 1)
    return deck[cut:] + deck[:cut]


def check_row(deal: Deal, deck: Sequence[int]) -> None:
    """Check that a deck can have been gathered from a deal.

    Raises:
        DeckError: no rotation of it is a row of the piles.
    """
    blocks: dict[int, tuple[int, int]] = {}  # card -> (pile, block); unplayed cards come last
    sizes: dict[tuple[int, int], int] = {}
    for number, (tricks, unplayed) in enumerate(piles(deal)):
        for block, cards in enumerate((*tricks, unplayed)):
            place = (number, block if block < len(tricks) else len(deck))
            sizes[place] = len(cards)
            blocks.update(dict.fromkeys(cards, place))
    row = [blocks[card] for card in deck]
    if not any(_is_row(row[cut:] + row[:cut], sizes, len(deck)) for cut in range(len(deck))):
        raise DeckError(
            f"deck of deal {deal.number + 1} cannot have been gathered from deal {deal.number}:"
            " the cards of a pile, a trick or an unplayed hand do not lie together",
            reason="NOT_GATHERED",
        )


def _is_row(row: list[tuple[int, int]], sizes: dict[tuple[int, int], int], unplayed: int) -> bool:
    runs = [(place, len(list(run))) for place, run in groupby(row)]
    if any(size != sizes[place] for place, size in runs):
        return False
    order = [
        (pile, [block for (_, block), _ in group])
        for pile, group in groupby(runs, key=lambda run: run[0][0])
    ]
    if len({pile for pile, _ in order}) != len(order):
        return False
    return all(unplayed not in blocks[:-1] for _, blocks in order)

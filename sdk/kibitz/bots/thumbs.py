"""Rules of thumb for playing a card, the same for all games.

Cards are numbers, sets of cards masks, as in :mod:`kibitz.cards`. What a game adds is whether a
side wants the trick at all (:mod:`kibitz.bots.wishes`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from kibitz.cards import mask_of, members

if TYPE_CHECKING:
    from kibitz.game import Game

TRUMP_WORTH = 20  # any trump is dearer than any other card


class Ranks:
    """What beats what, and how dear a card is, for one trump suit of a game.

    ``beats[card]`` is the mask of the cards that win over it while it is the best of the trick,
    ``higher[card]`` those of them in its own suit, ``suit[card]`` its whole suit; ``cost[card]``
    orders cards by how sorry one is to lose them.
    """

    __slots__ = ("beats", "cost", "higher", "suit", "trumps")

    def __init__(self, game: Game, trump: int | None) -> None:
        pack, deck = game.cards, game.deck
        size = len(pack.codes)
        self.suit = pack.same_suit
        self.trumps = pack.suit_masks[trump] if trump is not None else 0
        self.beats = [0] * size
        for card in deck:
            self.beats[card] = mask_of(
                other for other in deck if other != card and game.wins([card, other], trump)
            )
        self.higher = [self.beats[card] & pack.same_suit[card] for card in range(size)]
        self.cost = [
            pack.strength[card] + (TRUMP_WORTH if self.trumps >> card & 1 else 0)
            for card in range(size)
        ]


class Position(NamedTuple):
    """What the rules of thumb look at when a card is to be played.

    Attributes:
        may: the cards that may be played.
        best: the card that wins the trick so far, -1 if none is on the table.
        friendly: whether that card is of one's own side.
        foes: how many opponents play to the trick afterwards.
        friends: how many of one's own side do.
        out: the cards that opponents may hold.
        wanted: whether one's side wants the trick.
    """

    may: int
    best: int
    friendly: bool
    foes: int
    friends: int
    out: int
    wanted: bool


def choose(ranks: Ranks, at: Position) -> int:
    """Return the card that the rules of thumb play."""
    may = at.may
    if not may & (may - 1):
        return may.bit_length() - 1
    if at.best < 0:
        return lead(ranks, at) if at.wanted else lead_low(ranks, at)
    return follow(ranks, at) if at.wanted else duck(ranks, at)


def lead(ranks: Ranks, at: Position) -> int:
    """Cash what cannot be beaten, else open the longest side suit from below."""
    cards = members(at.may)
    beats, cost, out = ranks.beats, ranks.cost, at.out
    sure = [card for card in cards if not beats[card] & out]
    if sure:
        return min(sure, key=cost.__getitem__)
    plain = at.may & ~ranks.trumps
    if not plain:
        return min(cards, key=cost.__getitem__)
    higher = ranks.higher
    masters = [card for card in members(plain) if not higher[card] & out]
    if masters:  # only a trump can beat it
        return masters[0]
    return min(
        members(plain), key=lambda card: (-(ranks.suit[card] & plain).bit_count(), cost[card])
    )


def lead_low(ranks: Ranks, at: Position) -> int:
    """Lead what most cards of the opponents beat."""
    beats, out, cost = ranks.beats, at.out, ranks.cost
    return max(members(at.may), key=lambda card: ((beats[card] & out).bit_count(), -cost[card]))


def follow(ranks: Ranks, at: Position) -> int:
    """Win as cheaply as will do; leave it to a partner who wins; throw the lowest otherwise."""
    cost, beats, best = ranks.cost, ranks.beats, at.best
    cheapest = min(members(at.may), key=cost.__getitem__)
    if at.friendly and not (at.foes and beats[best] & at.out):
        return cheapest
    winners = members(at.may & beats[best])
    if not winners:
        return cheapest
    if not at.foes:
        return min(winners, key=cost.__getitem__)
    sure = [card for card in winners if not beats[card] & at.out]
    if sure:
        return cheapest if at.friendly else min(sure, key=cost.__getitem__)
    if at.friends or at.friendly:
        return cheapest
    dearest = max(winners, key=cost.__getitem__)
    return dearest if not ranks.trumps >> dearest & 1 else min(winners, key=cost.__getitem__)


def duck(ranks: Ranks, at: Position) -> int:
    """Throw the highest card that doesn't win; if all win, go high when last, else low."""
    cost, beats = ranks.cost, ranks.beats
    losers = at.may if at.friendly else at.may & ~beats[at.best]
    if losers:
        return max(members(losers), key=cost.__getitem__)
    return (min if at.foes else max)(members(at.may), key=cost.__getitem__)

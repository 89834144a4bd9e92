"""Deals brought into a given situation, so that a rule can be asked about just that."""

from collections.abc import Iterable, Sequence

import kibitz
from kibitz.cards import mask_of
from kibitz.phases import Trick
from kibitz.placing import sums


def cards(game: kibitz.Game, codes: str) -> list[int]:
    return [game.cards.card(code) for code in codes.split()]


def stacked(game: kibitz.Game, dealer: int, hands: dict[int, str], stock: str = "") -> list[str]:
    """Return a deck that deals some cards to some places, and puts some on top of the stock."""
    layout = game.layouts[dealer]
    deck: list[str | None] = [None] * len(game.deck)
    wanted = [*hands.items()]
    for place, codes in wanted:
        positions = [p for one, some in layout.hands if one == place for p in some]
        for position, code in zip(positions, codes.split(), strict=False):
            deck[position] = code
    for position, code in zip(layout.stock, stock.split(), strict=False):
        deck[position] = code
    rest = iter([c for c in (game.cards.codes[n] for n in game.deck) if c not in deck])
    return [code if code is not None else next(rest) for code in deck]


def holding(
    game: kibitz.Game,
    hand: str,
    table: str = "",
    *,
    trump: str | None = None,
    place: int = 0,
    stock: bool = False,
) -> kibitz.Deal:
    """Return a deal in which a place is to play, from a hand, to some cards on the table."""
    deal = game.new_deal(kibitz.shuffle(game, 1), cut=kibitz.cut(game, 0, 1))
    on_table = cards(game, table)
    first = (place - len(on_table)) % game.places
    order = tuple((first + i) % game.places for i in range(game.places))
    suit = None if trump is None else game.cards.suits.index(trump)
    deal.hands[place] = mask_of(cards(game, hand))
    deal.trump, deal.table, deal.phase = suit, on_table, Trick.of(order, suit)
    deal.place = place
    deal.turn = deal.players[place]
    if not stock:
        deal.stock = ()
    return deal


def winner(game: kibitz.Game, order: Sequence[int], codes: str, trump: str | None) -> int:
    """Return which of the places that played these cards in turn wins the trick."""
    suits = (*game.cards.suits, "X")
    suit = None if trump is None else suits.index(trump)
    return order[game.wins(cards(game, codes), suit)]


def scores_of(game: kibitz.Game, results: Iterable[Sequence[float]]) -> kibitz.Match:
    """Return a match with these deal scores, as if it had been played."""
    match = game.new_match()
    for scores in results:
        assert not match.over, "the match was over before"
        match.results.append(tuple(scores))
        match.totals = sums(match.results, game.seats)
        match.over = game.finished(match.results)
    return match

"""Playing a whole deal to its end by the rules of thumb, quickly: what ``search`` judges by."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.bots import whiskey, whos_who
from kibitz.bots.judges import JUDGES
from kibitz.bots.sides import sides
from kibitz.bots.thumbs import Position, Ranks, choose
from kibitz.bots.wishes import prize_wanted, tricks_wanted
from kibitz.phases import Trick

if TYPE_CHECKING:
    from random import Random

    from kibitz.deal import Deal
    from kibitz.game import Game


class Playouts:
    """Plays deals of one game to the end. All cards are open to it: the deals are imagined."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.judge = JUDGES.get(game.name)
        self._ranks: dict[int | None, Ranks] = {}

    def ranks(self, trump: int | None) -> Ranks:
        """Return what beats what with a trump suit."""
        found = self._ranks.get(trump)
        if found is None:
            found = self._ranks[trump] = Ranks(self.game, trump)
        return found

    def finish(self, deal: Deal, rng: Random) -> tuple[float, ...]:
        """Play a deal to its end and return its scores."""
        ranks = self.ranks(deal.trump)
        while deal.turn is not None:
            if type(deal.phase) is Trick and self.game.name == "whos_who":
                deal.apply(whos_who.card_of(deal, rng))
            elif type(deal.phase) is Trick:
                deal.apply(choose(ranks, self._position(deal, deal.phase)))
            else:
                deal.apply(self._call(deal, rng))
                ranks = self.ranks(deal.trump)
        if deal.scores is None:
            raise ValueError("a deal that is over has scores")
        return deal.scores

    def _call(self, deal: Deal, rng: Random) -> int:
        legal = deal.legal()
        if len(legal) == 1:
            return legal[0]
        if self.judge is not None:
            return self.judge.call_of(deal)
        if legal[0].is_card or legal[0].code != "pass":
            return legal[int(rng.random() * len(legal))]
        return legal[0]

    def _position(self, deal: Deal, trick: Trick) -> Position:
        game, table, order, place = self.game, deal.table, trick.order, deal.place
        hands = deal.hands
        may = game.may_play(deal, hands[place])
        if not may & (may - 1):
            return Position(may, -1, False, 0, 0, 0, True)
        contract = deal.contract
        declarer = contract.declarer if contract.declarer >= 0 else None
        side = sides(game, deal.players, declarer, contract.partner)
        mine = side[place]
        foes = friends = out = 0
        for at in order[len(table) + 1 :]:
            if side[at] == mine:
                friends += 1
            else:
                foes += 1
                out |= hands[at]
        if table:
            winner = game.wins(table, deal.trump)
            best, friendly = table[winner], side[order[winner]] == mine
        else:
            best, friendly = -1, False
        return Position(may, best, friendly, foes, friends, out, self._wanted(deal, side))

    def _wanted(self, deal: Deal, side: tuple[int, ...]) -> bool:
        if deal.stock and self.game.name == "german_whist":
            return prize_wanted(self.game, deal.trump, deal.stock[0])
        if self.game.name == "whiskey":
            declarer = side[deal.contract.declarer]
            taken = sum(count for at, count in enumerate(deal.taken) if side[at] == declarer)
            return whiskey.needs_of(deal, taken) > 0
        return tricks_wanted(self.game, deal.number, deal.contract.name)

"""``careful``: rules of thumb, in all games."""

from __future__ import annotations

from typing import TYPE_CHECKING

from kibitz.bot import Bot
from kibitz.bots import whiskey, whos_who
from kibitz.bots.judges import JUDGES
from kibitz.bots.sides import sides
from kibitz.bots.thumbs import Position, Ranks, choose
from kibitz.bots.wishes import prize_wanted, tricks_wanted
from kibitz.cards import mask_of

if TYPE_CHECKING:
    from kibitz.actions import Action
    from kibitz.game import Game
    from kibitz.view import View


class Careful(Bot):
    """Counts the cards that are out, wins as cheaply as will do, and bids what it holds."""

    name = "careful"

    def __init__(self) -> None:
        self._ranks: dict[tuple[Game, int | None], Ranks] = {}

    def play(self, view: View) -> Action | int:
        """Return what the rules of thumb say."""
        legal = view.legal
        if len(legal) == 1:
            return legal[0]
        if legal[0].is_card and view.game.name == "whos_who":
            return whos_who.card(view)
        if legal[0].is_card:
            return choose(self.ranks(view.game, view.fold.trump), position(view))
        judge = JUDGES.get(view.game.name)
        if judge is not None:
            return judge.call(view)
        return next((call for call in legal if call.code == "pass"), legal[0])

    def ranks(self, game: Game, trump: int | None) -> Ranks:
        """Return what beats what in a game with a trump suit."""
        found = self._ranks.get((game, trump))
        if found is None:
            found = self._ranks[game, trump] = Ranks(game, trump)
        return found


def position(view: View) -> Position:
    """Return what the rules of thumb look at, out of what a seat knows."""
    fold, game, place = view.fold, view.game, view.place
    players = tuple(
        at if at < game.seats or fold.declarer is None else fold.declarer
        for at in range(game.places)
    )
    side = sides(game, players, fold.declarer, fold.partner)
    cards = [card for _, card in fold.trick]
    winner = game.wins(cards, fold.trump) if cards else 0
    # Who has played to the trick holds a card less than who is still to play.
    after = [at for at in range(game.places) if at != place and fold.held[at] == fold.held[place]]
    foes = [at for at in after if side[at] != side[place]]
    out = 0
    for at in foes:
        out |= fold.shown[at]
        if fold.shown[at].bit_count() < fold.held[at]:
            out |= fold.unseen
    return Position(
        may=mask_of(view.legal),
        best=cards[winner] if cards else -1,
        friendly=bool(cards) and side[fold.trick[winner][0]] == side[place],
        foes=len(foes),
        friends=len(after) - len(foes),
        out=out,
        wanted=_wanted(view, side),
    )


def _wanted(view: View, side: tuple[int, ...]) -> bool:
    fold = view.fold
    if fold.turned and fold.stock:
        return prize_wanted(view.game, fold.trump, fold.turned[0])
    if view.game.name == "whiskey" and fold.declarer is not None:
        taken = sum(count for at, count in enumerate(fold.taken) if side[at] == side[fold.declarer])
        return whiskey.needs(view, taken) > 0
    contract = view.contract
    return tricks_wanted(view.game, view.number, "" if contract is None else contract.code)

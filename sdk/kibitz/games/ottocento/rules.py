"""The rules of Ottocento for three (Tarocchino Bolognese)."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Final

from kibitz.actions import Action, Actions
from kibitz.cards import BIT, mask_of, members
from kibitz.deal import Contract, Deal
from kibitz.events import STOCK, What
from kibitz.game import Game, Scores
from kibitz.games.ottocento.melds import (
    KINDS,
    MEMBERS,
    is_meld,
    openable,
    pile_points,
    points,
    steps,
)
from kibitz.games.ottocento.pack import (
    BARRED,
    COUNTING,
    EMPTY,
    EMPTY_CARDS,
    FOOL,
    PACK,
    TRUMPS,
    UNIFORM,
    half_points,
)
from kibitz.games.ottocento.piles import Piles
from kibitz.layout import Layout
from kibitz.options import End, end, option
from kibitz.phases import NOBODY, Auction, Declare, Exchange, Phase, Scored, Trick
from kibitz.placing import sums

if TYPE_CHECKING:
    from kibitz.view import View

TRUMP_CARDS: Final = PACK.suit_masks[TRUMPS]
FOOL_CARD: Final = BIT[FOOL]
DISCARDABLE: Final = members(mask_of(range(62)) & ~BARRED)
SHOWABLE: Final = members(mask_of(card for kind in MEMBERS.values() for card in members(kind)))
ACTIONS: Final = Actions(
    PACK,
    ["pass", "play", "solo"],
    [f"discard:{PACK.codes[card]}" for card in DISCARDABLE],
    [f"declare:{kind}" for kind in KINDS],
    [f"show:{PACK.codes[card]}" for card in SHOWABLE],
    ["done"],
)
PASS: Final = ACTIONS.find("pass")
PLAY: Final = ACTIONS.find("play")
SOLO: Final = ACTIONS.find("solo")
DONE: Final = ACTIONS.find("done")
DECLARE: Final = dict(zip(KINDS, ACTIONS.starting("declare"), strict=True))
KIND: Final = {action: kind for kind, action in DECLARE.items()}
SHOW: Final = dict(zip(SHOWABLE, ACTIONS.starting("show"), strict=True))
SHOWN: Final = [NOBODY if action.card is None else action.card for action in ACTIONS]
"""The card of each action, if it is about one."""
SLAM: Final = 40
LAST_TRICK: Final = 6


@lru_cache(maxsize=4096)
def offers(held: int) -> tuple[Action, ...]:
    """Return how a declaration may begin: with any kind that the hand has a meld of, or done."""
    return (*(DECLARE[kind] for kind in openable(held)), DONE)


@lru_cache(maxsize=65536)
def leads(kind: str, held: int, shown: int) -> tuple[Action, ...]:
    """Return what may follow in an open meld: cards that lead on, or its end where it is one."""
    more = [SHOW[card] for card in steps(kind, held, shown)]
    return (*more, DONE) if is_meld(kind, shown) else tuple(more)


def open_meld(said: tuple[Action, ...]) -> tuple[str | None, int]:
    """Return the kind of the meld that a declaration is in, if it is in one, and its cards."""
    shown = 0
    for place in range(len(said) - 1, -1, -1):
        step = said[place]
        card = SHOWN[step]
        if card == NOBODY:
            return KIND.get(step), shown
        shown |= BIT[card]
    return None, 0


def melds(said: Sequence[Action]) -> dict[str, int]:
    """Return the melds of a declaration by kind."""
    found: dict[str, int] = {}
    shown = 0
    for place in range(len(said) - 1, -1, -1):
        card = SHOWN[said[place]]
        if card != NOBODY:
            shown |= BIT[card]
        elif said[place] in KIND:
            found[KIND[said[place]]] = shown
            shown = 0
    return found


@dataclass(frozen=True)
class OttocentoOptions(Game):
    """What can be agreed on before a match of Ottocento."""

    deal: str = option("18+8", "19+5")
    loss: str = option("shared", "each")
    pips: str = option("bologna", "uniform")
    end: str = end("deals:12", End("deals", step=3))


class Ottocento(OttocentoOptions):
    """Three players, counter-clockwise: Declarer against two Defenders."""

    name = "ottocento"
    title = "Ottocento"
    cards = PACK
    actions = ACTIONS
    seats = 3
    places = 3
    sides = 3

    def layout(self, dealer: int) -> Layout:
        """Three packets each from Eldest on, sixes or at last sevens; the rest is the stock."""
        last = 6 if self.deal == "18+8" else 7
        hands = []
        for i in range(3):
            packets = [*range(6 * i, 6 * i + 6), *range(18 + 6 * i, 24 + 6 * i)]
            packets += range(36 + last * i, 36 + last * i + last)
            hands.append(((dealer + 1 + i) % 3, packets))
        return Layout(hands, stock=range(36 + 3 * last, 62))

    # Auction and discard.

    def start(self, deal: Deal) -> Phase:
        """Trumps are always the same. Each speaks once, Eldest first."""
        deal.set_trump(TRUMPS)
        return Auction((deal.dealer + 1) % 3)

    def may_call(self, deal: Deal, auction: Auction) -> tuple[Action, ...]:
        """Only Solo goes above a bid to play."""
        bid = any(call == PLAY for _, call in auction.calls)
        return (PASS, SOLO) if bid else (PASS, PLAY, SOLO)

    def after_call(self, deal: Deal, auction: Auction) -> Phase:
        """Solo ends the auction at once; three passes throw the cards in."""
        seat, call = auction.calls[-1]
        if call != SOLO and len(auction.calls) < 3:
            return auction.ask((seat + 1) % 3)
        player = next((one for one in reversed(auction.calls) if one[1] != PASS), None)
        return Scored((0, 0, 0)) if player is None else self.settle(deal, player[0], player[1])

    def settle(self, deal: Deal, declarer: int, call: Action) -> Phase:
        """To play, Declarer takes the stock, shown to all unless he is Eldest, and discards."""
        deal.contract = Contract(declarer, name=call.code)
        deal.tell(What.CONTRACT, declarer, call)
        stock = mask_of(deal.stock)
        deal.notes = Piles(stock=stock)
        if call == SOLO:
            return Declare(declarer)
        count = len(deal.stock)
        shown = declarer != (deal.dealer + 1) % 3
        if shown:
            for card in deal.stock:
                deal.turn_up(card)
        for _ in range(count):
            deal.draw(declarer, face_up=shown)
        return Exchange(declarer, count)

    def may_discard(self, deal: Deal, hand: int) -> int:
        """Anything but Honours and kings."""
        return hand & ~BARRED

    def after_exchange(self, deal: Deal, exchange: Exchange) -> Phase:
        """The discards lie with Declarer's pile."""
        deal.notes = Piles(discards=exchange.away, stock=self.piles(deal).stock)
        return Declare(exchange.place)

    def piles(self, deal: Deal) -> Piles:
        """Return the piles of a deal."""
        piles: Piles = deal.notes
        return piles

    # Declarations.

    def may_declare(self, deal: Deal, declare: Declare) -> tuple[Action, ...]:
        """Open a meld of a later kind, or end; in a meld show what leads on, or close it."""
        hand, said = deal.hands[declare.place], declare.said
        if not said:
            return offers(hand)
        kind, shown = open_meld(said)
        if kind is None:
            last = max([step for step in said if step in KIND])
            return tuple([step for step in offers(hand) if step > last])
        return leads(kind, hand & MEMBERS[kind], shown)

    def after_declare(self, deal: Deal, declare: Declare) -> Phase:
        """A done that closes no meld ends the turn; Declarer leads when all have declared."""
        if declare.said[-1] != DONE or open_meld(declare.said[:-1])[0] is not None:
            return declare
        declarer, seat = deal.contract.declarer, declare.place
        said, piles = points(melds(declare.said)), self.piles(deal)
        if seat == declarer:
            deal.notes = piles.counting(said, piles.declared_against)
        else:
            deal.notes = piles.counting(piles.declared, piles.declared_against + said)
        following = (seat + 1) % 3
        if following != declarer:
            return Declare(following)
        return Trick.of(self.clockwise(declarer), TRUMPS)

    # Play.

    def may_play(self, deal: Deal, hand: int) -> int:
        """Follow suit, else trump, else anything; the Fool always."""
        table = deal.table
        if not table or (table[0] == FOOL and len(table) == 1):
            return hand
        led = table[0] if table[0] != FOOL else table[1]
        follow = hand & PACK.same_suit[led] or hand & TRUMP_CARDS
        return follow | hand & FOOL_CARD if follow else hand

    def wins(self, cards: list[int], trump: int | None) -> int:
        """The highest trump or card of the suit led; of Moors the last; never the Fool."""
        led = cards[1] if cards[0] == FOOL and len(cards) > 1 else cards[0]
        worth = self._values[trump][led]
        best, winner = -2, 0
        for i, card in enumerate(cards):
            if worth[card] >= best:
                best, winner = worth[card], i
        return winner

    def ranking(self, trump: int | None, led: int) -> Sequence[int]:
        """Trumps, then the suit led, in the order of its pips; all others lose."""
        strengths = UNIFORM if self.pips == "uniform" else PACK.strength
        return [
            -1 if card == FOOL else worth + (200 if suit == trump else 100 if suit == led else 0)
            for card, (suit, worth) in enumerate(zip(PACK.suit, strengths, strict=True))
        ]

    def after_trick(self, deal: Deal, trick: Trick) -> Phase:
        """The trick goes to its side, the Fool to its own; a debt for it is paid when it can be."""
        table = deal.table
        winner = trick.order[self.wins(table, TRUMPS)]
        piles: Piles = deal.notes
        mine, theirs, owing = piles.declarer, piles.defenders, piles.owing
        declarer = deal.contract.declarer
        won = BIT[table[0]] | BIT[table[1]] | BIT[table[2]]
        if won & FOOL_CARD:
            player = trick.order[table.index(FOOL)]
            if (player == declarer) != (winner == declarer):
                won ^= FOOL_CARD
                owing = player
                if player == declarer:
                    mine |= FOOL_CARD
                else:
                    theirs |= FOOL_CARD
        if winner == declarer:
            mine |= won
        else:
            theirs |= won
        deal.notes = piles.moved(mine, theirs, piles.discards, owing)
        trick.taken_by(deal, winner)
        paying = mine | piles.discards if owing == declarer else theirs
        if owing != NOBODY and EMPTY_CARDS & paying:
            self.pay(deal, EMPTY)
        return trick.led_by(winner) if deal.hands[winner] else self.finish(deal, winner)

    def pay(self, deal: Deal, with_cards: Sequence[int]) -> None:
        """Give the other side a card for the Fool, if it is owed and there is one."""
        piles = self.piles(deal)
        if piles.owing == NOBODY:
            return
        mine, theirs, discards, owing = (
            piles.declarer,
            piles.defenders,
            piles.discards,
            piles.owing,
        )
        by_declarer = owing == deal.contract.declarer
        pile = mine | discards if by_declarer else theirs
        card = next((card for card in with_cards if pile & BIT[card]), None)
        if card is None:
            return
        bit = BIT[card]
        deal.tell(What.GIVEN, owing, card)
        mine, theirs = (mine & ~bit, theirs | bit) if by_declarer else (mine | bit, theirs & ~bit)
        deal.notes = piles.moved(mine, theirs, discards & ~bit, NOBODY)

    def kept(self, view: "View") -> int:
        """Discards pay for the Fool too, so none of them comes before what was paid with."""
        if not view.fold.played & FOOL_CARD:
            return 0
        pays, mask, owing = (*EMPTY, *COUNTING), 0, False
        events = view.events
        for (what, place, detail, _), after in zip(events, [*events[1:], None], strict=True):
            if what is What.PLAYED and detail == FOOL:
                owing = place == view.declarer
            elif what is What.GIVEN and owing:
                mask |= mask_of(pays[: pays.index(detail)])
                owing = False
            elif what is What.WON and owing and (after is None or after.what is not What.GIVEN):
                mask |= mask_of(EMPTY)
        return mask

    # Count.

    def finish(self, deal: Deal, last: int) -> Phase:
        """Debts are settled, hidden cards shown, discards and a Solo's stock join the piles."""
        declarer = deal.contract.declarer
        tricks, all_tricks = deal.taken[declarer], sum(deal.taken)
        if 0 < tricks < all_tricks:
            self.pay(deal, COUNTING)
        self.reveal(deal)
        piles = self.piles(deal)
        solo = deal.contract.name == SOLO.code
        stock = piles.stock if solo else 0
        mine = piles.declarer | piles.discards | (stock if last == declarer else 0)
        theirs = piles.defenders | (0 if last == declarer else stock)
        if tricks == 0:
            mine, theirs = 0, mine | theirs
        elif tricks == all_tricks:
            mine, theirs = mine | theirs, 0
        deal.notes = piles.moved(mine, theirs, 0, piles.owing)
        if tricks in {0, all_tricks}:
            return Scored(self.payment(declarer, won=tricks > 0, g=SLAM))
        totals = self.totals(deal, last)
        return Scored(self.settlement(declarer, totals[0], totals[1]))

    def reveal(self, deal: Deal) -> None:
        """At the count everybody sees what lay hidden: the stock and the discards."""
        piles, declarer = self.piles(deal), deal.contract.declarer
        if deal.contract.name == SOLO.code or declarer == (deal.dealer + 1) % 3:
            deal.reveal(piles.stock, STOCK)
        deal.reveal(piles.discards, declarer)

    def totals(self, deal: Deal, last: int) -> tuple[int, int]:
        """Return the half points of Declarer and Defenders at the end of play."""
        piles, declarer = self.piles(deal), deal.contract.declarer
        mine = 2 * piles.declared + self.count(piles.declarer)
        theirs = 2 * piles.declared_against + self.count(piles.defenders)
        if last == declarer:
            return mine + 2 * LAST_TRICK, theirs
        return mine, theirs + 2 * LAST_TRICK

    def count(self, pile: int) -> int:
        """Return the half points of a pile: its cards and its combinations."""
        return half_points(pile) + 2 * pile_points(pile)

    def settlement(self, declarer: int, mine: int, theirs: int) -> Scores:
        """The winner's total counts, in fifties; a tie is lost by Declarer."""
        return self.payment(declarer, won=mine > theirs, g=(max(mine, theirs) + 8) // 100)

    def payment(self, declarer: int, *, won: bool, g: int) -> Scores:
        """Return the scores: G against each Defender if won, G between them if lost."""
        if won:
            mine, each = 2 * g, float(-g)
        elif self.loss == "each":
            mine, each = -2 * g, float(g)
        else:
            mine, each = -g, g / 2
        return tuple(mine if seat == declarer else each for seat in range(3))

    def worst(self, offender: int) -> Scores:
        """A slam of the Defenders."""
        return self.payment(offender, won=False, g=SLAM)

    def returns(self, results: Sequence[Scores]) -> Scores:
        """The game points, which are zero-sum."""
        return sums(results, 3)

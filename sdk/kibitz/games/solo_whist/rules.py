"""The rules of Solo Whist."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from kibitz.actions import Action
from kibitz.cards import FRENCH
from kibitz.deal import Contract, Deal
from kibitz.events import What
from kibitz.game import Game, Scores
from kibitz.games.solo_whist.bidding import (
    ACTIONS,
    IRISH_LADDER,
    PROP,
    TRUMPS,
    AuctionRules,
    Turn,
    denomination,
)
from kibitz.games.solo_whist.contracts import (
    BIDDER_LEADS,
    CONTRACTS,
    HIGH,
    NAMED,
    SLAM_CONTRACTS,
    TURNED,
    Terms,
    irish,
)
from kibitz.games.solo_whist.gathering import check_row, gathered
from kibitz.layout import Layout
from kibitz.options import Allowed, End, option
from kibitz.phases import NOBODY, Auction, Choice, Phase, Scored, Trick
from kibitz.placing import sums
from kibitz.relabel import Relabelling, exchanges
from kibitz.shuffle import Stream, key_of

if TYPE_CHECKING:
    from kibitz.view import View

DUMMY: Final = 3
SHOWN: Final = What.SHOWN  # members of enumerations are slow to look up
CONTRACT: Final = What.CONTRACT
PACKETS: Final = {
    "33331": [(3, 3, 3, 3)] * 4 + [(1, 1, 1, 1)],
    "rotating4": [(4, 3, 3, 3), (3, 4, 3, 3), (3, 3, 4, 3), (3, 3, 3, 4)],
    "ones": [(1, 1, 1, 1)] * 13,
}
CYCLES: Final[Mapping[str, tuple[int | None, ...]]] = {
    "cycle": (2, 0, 1, 3),
    "cycle_nt": (2, 0, 1, 3, None),
}
ENDS: Final = Allowed(
    ends=(End("deals"),),
    words="deals:N with N a multiple of 4; of 3 with variant=irish3, where the default is deals:15",
)


@dataclass(frozen=True)
class SoloWhistOptions(Game):
    """What can be agreed on before a match of Solo Whist."""

    deal: str = option("33331", "rotating4", "ones")
    trump: str = option("turn_up", "second_pack", "cycle", "cycle_nt")
    shuffle: str = option("each", "after_high", "never")
    prop: bool = option(True, False)
    prop_need: int = option(8, 7)
    uncopped: str = option("throw_in", "raise", "raise_solo")
    rounds: str = option("settle", "single")
    declared_trump: str = option("none", "bidder")
    slams: bool = option(False, True)
    overtricks: int = option(0, 4, 5, 6)
    variant: str = option("standard", "irish", "irish3")
    all_pass: str = option("next_dealer", "same_dealer")
    play_out: str = option("auto", "always")
    end: str = field(default="", metadata={"allowed": ENDS})


class SoloWhist(SoloWhistOptions):
    """Four players, each for himself over the match; alliances last one deal."""

    name = "solo_whist"
    title = "Solo Whist"
    cards = FRENCH
    actions = ACTIONS
    presets = {  # noqa: RUF012
        "morris_fagelson": {
            "prop_need": 7,
            "rounds": "single",
            "uncopped": "raise_solo",
            "declared_trump": "bidder",
        },
        "straight": {"prop": False},
        "high_scoring": {"shuffle": "after_high"},
        "different_trumps": {"trump": "second_pack"},
        "grand_slam": {"prop": False, "slams": True, "shuffle": "after_high", "trump": "cycle"},
        "overtricks": {"overtricks": 4},
        "irish": {"variant": "irish"},
        "irish3": {"variant": "irish3"},
    }
    seats = 4
    places = 4
    sides = 4
    standard: bool
    """Whether the contracts are those of Solo, not the Irish ones."""
    openings: tuple[Turn, ...]
    """The first turn of the auction, by dealer."""
    terms_of: dict[int, Terms]
    """What each contract asks for and is worth."""

    def __post_init__(self) -> None:
        """Three-handed Irish has a seat less, and other lengths of a match."""
        three = self.variant == "irish3"
        if three:
            self._set("seats", 3)
            self._set("sides", 3)
        if not self.end:
            self._set("end", "deals:15" if three else "deals:16")
        self._set("standard", self.variant == "standard")
        super().__post_init__()
        rules = self.auction_rules()
        self._set("openings", tuple(rules.opening(dealer) for dealer in range(self.seats)))
        calls = self.contracts if self.standard else IRISH_LADDER
        self._set("terms_of", {int(call): self.terms(call) for call in calls})

    def check(self) -> None:
        """Everybody deals equally often; Irish has no high contracts to shuffle after."""
        n = int(self.end.partition(":")[2])
        if n % self.seats:
            message = f"end must be deals:N with N a multiple of {self.seats}, not {self.end}"
            raise self.clash(message, "end")
        if not self.standard and self.shuffle == "after_high":
            raise self.clash(f"variant={self.variant} needs shuffle=each or never", "shuffle")

    # Deal and prospective trumps.

    def layout(self, dealer: int) -> Layout:
        """Packets go round from eldest, in Irish for three to the dummy before the dealer."""
        others = [(dealer + 1 + i) % self.seats for i in range(self.seats - 1)]
        receivers = [*others, *range(self.seats, 4), dealer]
        positions: dict[int, list[int]] = {place: [] for place in receivers}
        top = 0
        for packets in PACKETS[self.deal]:
            for place, size in zip(receivers, packets, strict=True):
                positions[place] += range(top, top + size)
                top += size
        open_cards = [51] if self.turns_up else positions[DUMMY] if self.seats == 3 else []
        return Layout(list(positions.items()), face_up=open_cards)

    @property
    def turns_up(self) -> bool:
        """Whether dealer's last card is turned up for the prospective trumps."""
        return self.standard and self.trump == "turn_up"

    def needs_cut(self, number: int) -> bool:
        """A card of a second pack gives the suit, if so agreed."""
        return self.standard and self.trump == "second_pack"

    def relabellings(self, number: int) -> tuple[Relabelling, ...]:
        """All suits are alike, but trumps of a cycle stay; Irish bids rank the suits."""
        if not self.standard:
            return exchanges(4, range(4))
        trump = self.trump_of(number)
        return exchanges(4, [] if trump is None else [trump])

    def trump_of(self, number: int) -> int | None:
        """Return the prospective trump suit of a deal as far as its number says it."""
        if self.trump not in CYCLES:
            return None
        cycle = CYCLES[self.trump]
        return cycle[number % len(cycle)]

    def start(self, deal: Deal) -> Phase:
        """The prospective trump suit is shown, and eldest calls first."""
        if self.turns_up:
            deal.tell(SHOWN, deal.dealer, deal.deck[51])
        elif deal.cut is not None:
            deal.tell(What.CUT, deal.dealer, deal.cut)
        deal.notes = self.openings[deal.dealer]
        return Auction((deal.dealer + 1) % self.seats)

    def turned(self, deal: Deal) -> int | None:
        """Return the prospective trump suit: of the card shown, or by the number of the deal."""
        if self.trump in CYCLES:
            return self.trump_of(deal.number)
        return FRENCH.suit[deal.deck[51] if deal.cut is None else deal.cut]

    # Auction.

    @property
    def contracts(self) -> Mapping[Action, Terms]:
        """The contracts of Solo, lowest first."""
        return SLAM_CONTRACTS if self.slams else CONTRACTS

    def auction_rules(self) -> AuctionRules:
        """Return how the options have it called."""
        if not self.standard:
            return AuctionRules(
                self.seats, IRISH_LADDER, prop=False, uncopped="throw_in", single=False
            )
        ladder = tuple(call for call in self.contracts if call != PROP)
        single = self.rounds == "single"
        return AuctionRules(4, ladder, prop=self.prop, uncopped=self.uncopped, single=single)

    def may_call(self, deal: Deal, auction: Auction) -> tuple[Action, ...]:
        """Pass; propose or accept; or bid any higher contract."""
        turn: Turn = deal.notes
        return turn.calls

    def after_call(self, deal: Deal, auction: Auction) -> Phase:
        """The next one calls, until a contract is settled or the cards are thrown in."""
        turn: Turn = deal.notes
        following = deal.notes = turn.after(auction.calls[-1][1])
        if following.seat != NOBODY:
            return auction.ask(following.seat)
        if following.contract is None:
            return Scored((0,) * self.seats)
        return self.settle(deal, following.contract)

    def keeps_dealer(self, deal: Deal) -> bool:
        """After a deal thrown in, if so agreed."""
        return self.all_pass == "same_dealer" and deal.contract.declarer == NOBODY  # noqa: S105

    # Contract and play.

    def settle(self, deal: Deal, contract: Contract) -> Phase:
        """The contract stands; in some its maker names trumps."""
        declarer, call, _, partner, name = contract
        deal.contract, deal.notes = contract, self.terms_of[call]
        deal.tell(CONTRACT, declarer, call)
        if partner != NOBODY:
            deal.tell(What.PARTNER, partner, declarer)
        if name in NAMED or (name == "declared" and self.declared_trump == "bidder"):
            return Choice(declarer, TRUMPS)
        if not self.standard:
            return self.lead(deal, denomination(ACTIONS[call]))
        return self.lead(deal, self.turned(deal) if name in TURNED else None)

    def after_choice(self, deal: Deal, choice: Choice, action: Action) -> Phase:
        """Trumps have been named."""
        return self.lead(deal, TRUMPS.index(action))

    def lead(self, deal: Deal, trump: int | None) -> Phase:
        """Eldest leads, but the bidder in contracts that need nearly every trick."""
        declarer = deal.contract.declarer
        deal.set_trump(trump)
        ring = self.clockwise(declarer)
        if self.seats == 3:
            deal.players = (0, 1, 2, declarer)
            ring = (ring[0], ring[1], DUMMY, ring[2])
        eldest = (deal.dealer + 1) % self.seats
        first = declarer if deal.contract.name in BIDDER_LEADS else eldest
        return Trick.of(ring, trump).led_by(first)

    def after_trick(self, deal: Deal, trick: Trick) -> Phase:
        """Play goes on until the contract is decided; an open misere is shown after one trick."""
        winner = trick.won(deal)
        if self.ended(deal):
            return self.score(deal)
        if deal.contract.name == "ouverte" and sum(deal.taken) == 1:
            deal.show(deal.contract.declarer)
        return trick.led_by(winner)

    def terms(self, call: Action) -> Terms:
        """Return what a contract asks for and is worth."""
        if not self.standard:
            return irish(call)
        terms = self.contracts[call]
        return Terms(self.prop_need, terms.units, terms.over) if call == PROP else terms

    def won(self, deal: Deal) -> int:
        """Return the tricks of the maker of the contract, with those of partner or dummy."""
        declarer, _, _, partner, _ = deal.contract
        with_it = DUMMY if self.seats == 3 else partner
        return deal.taken[declarer] + (0 if with_it == NOBODY else deal.taken[with_it])

    def ended(self, deal: Deal) -> bool:
        """Return whether no further trick is played."""
        a, b, c, d = deal.taken
        played = a + b + c + d
        if played == 13 or self.play_out == "always":
            return played == 13
        terms: Terms = deal.notes
        if terms.over and self.overtricks and self.standard:
            return False
        return terms.decided(self.won(deal), played)

    # Score.

    def score(self, deal: Deal) -> Scored:
        """Each opponent pays, or is paid, the units of the contract."""
        terms: Terms = deal.notes
        won, units = self.won(deal), terms.units
        if self.overtricks and self.standard:
            units = units * self.overtricks + terms.beyond(won) * (2 if self.slams else 1)
        unit = units if terms.made(won) else -units
        declarer, _, _, partner, _ = deal.contract
        scores = [-unit] * self.seats
        if partner == NOBODY:
            scores[declarer] = unit * (self.seats - 1)
        else:
            scores[declarer] = scores[partner] = unit
        return Scored(tuple(scores))

    def worst(self, offender: int) -> Scores:
        """The dearest contract lost."""
        dearest = 6 * (self.overtricks or 1) * (2 if self.slams else 1)
        unit = dearest if self.standard else 13
        lost = -unit * (self.seats - 1)
        return tuple(lost if seat == offender else unit for seat in range(self.seats))

    def returns(self, results: Sequence[Scores]) -> Scores:
        """The units, which are zero-sum."""
        return sums(results, self.seats)

    # The next deck.

    @property
    def duplicable(self) -> bool:
        """Only with fresh decks, and a dealer that moves on."""
        return self.fresh_decks and self.all_pass == "next_dealer"  # noqa: S105

    @property
    def fresh_decks(self) -> bool:
        """Unless the cards of the last deal are gathered for the next."""
        return self.shuffle == "each"

    def gathers(self, before: Deal | None) -> bool:
        """Unless this is the first deal, or one after a high contract."""
        if before is None or self.fresh_decks:
            return False
        return self.shuffle == "never" or before.contract.name not in HIGH

    def gather(self, before: Deal | None, seed: int | str | bytes) -> list[str]:
        """Return a deck gathered from a finished deal and cut."""
        if before is None:
            return super().gather(before, seed)
        luck = Stream(key_of(seed), "gather")
        return [FRENCH.codes[card] for card in gathered(before, luck)]

    def check_gathered(self, before: Deal | None, deck: Sequence[int]) -> None:
        """Raise ``DeckError`` if piles, tricks or unplayed hands do not lie together."""
        if before is not None and self.gathers(before):
            check_row(before, deck)

    def observe(self, view: "View", name: str) -> object:
        """Know the ``turned`` suit: the prospective trumps, ``None`` if there are none."""
        if name != "turned":
            return super().observe(view, name)
        if not self.standard:
            return None
        if self.trump in CYCLES:
            suit = self.trump_of(view.number)
        else:
            shown = next(e for e in view.events if e.what in {What.SHOWN, What.CUT})
            suit = FRENCH.suit[shown.detail]
        return None if suit is None else FRENCH.suits[suit]

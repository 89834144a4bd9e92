"""Whole deals of Ottocento replay exactly; settlement, forfeits and matches."""

import json
from math import floor
from pathlib import Path
from typing import Any

import kibitz
import pytest
from kibitz.cards import members
from kibitz.games.ottocento.melds import CRICCHE, KINDS, can_open, doubled, points, value
from kibitz.games.ottocento.pack import PACK, half_points
from kibitz.games.ottocento.rules import Ottocento
from kibitz.phases import Auction

from tests.sdk.rules.ottocento import PLAIN, codes, mask, melds
from tests.sdk.rules.situations import scores_of

EACH = Ottocento(loss="each")
DEALS: list[dict[str, Any]] = json.loads(
    Path(__file__).with_name("ottocento_deals.json").read_text(encoding="utf-8")
)


def deck_of(facts: dict[str, Any], game: Ottocento) -> list[str]:
    layout = game.layouts[facts["dealer"]]
    deck = [""] * 62
    for place, positions in layout.hands:
        for position, code in zip(positions, facts["dealt"][str(place)], strict=True):
            deck[position] = code
    for position, code in zip(layout.stock, facts["stock"], strict=True):
        deck[position] = code
    return deck


def declare_the_most(deal: kibitz.Deal) -> int:
    """Declare the largest meld of each kind; return what they are worth."""
    hand, shown = deal.hands[deal.place], {}
    for kind in KINDS:
        if can_open(kind, hand):
            shown[kind] = max(melds(kind, hand), key=int.bit_count)
            deal.play(f"declare:{kind}")
            for card in members(shown[kind]):
                deal.play(f"show:{PACK.codes[card]}")
            deal.play("done")
    deal.play("done")
    return points(shown)


def brought_to_play(facts: dict[str, Any]) -> tuple[Ottocento, kibitz.Deal]:
    """Return a deal of the file after its auction, discards and declarations."""
    game = Ottocento(deal="18+8" if facts["cards_each"] == 18 else "19+5")
    deal = game.new_deal(deck_of(facts, game), facts["dealer"], 2)
    assert deal.turn == facts["eldest"]
    while deal.turn != facts["declarer"]:
        deal.play("pass")
    deal.play(facts["contract"].lower())
    while isinstance(deal.phase, Auction):
        deal.play("pass")
    for code in facts["discards"] or ():
        deal.play(f"discard:{code}")
    for _ in range(3):
        seat = deal.turn or 0
        assert declare_the_most(deal) == facts["declared"][seat]
    return game, deal


@pytest.mark.parametrize("facts", DEALS, ids=lambda facts: f"TV15-{facts['name']}")
def test_sample_deals(facts: dict[str, Any]) -> None:
    game, deal = brought_to_play(facts)
    assert deal.turn == facts["declarer"]
    winners: list[int] = []
    exchange: list[str | None] = []
    for number, code in enumerate(facts["plays"], 1):
        start = len(deal.events)
        deal.play(code)
        if number % 3 == 0:
            news = {event.what: event for event in deal.events[start:]}
            winners.append(news[kibitz.What.WON].place)
            given = news.get(kibitz.What.GIVEN)
            exchange.append(None if given is None else PACK.codes[given.detail])
    assert winners == facts["winners"]
    assert exchange == facts["exchange"]
    check_count(facts, game, deal, winners[-1])


def check_count(facts: dict[str, Any], game: Ottocento, deal: kibitz.Deal, last: int) -> None:
    declarer = facts["declarer"]
    piles = game.piles(deal)
    assert codes(piles.declarer) == facts["pile_declarer"]
    assert codes(piles.defenders) == facts["pile_defenders"]
    assert deal.taken[declarer] == facts["tricks"]["D"]
    assert ("D" if last == declarer else "O") == facts["last_trick"]
    for side, pile in (("D", piles.declarer), ("O", piles.defenders)):
        assert half_points(pile) / 2 == facts["card_points"][side]
        worth = {kind: value(kind, pile) for kind in KINDS if value(kind, pile)}
        of_a_kind = {kind: its for kind, its in worth.items() if kind in CRICCHE}
        in_order = {
            f"suit {kind}" if kind in "SBCD" else kind: its
            for kind, its in worth.items()
            if kind not in CRICCHE
        }
        assert [of_a_kind, doubled([*of_a_kind.values()])] == facts["cricche"][side]
        assert [in_order, doubled([*in_order.values()])] == facts["sequences"][side]
    mine, theirs = game.totals(deal, last)
    assert {"D": mine / 2, "O": theirs / 2} == facts["totals"]
    expected = list(facts["game_points"])
    assert deal.scores is not None
    others = [deal.scores[seat] for seat in range(3) if seat != declarer]
    assert [deal.scores[declarer], *others] == expected


# The table of section 10: totals of Declarer and Defenders, G, result, and with `loss=each`.
SETTLEMENT = [
    (300, 120, 6, 12, -6),
    (296, 120, 6, 12, -6),
    (295.5, 120.5, 5, 10, -5),
    (146, 130, 3, 6, -3),
    (145.5, 130.5, 2, 4, -2),
    (210, 210, 4, -4, 2),
    (200, 349, 7, -7, 3.5),
    (199, 196, 4, 8, -4),
    (195, 196, 4, -4, 2),
    (47, 46, 1, 2, -1),
    (46.5, 46.5, 1, -1, 0.5),
    (450, 449.5, 9, 18, -9),
]


def settled(game: Ottocento, declarer: float, defenders: float) -> tuple[float, ...]:
    return game.settlement(0, int(2 * declarer), int(2 * defenders))


@pytest.mark.parametrize(
    ("mine", "theirs", "g", "own", "other"),
    SETTLEMENT,
    ids=[f"TV13-{number}" for number in range(1, 13)],
)
def test_settlement(mine: float, theirs: float, g: int, own: float, other: float) -> None:
    assert settled(PLAIN, mine, theirs) == (own, other, other)
    each = (2 * g, -g, -g) if own > 0 else (-2 * g, g, g)
    assert settled(EACH, mine, theirs) == each


def test_tv13_row_7_with_loss_each() -> None:
    assert settled(EACH, 200, 349) == (-14, 7, 7)


def test_tv13_rounding_for_every_half_point() -> None:
    for half in range(186, 4001):
        total = half / 2
        to_next = -total % 50
        g = (total + to_next) / 50 if to_next <= 4 else floor(total / 50)
        assert settled(PLAIN, total, 0) == (2 * g, -g, -g)
        assert sum(settled(PLAIN, 0, total)) == sum(settled(EACH, 0, total)) == 0


def test_tv13_slams() -> None:
    assert PLAIN.payment(1, won=True, g=40) == (-40, 80, -40)
    assert PLAIN.payment(1, won=False, g=40) == (20, -40, 20)
    assert EACH.payment(1, won=False, g=40) == (40, -80, 40)


def test_tv14_settled_piles() -> None:
    s1 = mask(
        "ANG MON T16 T15 T13 T9 T6 MO1 MO2 MO3 BAG MAT SK SQ SN SA S9 S8 BK BQ BA B10 B6 CK CJ CA"
        " C7 DQ DN D6 D7 D8 D9 S7 S6"
    )
    rest = mask(" ".join(PACK.codes)) & ~s1
    mine, theirs = PLAIN.count(s1) + 12, PLAIN.count(rest)
    assert (mine / 2, theirs / 2) == (469.5, 39.5)
    assert PLAIN.settlement(0, mine, theirs) == (18, -9, -9)
    s3 = mask(
        "SOL T14 T12 T11 MO1 MO4 SK SJ S10 S9 BK BN BJ B9 CQ CN C6 C8 DK DJ DA D10 S6 S7 B7 B8 C9"
        " C10 BQ T5 T7 T8"
    )
    rest = mask(" ".join(PACK.codes)) & ~s3
    mine, theirs = PLAIN.count(s3), PLAIN.count(rest) + 12 + 2 * 17
    assert (mine / 2, theirs / 2) == (85, 285)
    assert PLAIN.settlement(0, mine, theirs) == (-5, 2.5, 2.5)


def test_forfeits() -> None:
    assert PLAIN.worst(2) == (20, 20, -40)
    assert EACH.worst(0) == (-80, 40, 40)


def test_returns_are_the_game_points() -> None:
    game = Ottocento(end="deals:3")
    match = scores_of(game, [(2.5, -5, 2.5), (0, 0, 0), (28, -14, -14)])
    assert match.returns == (30.5, -19, -11.5)


def test_half_points_stand_in_records_as_such() -> None:
    facts = next(facts for facts in DEALS if 3.5 in facts["game_points"])
    game, deal = brought_to_play(facts)
    for code in facts["plays"]:
        deal.play(code)
    match = Ottocento(end="deals:3").new_match()
    for _ in range(2):
        match.forfeit(match.new_deal(deal.deck), 0, "a test")
    again = match.new_deal(deal.deck)
    assert (again.dealer, game.deal) == (deal.dealer, "18+8")
    for _, action in deal.history:
        again.play(action)
    match.finish(again)
    text = match.record().to_json()
    assert '"scores":[3.5,3.5,-7]' in text.replace(" ", "").replace("\n", "")
    assert kibitz.Record.from_json(text).verify().returns == match.returns

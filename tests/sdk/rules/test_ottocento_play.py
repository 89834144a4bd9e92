"""Every test vector of Ottocento's auction, discards, play and Fool, by its id."""

import kibitz
import pytest
from kibitz.games.ottocento.pack import PACK, TRUMPS
from kibitz.games.ottocento.rules import ACTIONS, Ottocento
from kibitz.phases import Auction, Declare, Exchange, Trick

from tests.sdk.rules.ottocento import PLAIN, codes, mask, solo
from tests.sdk.rules.situations import cards

UNIFORM = Ottocento(pips="uniform")
FIRST = "SK S7 CA C10 T9 MO2 MAT"
SECOND = "SK S7 CA C10 T9 MO2"


def after(calls: str, game: Ottocento = PLAIN, seed: int = 1) -> kibitz.Deal:
    """Return a deal by seat 2 after some calls; Eldest is seat 0."""
    deal = game.new_deal(kibitz.shuffle(game, seed), dealer=2)
    for call in calls.split():
        assert isinstance(deal.phase, Auction), "the auction was over before"
        deal.play(call)
    return deal


@pytest.mark.parametrize(
    ("hand", "table", "legal"),
    [
        pytest.param(FIRST, "", FIRST, id="TV2-lead"),
        pytest.param(FIRST, "S9", "SK S7 MAT", id="TV2-S9"),
        pytest.param(FIRST, "C6", "CA C10 MAT", id="TV2-C6"),
        pytest.param(FIRST, "DK", "T9 MO2 MAT", id="TV2-DK"),
        pytest.param(FIRST, "T16", "T9 MO2 MAT", id="TV2-T16"),
        pytest.param(FIRST, "D7 ANG", "T9 MO2 MAT", id="TV2-D7 ANG"),
        pytest.param(SECOND, "MAT", SECOND, id="TV2-MAT"),
        pytest.param(SECOND, "MAT S6", "SK S7", id="TV2-MAT S6"),
        pytest.param(SECOND, "MAT MO4", "T9 MO2", id="TV2-MAT MO4"),
        pytest.param("SK S7 MAT", "DQ", "SK S7 MAT", id="TV2-nothing to follow with"),
        pytest.param("MAT", "DQ", "MAT", id="TV2-only the Fool"),
    ],
)
def test_legal_cards(hand: str, table: str, legal: str) -> None:
    deal = solo([hand, "", ""])
    deal.table = cards(PLAIN, table)
    assert set(deal.codes()) == set(legal.split())
    assert list(deal.legal()) == sorted(deal.legal())


@pytest.mark.parametrize(
    ("trick", "winner"),
    [
        *(
            pytest.param(trick, winner, id=f"TV3-{trick}")
            for trick, winner in (
                ("D7 D10 DA", 2), ("DA D6 D10", 0), ("C10 C9 C6", 2), ("DJ DA D6", 0),
                ("CK CQ CA", 0), ("SA S6 S10", 2), ("B7 BA B9", 2), ("SJ S10 SA", 0),
                ("S6 CK DK", 0), ("SK BAG CK", 1), ("SK MO1 T5", 2),
            )
        ),
        *(
            pytest.param(trick, winner, id=f"TV4-{trick}")
            for trick, winner in (
                ("MO1 MO2 MO3", 2), ("MO3 MO1 BAG", 1), ("MO2 T5 MO1", 1), ("CK MO4 MO1", 2),
                ("BAG MO1 CK", 1), ("MO1 LUN MO4", 1), ("ANG MON SOL", 0), ("T16 LUN T15", 1),
            )
        ),
        *(
            pytest.param(trick, winner, id=f"TV5-{trick}")
            for trick, winner in (
                ("MAT S9 SK", 2), ("MAT S9 CK", 1), ("MAT S9 BAG", 2), ("S9 MAT S6", 0),
                ("S9 S6 MAT", 0), ("MAT MO1 MO2", 2),
            )
        ),
    ],
)  # fmt: skip
def test_winners(trick: str, winner: int) -> None:
    assert PLAIN.wins(cards(PLAIN, trick), TRUMPS) == winner


@pytest.mark.parametrize(
    ("trick", "winner"), [("D7 D10 DA", 1), ("DA D6 D10", 2), ("C10 C9 C6", 0), ("S7 S10 SA", 1)]
)
def test_winners_with_uniform_pips(trick: str, winner: int) -> None:
    assert UNIFORM.wins(cards(UNIFORM, trick), TRUMPS) == winner


def tricks_of(play: str) -> tuple[list[str], list[int]]:
    """Return the hands and winners of some tricks, given in the order played; seat 0 leads."""
    hands: list[list[str]] = [[], [], []]
    leader, winners = 0, []
    for trick in play.split(" | "):
        for i, code in enumerate(trick.split()):
            hands[(leader + i) % 3].append(code)
        leader = (leader + PLAIN.wins(cards(PLAIN, trick), TRUMPS)) % 3
        winners.append(leader)
    return [" ".join(hand) for hand in hands], winners


def played(play: str, *, discards: str = "", stock: str = "") -> tuple[kibitz.Deal, list[str]]:
    """Play tricks to the end of a deal; return it and what was given after each of them."""
    hands, winners = tricks_of(play)
    deal = solo(hands, discards=discards, stock=stock)
    given = []
    for trick, winner in zip(play.split(" | "), winners, strict=True):
        start = len(deal.events)
        for code in trick.split():
            deal.play(code)
        news = deal.events[start:]
        assert [event.place for event in news if event.what is kibitz.What.WON] == [winner]
        handed = [event.detail for event in news if event.what is kibitz.What.GIVEN]
        given.append(" ".join(PACK.codes[card] for card in handed))
    assert deal.over
    return deal, given


@pytest.mark.parametrize(
    ("play", "extra", "given", "mine", "theirs"),
    [
        pytest.param(
            "S9 MAT SK | D10 D7 D6", {}, ["", ""], "", "S9 MAT SK D10 D7 D6", id="TV6a"
        ),
        pytest.param(
            "MAT S9 SK | D10 DK D6", {"discards": "BQ B6 CN"}, ["B6", ""],
            "MAT BQ CN D10 DK D6", "S9 SK B6", id="TV6b",
        ),
        pytest.param(
            "SK MAT S6 | D7 D6 DQ | C10 C9 C8", {}, ["", "D6", ""],
            "SK S6 D6", "MAT D7 DQ C10 C9 C8", id="TV6c",
        ),
        pytest.param(
            "ANG MAT T5 | MON S6 T6", {}, ["", ""], "ANG MAT T5 MON S6 T6", "", id="TV6d"
        ),
        pytest.param(
            "SK MAT SQ | DN DK DQ", {}, ["", "DN"], "SK SQ DN", "MAT DK DQ", id="TV6e"
        ),
        pytest.param(
            "D9 D10 MAT | S6 S7 S8", {}, ["", "S6"], "D9 D10 S6", "MAT S7 S8", id="TV6f"
        ),
        pytest.param(
            "SK MAT SQ | DN DK DQ", {"stock": "S6 T5"}, ["", "DN"],
            "SK SQ DN", "MAT DK DQ S6 T5", id="TV6g",
        ),
        pytest.param(
            "SK MAT SQ | DJ DK CJ", {}, ["", "CJ"], "SK SQ CJ", "MAT DJ DK", id="TV6h"
        ),
        pytest.param(
            "SK MAT SQ | DK MON CK", {}, ["", "CK"], "SK SQ CK", "MAT DK MON", id="TV6i-CK"
        ),
        pytest.param(
            "SK MAT SQ | BAG MON ANG", {}, ["", "BAG"], "SK SQ BAG", "MAT MON ANG", id="TV6i-BAG"
        ),
        pytest.param(
            "MAT S9 SK | D10 D9 D6", {"discards": "BQ B6 CN"}, ["B6", ""],
            "", "MAT S9 SK D10 D9 D6 BQ B6 CN", id="TV6j",
        ),
    ],
)  # fmt: skip
def test_the_fool_is_paid_for(
    play: str, extra: dict[str, str], given: list[str], mine: str, theirs: str
) -> None:
    deal, handed = played(play, **extra)
    assert handed == given
    piles = PLAIN.piles(deal)
    assert set(codes(piles.declarer)) == set(mine.split())
    assert set(codes(piles.defenders)) == set(theirs.split())


def test_slams() -> None:
    assert played("ANG MAT T5 | MON S6 T6")[0].scores == (80, -40, -40)
    assert played("S9 MAT SK | D10 D7 D6")[0].scores == (-40, 20, 20)


def test_tv6_winners() -> None:
    assert tricks_of("SK MAT S6 | D7 D6 DQ | C10 C9 C8")[1] == [0, 2, 1]
    assert tricks_of("D9 D10 MAT | S6 S7 S8")[1] == [0, 2]
    assert tricks_of("SK MAT SQ | DK MON CK")[1] == [0, 1]
    assert tricks_of("SK MAT SQ | BAG MON ANG")[1] == [0, 2]
    assert tricks_of("MAT S9 SK | D10 D9 D6")[1] == [2, 1]


def test_all_see_what_is_given() -> None:
    deal, _ = played("MAT S9 SK | D10 DK D6", discards="BQ B6 CN")
    for seat in range(3):
        given = [event for event in deal.seen(seat) if event.what is kibitz.What.GIVEN]
        assert [(event.place, PACK.codes[event.detail]) for event in given] == [(0, "B6")]


# The table of section 3: calls, declarer, contract, whether the stock is shown to all.
AUCTIONS = """
play pass pass | 0 play hidden
pass play pass | 1 play shown
pass pass play | 2 play shown
play pass solo | 2 solo hidden
pass play solo | 2 solo hidden
pass pass solo | 2 solo hidden
play solo | 1 solo hidden
pass solo | 1 solo hidden
solo | 0 solo hidden
"""


@pytest.mark.parametrize("row", AUCTIONS.strip().splitlines())
@pytest.mark.parametrize("game", [PLAIN, Ottocento(deal="19+5")], ids=["18+8", "19+5"])
def test_tv7_auctions(row: str, game: Ottocento) -> None:
    calls, result = row.split(" | ")
    declarer, contract, stock = result.split()
    deal = after(calls, game)
    view = deal.view((int(declarer) + 1) % 3)
    assert (view.declarer, str(view.contract)) == (int(declarer), contract)
    assert view.partners() == tuple({0, 1, 2} - {int(declarer), view.seat})
    opened = [event.detail for event in view.events if event.what is kibitz.What.TURNED]
    size = 8 if game is PLAIN else 5
    assert opened == (list(deal.deck[-size:]) if stock == "shown" else [])
    if contract == "solo":
        assert isinstance(deal.phase, Declare)
        assert len(deal.stock) == size
    else:
        assert isinstance(deal.phase, Exchange)
        assert deal.hands[int(declarer)].bit_count() == len(deal.hand(view.seat)) + size
    assert deal.turn == int(declarer)


def test_tv7_three_passes() -> None:
    deal = after("pass pass pass")
    assert deal.scores == (0, 0, 0)
    assert not [event for event in deal.events if event.what is kibitz.What.REVEALED]


@pytest.mark.parametrize(
    ("calls", "wrong"), [("play", "play"), ("pass play", "play")], ids=["PLAY PLAY", "P PLAY PLAY"]
)
def test_tv7_illegal_calls(calls: str, wrong: str) -> None:
    deal = after(calls)
    assert deal.codes() == ["pass", "solo"]
    with pytest.raises(kibitz.IllegalActionError):
        deal.play(wrong)


def test_tv7_nothing_follows_solo_and_two_calls_are_not_all() -> None:
    assert not isinstance(after("solo").phase, Auction)
    assert after("").codes() == ["pass", "play", "solo"]
    deal = after("play pass")
    assert (isinstance(deal.phase, Auction), deal.turn) == (True, 2)


HAND = "ANG MON BAG MAT SK BK CK DK LUN SOL T16 T5 MO1 SQ SN SJ S10 SA BQ B7 CQ CA C6 DJ D10 DA"


@pytest.mark.parametrize(
    "discards",
    ["LUN SOL T16 SQ BQ CQ DJ MO1", "S10 SA B7 CA C6 D10 DA T5"],
)
def test_tv8_discards(discards: str) -> None:
    deal = solo([HAND, "", ""])
    deal.phase = Exchange(0, 8)
    barred = {"ANG", "MON", "BAG", "MAT", "SK", "BK", "CK", "DK"}
    legal = {code.removeprefix("discard:") for code in deal.codes()}
    assert legal == set(HAND.split()) - barred
    for code in discards.split():
        assert isinstance(deal.phase, Exchange), "eight cards, no fewer"
        deal.play(f"discard:{code}")
    assert isinstance(deal.phase, Declare)
    assert PLAIN.piles(deal).discards == mask(discards)
    for wrong in ("discard:BAG", "discard:DK"):
        with pytest.raises(kibitz.ActionError):
            deal.play(wrong)


def test_tv8_a_card_that_is_not_held_cannot_be_discarded() -> None:
    deal = solo([HAND, "", ""])
    deal.phase = Exchange(0, 8)
    with pytest.raises(kibitz.IllegalActionError):
        deal.play("discard:S9")
    assert ACTIONS.discardable.bit_count() == 54


def test_discards_are_seen_by_declarer_only() -> None:
    deal = after("play pass pass")
    deal.play(deal.codes()[0])
    assert deal.seen(1)[-1].detail == -1
    assert deal.seen(0)[-1].detail >= 0


@pytest.mark.parametrize(("game", "size"), [(PLAIN, 18), (Ottocento(deal="19+5"), 19)], ids=str)
def test_packets(game: Ottocento, size: int) -> None:
    deck = cards(game, " ".join(kibitz.shuffle(game, 1)))
    last = size - 12
    for dealer in range(3):
        deal = game.new_deal(deck, dealer)
        for i in range(3):
            start = 36 + last * i
            dealt = [*deck[6 * i : 6 * i + 6], *deck[18 + 6 * i : 24 + 6 * i]]
            dealt += deck[start : start + last]
            assert deal.hand((dealer + 1 + i) % 3) == tuple(sorted(dealt))
        assert deal.stock == tuple(deck[3 * size :])


def revealed(deal: kibitz.Deal) -> set[str]:
    return {PACK.codes[event.detail] for event in deal.events if event.what is kibitz.What.REVEALED}


def finish(deal: kibitz.Deal) -> kibitz.Deal:
    while not deal.over:
        deal.play(deal.codes()[-1])
    return deal


@pytest.mark.parametrize(
    ("calls", "stock"), [("play pass pass", True), ("pass play pass", False), ("solo", True)]
)
def test_at_the_count_everybody_sees_what_lay_hidden(calls: str, stock: bool) -> None:
    deal = after(calls)
    hidden = {PACK.codes[card] for card in deal.deck[54:]}
    finish(deal)
    discards = {
        ACTIONS.names[event.detail].removeprefix("discard:")
        for event in deal.events
        if event.what is kibitz.What.DISCARDED
    }
    given = {PACK.codes[e.detail] for e in deal.events if e.what is kibitz.What.GIVEN}
    assert revealed(deal) | given >= discards
    assert (hidden <= revealed(deal)) is stock
    for seat in range(3):
        assert [event.detail for event in deal.seen(seat)[-5:]] == [
            event.detail for event in deal.events[-5:]
        ]
        assert deal.view(seat).unseen == []


def test_trick_phase_follows_the_declarations() -> None:
    deal = after("pass solo")
    order = []
    while isinstance(deal.phase, Declare):
        order.append(deal.turn)
        deal.play("done")
    assert order == [1, 2, 0]
    assert isinstance(deal.phase, Trick)
    assert deal.turn == 1
    assert deal.view(0).trump == "T"

"""Deals: their doors, what they refuse, actions, events and views."""

import copy
import pickle
from random import Random

import kibitz
import pytest
from kibitz.events import STOCK, What

WHISKEY = kibitz.game("whiskey")
DECK = kibitz.shuffle(WHISKEY, 1)


def test_decks_may_be_codes_numbers_or_actions() -> None:
    number = WHISKEY.cards.number
    codes = WHISKEY.new_deal(DECK)
    numbers = WHISKEY.new_deal([number[code] for code in DECK])
    actions = WHISKEY.new_deal([WHISKEY.actions[number[code]] for code in DECK])
    assert codes.events == numbers.events == actions.events
    assert codes.deck == numbers.deck == actions.deck
    assert {type(card) for card in actions.deck} == {int}


@pytest.mark.parametrize(
    ("deck", "says"),
    [
        (DECK[:-1], f"missing: {DECK[-1]}"),
        ([*DECK, "QH"], "doubled: QH"),
        ([*DECK[:-1], DECK[0]], f"doubled: {DECK[0]}; missing: {DECK[-1]}"),
        ([*DECK[:-1], "10H"], "'10H' is not a card"),
        ([*DECK[:-1], "XH"], "'XH' is not a card"),
        ([*DECK[:-1], 52], "52 is not a card"),
        ([*DECK[:-1], -1], "-1 is not a card"),
        ([*DECK[:-1], True], "True is not a card"),
        ([*DECK[:-1], ["QH"]], "is not a card"),
        ([*DECK[:-1], 3.0], "is not a card"),
        ([], "52 cards"),
        (["X" * 10_000] * 52, "is not a card"),
    ],
)
def test_wrong_decks_are_refused_by_name(deck: list[object], says: str) -> None:
    with pytest.raises(kibitz.DeckError) as caught:
        WHISKEY.new_deal(deck)
    assert says in str(caught.value)
    assert len(str(caught.value)) < 400


@pytest.mark.parametrize(
    "arguments",
    [
        {"dealer": 3},
        {"dealer": -1},
        {"dealer": "0"},
        {"number": -1},
        {"number": 1.5},
        {"cut": "QH"},
    ],
)
def test_wrong_deals_are_refused(arguments: dict[str, object]) -> None:
    with pytest.raises(kibitz.DeckError):
        WHISKEY.new_deal(DECK, **arguments)  # type: ignore[arg-type]


def test_cards_that_the_options_leave_out_are_refused() -> None:
    joker = [*kibitz.shuffle(kibitz.game("german_whist"), 1)[:-1], "XH"]
    with pytest.raises(kibitz.DeckError, match="not used: XH"):
        kibitz.game("german_whist").new_deal(joker)


def test_play_is_checked() -> None:
    deal = WHISKEY.new_deal(DECK)
    with pytest.raises(kibitz.IllegalActionError, match="double is not legal here; legal: pass"):
        deal.play("double")
    with pytest.raises(kibitz.IllegalActionError) as caught:
        deal.play("QH")
    assert (caught.value.action, caught.value.legal[0]) == ("QH", "pass")
    for wrong in ("qh", "bid:14", 78, -1, None, 3.0, True, "", "x" * 100_000):
        with pytest.raises(kibitz.ActionError) as unknown:
            deal.play(wrong)
        assert len(str(unknown.value)) < 300
    assert deal.history == []
    for action in ("bid:1", WHISKEY.actions.number["bid:2"], WHISKEY.actions[57]):
        deal.play(action)
    assert deal.history == [(0, 55), (1, 56), (2, 57)]


def test_nothing_can_be_done_when_the_deal_is_over() -> None:
    deal = WHISKEY.new_deal(DECK)
    for _ in range(3):
        deal.play("pass")
    assert deal.over
    assert (deal.turn, deal.legal(), deal.codes(), deal.scores) == (None, (), [], (0, 0, 0))
    with pytest.raises(kibitz.IllegalActionError, match="the deal is over"):
        deal.play("pass")


def test_actions_are_numbers_that_know_their_code() -> None:
    queen = WHISKEY.actions.find("QH")
    assert (queen, str(queen), f"{queen}", repr(queen)) == (36, "QH", "QH", "QH")
    assert (queen.suit, queen.rank, queen.strength, queen.is_card, queen.card) == (
        "H",
        "Q",
        10,
        True,
        36,
    )
    bid = WHISKEY.actions.find("bid:5")
    assert (bid.is_card, bid.card, bid.suit) == (False, None, None)
    assert WHISKEY.actions[36] is queen
    assert copy.deepcopy(queen) is queen
    assert pickle.loads(pickle.dumps(queen)) == 36
    assert WHISKEY.actions.names[:2] == ("2C", "3C")
    assert list(WHISKEY.actions)[52].code == "pass"
    joker = kibitz.game("german_whist").actions.find("XH")
    assert (joker.suit, joker.rank, joker.is_card) == (None, "XH", True)


def test_events_have_a_wire_form() -> None:
    event = kibitz.Event(What.PLAYED, 2, 36)
    assert event.code == What.PLAYED << 16 | 2 << 12 | 37
    assert kibitz.Event.from_code(event.code) == event
    assert kibitz.Event.from_code(event.code) is kibitz.Event.from_code(event.code)
    hidden = kibitz.Event(What.DEALT, 1)
    assert hidden.code & 0xFFF == 0
    assert kibitz.Event.from_code(hidden.code).detail == -1
    secret = kibitz.Event(What.DEALT, 1, 5, to=1)
    assert kibitz.Event.from_code(secret.code) == secret
    for wrong in (0, -1, 1 << 40, 99 << 16):
        with pytest.raises(ValueError, match="not"):
            kibitz.Event.from_code(wrong)


def test_seen_takes_up_where_one_stopped() -> None:
    deal = WHISKEY.new_deal(DECK)
    rng, told = Random(1), list(deal.seen(0))
    while not deal.over:
        deal.play(rng.choice(deal.legal()))
        told += deal.seen(0, len(told))
        assert told == deal.seen(0)
        assert deal.wire(0, 3) == deal.wire(0)[3:]
        assert deal.wire(0, 60) == deal.wire(0)[60:]
    assert len(deal.public()) == len(told)


def test_a_view_stays_as_it_was() -> None:
    deal = kibitz.game("whist").new_deal(kibitz.shuffle(kibitz.game("whist"), 1))
    first = deal.view(1)
    hand, events = first.hand, first.events
    rng = Random(2)
    views = []
    while not deal.over:
        views.append((deal.view(1), deal.view(1).hand, deal.view(1).taken))
        deal.play(rng.choice(deal.legal()))
    assert (first.hand, first.events, first.trick, first.scores) == (hand, events, [], None)
    for view, then, taken in views[::-1]:
        assert (view.hand, view.taken) == (then, taken)
    assert deal.view(1).scores == deal.scores


def test_a_view_grows_by_messages() -> None:
    game = kibitz.game("german_whist")
    deal = game.new_deal(kibitz.shuffle(game, 3))
    view = kibitz.View.from_events(game, 0, 0, 0, deal.seen(0), [], (), "t1")
    rng = Random(3)
    while not deal.over:
        deal.play(rng.choice(deal.legal()))
        legal = deal.legal() if deal.turn == 0 else ()
        earlier, view = view, view.then(deal.seen(0, len(view.events)), legal, deal.scores)
        near = deal.view(0)
        assert (view.hand, view.legal, view.trick) == (near.hand, near.legal, near.trick)
        with pytest.raises(ValueError, match="latest"):
            earlier.then([])
    assert (view.table, view.scores) == ("t1", deal.scores)


def test_would_win() -> None:
    game = kibitz.game("german_whist")
    deal = game.new_deal(kibitz.shuffle(game, 9))
    rng = Random(9)
    while not deal.over:
        view = deal.view(deal.turn or 0)
        action = rng.choice(view.legal)
        would = view.would_win(action)
        seat, table = deal.turn, len(deal.table)
        deal.play(action)
        if table:
            won = next(event for event in deal.events[::-1] if event.what is What.WON)
            assert would == (won.place == seat)
        else:
            assert would, "whoever leads is best so far"


def test_turned_cards_lie_on_the_stock_until_they_are_taken() -> None:
    game = kibitz.game("german_whist")
    deal = game.new_deal(kibitz.shuffle(game, 4))
    turned = deal.view(0).turned
    assert [int(card) for card in turned] == [deal.stock[0]]
    assert deal.events[-2] == kibitz.Event(What.TURNED, STOCK, deal.stock[0])


def test_the_library_needs_neither_grpc_nor_a_terminal() -> None:
    import subprocess  # noqa: PLC0415
    import sys  # noqa: PLC0415

    script = (
        "import sys, kibitz; kibitz.game('whist');"
        "print([m for m in ('grpc', 'httpx', 'typer', 'rich', 'google') if m in sys.modules])"
    )
    found = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"

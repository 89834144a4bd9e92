"""Imagined deals: they fit, they are found, and none is favoured."""

from collections import Counter
from random import Random
from statistics import median
from time import process_time
from typing import Any

import kibitz
import pytest
from kibitz import testing
from kibitz.cards import members
from kibitz.games import game_class
from kibitz.hidden import Hidden


def replayed_with_any_discards(
    deal: kibitz.Deal, deck: list[int], seat: int, rng: Random
) -> kibitz.Deal | None:
    """Return a deal played again with another deck; what others lay away is any of their cards."""
    twin = deal.game.new_deal(deck, deal.dealer, deal.number, deal.cut)
    discards = {action.card: action for action in deal.game.actions.starting("discard")}
    for turn, action in deal.history:
        if twin.turn != turn:
            return None
        done: int | None = action
        if turn != seat and action in discards.values():
            done = discards.get(rng.choice(twin.hand(twin.place)))
        if done not in twin.legal():
            return None
        twin.apply(done)
    return twin


def by_rejection(deal: kibitz.Deal, seat: int, rng: Random, wanted: int) -> list[kibitz.Deal]:
    """Return deals that a seat cannot tell from the real one, by trial and error alone."""
    hidden = Hidden.of(deal.view(seat))
    positions = [slot.position for slot in hidden.slots]
    if not deal.stock:  # all was dealt at once, so where a card that was played lay is all the same
        unseen = {int(card) for card in deal.view(seat).unseen}
        positions = [position for position in positions if deal.deck[position] in unseen]
    deck, found = list(deal.deck), []
    for _ in range(200_000):
        cards = [deal.deck[position] for position in positions]
        rng.shuffle(cards)
        for position, card in zip(positions, cards, strict=True):
            deck[position] = card
        twin = replayed_with_any_discards(deal, deck, seat, rng)
        if twin is not None and twin.seen(seat) == deal.seen(seat):
            found.append(twin)
            if len(found) == wanted:
                break
    return found


@pytest.mark.parametrize(
    ("name", "number", "decisions"),
    [
        ("german_whist", 1, 5),
        ("whist", 5, 6),
        ("whist", 6, 9),
        ("whiskey", 7, 9),
        ("whos_who", 8, 6),
    ],
)
def test_imagined_hands_are_spread_as_by_trial_and_error(
    name: str, number: int, decisions: int
) -> None:
    game = kibitz.game(name)
    deal = next(
        deal
        for seed in range(number * 100, number * 100 + 100)
        for deal in testing.steps(game, seed)
        if len(deal.history) == decisions and deal.turn is not None and restricted(deal)
    )
    check_spread(deal, number)


def after_play(game: kibitz.Game, seed: int, choices: str, cards: int) -> kibitz.Deal:
    """Return a deal with these choices, then anything, until so many cards have been played."""
    deal, rng, wanted = testing.new_deal(game, seed), Random(seed), iter(choices.split())
    while sum(game.actions[action].is_card for _, action in deal.history) < cards:
        legal = deal.legal()
        free = legal[0].is_card or legal[0].code.startswith("discard:")
        deal.play(rng.choice(legal) if free else next(wanted, "done"))
    return deal


@pytest.mark.parametrize(
    ("name", "options", "seed", "choices", "cards"),
    [
        ("three_handed_whist", {}, 9, "exchange:3 exchange:2 exchange:1", 2),
        ("three_handed_whist", {"cut": "bottom"}, 2, "exchange:6 exchange:1 exchange:0", 1),
        ("three_handed_whist", {"cut": "bottom"}, 1, "exchange:9 exchange:0 exchange:2", 2),
        ("ottocento", {"deal": "19+5"}, 2, "play pass pass", 1),
        ("ottocento", {"deal": "19+5"}, 1, "pass play pass", 1),
        ("ottocento", {"deal": "19+5"}, 3, "pass pass play", 2),
    ],
)
def test_secret_discards_are_spread_as_by_trial_and_error(
    name: str, options: dict[str, Any], seed: int, choices: str, cards: int
) -> None:
    check_spread(after_play(kibitz.game(name, **options), seed, choices, cards), seed)


def check_spread(deal: kibitz.Deal, number: int) -> None:
    game, seat, n = deal.game, deal.turn or 0, 300
    rng = Random(number)
    tried = by_rejection(deal, seat, rng, n)
    assert len(tried) == n
    view = deal.view(seat)
    imagined = [kibitz.imagine(view, rng) for _ in range(n)]
    for place in range(game.places):
        expected, found = held(tried, place), held(imagined, place)
        for card in game.deck:
            share = (expected[card] + found[card]) / (2 * n)
            error = (share * (1 - share) * 2 / n) ** 0.5
            assert abs(expected[card] - found[card]) / n <= 4.5 * error


def restricted(deal: kibitz.Deal) -> bool:
    """Whether somebody has not followed suit, or something else has been excluded."""
    trick: list[kibitz.Event] = []
    for event in deal.events:
        if event.what is kibitz.What.PLAYED:
            trick = trick[: len(trick) % len({*range(deal.game.places)})]
            trick.append(event)
            suits = {deal.game.cards.suit[one.detail] for one in trick}
            if len(suits) > 1 and event.place != deal.turn:
                return True
        elif event.what is kibitz.What.WON:
            trick = []
    return deal.game.name == "whiskey"


def held(deals: list[kibitz.Deal], place: int) -> Counter[int]:
    return Counter(card for deal in deals for card in members(deal.hands[place]))


@pytest.mark.parametrize("name", kibitz.games())
def test_deals_are_found_in_late_positions_too(name: str) -> None:
    game, rng, tried = kibitz.game(name), Random(3), 0
    for seed in range(40):
        for deal in testing.steps(game, seed):
            if deal.turn is not None and rng.random() < 0.3:
                kibitz.imagine(deal.view(deal.turn), rng, tries=3)
                tried += 1
    assert tried > 200


def test_an_imagined_deal_can_be_played_on() -> None:
    game, rng = kibitz.game("whiskey"), Random(5)
    deal = game.new_deal(kibitz.shuffle(game, 5), number=2, dealer=2, totals=(1, 2, 3))
    while not deal.over:
        twin = kibitz.imagine(deal.view(deal.turn or 0), rng)
        assert (twin.dealer, twin.number, twin.totals) == (2, 2, (1, 2, 3))
        while not twin.over:
            twin.play(rng.choice(twin.legal()))
        assert twin.scores is not None
        deal.play(rng.choice(deal.legal()))


@pytest.mark.campaign
@pytest.mark.parametrize("name", kibitz.games())
def test_ten_thousand_positions_are_imagined_in_little_time(name: str) -> None:
    games = testing.variants(game_class(name))
    rng, times, failed, seed = Random(9), list[float](), 0, 0
    while len(times) < 10_000:
        for deal in testing.steps(games[seed % len(games)], seed):
            if deal.turn is None or rng.random() > 0.25:
                continue
            view = deal.view(rng.randrange(deal.game.seats))
            start = process_time()
            try:
                twin = kibitz.imagine(view, rng)
            except kibitz.ImagineError:
                failed += 1
                continue
            times.append(process_time() - start)
            assert twin.seen(view.seat) == view.events
        seed += 1
    print(f"{name}: median {median(times) * 1e3:.2f} ms, not found {failed}")
    assert failed <= 10
    assert median(times) < 2e-3  # half of that on a machine that does nothing else


def test_a_view_from_the_wire_is_enough() -> None:
    game, rng = kibitz.game("german_whist"), Random(6)
    for deal in testing.steps(game, 6):
        if deal.turn is not None:
            near = deal.view(deal.turn)
            events = [kibitz.Event.from_code(code) for code in deal.wire(deal.turn)]
            view = kibitz.View.from_events(
                game, deal.turn, deal.dealer, deal.number, events, near.legal
            )
            assert kibitz.imagine(view, rng).view(deal.turn).events == near.events


def test_a_view_that_contradicts_the_rules_is_not_imagined() -> None:
    game = kibitz.game("whist")
    deal = game.new_deal(kibitz.shuffle(game, 1))
    while deal.turn != 2:
        deal.play(deal.codes()[0])
    events = deal.view(2).events
    taken = [event for event in events if event.what is kibitz.What.PLAYED]
    events[events.index(taken[0])] = taken[0]._replace(detail=deal.hand(2)[0])
    view = kibitz.View.from_events(game, 2, 0, 0, events, deal.legal())
    with pytest.raises(kibitz.ImagineError, match="no deal of whist that fits the view of seat 2"):
        kibitz.imagine(view, Random(1))


def test_a_rubber_is_imagined_with_the_points_of_its_game() -> None:
    game = kibitz.game("whist", end="rubber:5", honours=True)
    points = game.points([(7, 0, 7, 0), (2, 0, 2, 0), (0, 4, 0, 4)])
    assert points == (2, 4), "a game was won before"
    deal = game.new_deal(kibitz.shuffle(game, 1), totals=(9, 4, 9, 4), points=points)
    near = deal.view(1)
    far = kibitz.View.from_events(
        game, 1, 0, 0, near.events, near.legal, near.totals, points=near.points
    )
    for view in (near, far):
        twin = kibitz.imagine(view, Random(1))
        assert (twin.totals, twin.points) == ((9, 4, 9, 4), (2, 4))
    assert testing.new_deal(game, 1).view(0).points == (0, 0)

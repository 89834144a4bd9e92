"""Checks that any game built on this library must pass, one's own games included.

``check_game(game)`` plays random deals and raises ``AssertionError`` at the first wrong thing::

    def test_my_game() -> None:
        for variant in kibitz.testing.variants(MyGame):
            kibitz.testing.check_game(variant)
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise
from random import Random

from kibitz.actions import Action
from kibitz.cards import mask_of
from kibitz.deal import Deal
from kibitz.errors import OptionError
from kibitz.events import HIDDEN, What
from kibitz.game import Game
from kibitz.imagine import imagine
from kibitz.match import Match
from kibitz.options import Allowed, allowed
from kibitz.placing import sums
from kibitz.record import Record
from kibitz.shuffle import cut, shuffle
from kibitz.view import View

LONGEST = 2000
"""More decisions than any deal takes."""

_CARDS = {What.DEALT, What.TURNED, What.SHOWN, What.PLAYED, What.GIVEN, What.REVEALED}


def variants(kind: type[Game]) -> list[Game]:
    """Return a game with its defaults, its presets, and every option changed by itself.

    Combinations that the game refuses are left out.
    """
    choices: list[dict[str, object]] = [{}, *(dict(bundle) for bundle in kind.presets.values())]
    for key, values in allowed(kind).items():
        choices += [{key: value} for value in _some(values)]
    found: dict[Game, None] = {}
    for options in choices:
        try:
            found[kind(**options)] = None
        except OptionError:
            continue
    return list(found)


def _some(values: Allowed) -> list[object]:
    if values.ends:
        return [f"{one.kind}:{one.only or 2 * one.step}" for one in values.ends]
    if values.members:
        return [values.members, values.members[:1]]
    return [3] if values.least is not None else list(values.values)


def new_deal(game: Game, seed: int, number: int | None = None) -> Deal:
    """Return a deal with a shuffled deck, its number (and so its dealer) going with the seed."""
    if number is None:
        number = seed % game.schedule if game.schedule else seed
    return game.new_deal(shuffle(game, seed), number % game.seats, number, cut(game, number, seed))


def steps(game: Game, seed: int, number: int | None = None) -> Iterator[Deal]:
    """Yield a random deal at each of its decisions and at its end."""
    rng = Random(seed)
    deal = new_deal(game, seed, number)
    for _ in range(LONGEST):
        yield deal
        if deal.over:
            return
        deal.play(choose(deal, rng))
    raise AssertionError(f"a deal of {game.name} does not end")


def choose(deal: Deal, rng: Random) -> Action:
    """Return a random legal action; a pass half of the time, or bids would soon be at their top."""
    legal = deal.legal()
    if legal[0].code == "pass" and rng.random() < 0.5:  # a call
        return legal[0]
    return rng.choice(legal)


def check_game(game: Game, seeds: Iterable[int] = range(5)) -> None:
    """Run all checks of this module on some deals of a game, and on a match."""
    for seed in seeds:
        for deal in steps(game, seed):
            check_decision(deal)
            check_conservation(deal)
        check_replay(deal)
        check_copies(game, seed)
        check_views(game, seed)
        check_imagination(game, seed)
        check_secrecy(game, seed)
    check_match(game)


def check_decision(deal: Deal) -> None:
    """Check that somebody can do something, each action once; or that the deal has its scores."""
    legal = deal.legal()
    if deal.over:
        assert not legal, f"{legal} after the end"
        assert deal.scores is not None
        assert len(deal.scores) == deal.game.seats
        return
    assert deal.turn in range(deal.game.seats), deal.turn
    assert deal.place in range(deal.game.places), deal.place
    assert legal, f"nothing to do in {deal}"
    assert all(before < after for before, after in pairwise(legal)), f"{legal} is not in order"
    assert deal.codes() == [deal.game.actions.names[action] for action in legal]


def check_conservation(deal: Deal) -> None:
    """Check that every card is in just one place: a hand, the stock, played or laid away."""
    actions = deal.game.actions
    gone = [
        actions.card_of(event.detail)
        for event in deal.events
        if event.what in {What.PLAYED, What.DISCARDED}
    ]
    held = [card for place in range(deal.game.places) for card in deal.hand(place)]
    cards = sorted([*held, *deal.stock, *gone])
    assert cards == sorted(deal.game.deck), f"{len(cards)} cards in {deal}"


def check_replay(deal: Deal) -> None:
    """Check that the deck and the decisions give the same deal again."""
    again = deal.game.new_deal(deal.deck, deal.dealer, deal.number, deal.cut)
    for seat, action in deal.history:
        assert again.turn == seat, "in a replay it is somebody else's turn"
        again.play(action)
    assert again.events == deal.events, "in a replay something else happens"
    assert again.scores == deal.scores, "a replay has other scores"


def check_copies(game: Game, seed: int) -> None:
    """Check that copies start equal and go their own way."""
    rng = Random(seed)
    for deal in steps(game, seed):
        if deal.over or rng.random() > 0.2:
            continue
        before = _state(deal)
        views = [deal.view(seat).events for seat in range(game.seats)]
        twin = deal.copy()
        assert _state(twin) == before
        while not twin.over:
            twin.view(twin.turn or 0)
            twin.apply(choose(twin, rng))
            for seat in range(game.seats):
                assert twin.view(seat).events == twin.seen(seat)
        assert _state(deal) == before, "a copy changed what it was copied from"
        assert [deal.view(seat).events for seat in range(game.seats)] == views


def _state(deal: Deal) -> object:
    hands = [deal.hand(place) for place in range(deal.game.places)]
    return (hands, deal.stock, deal.taken[:], deal.table[:], deal.events, deal.legal(), deal.turn)


def check_views(game: Game, seed: int) -> None:
    """Check what views say against the truth, and that they can be made from messages alone."""
    for deal in steps(game, seed):
        for seat in range(game.seats):
            view = deal.view(seat)
            events = deal.seen(seat)
            assert view.events == events
            assert [event.code for event in events] == deal.wire(seat)
            _check_seen(deal, seat)
            far = View.from_events(
                game,
                seat,
                deal.dealer,
                deal.number,
                events,
                view.legal,
                deal.totals,
                points=deal.points,
            )
            _check_same(far, view)
            _check_truth(deal, view)


def _check_seen(deal: Deal, seat: int) -> None:
    for told, seen, public in zip(deal.events, deal.seen(seat), deal.public(), strict=True):
        assert told[:2] == seen[:2] == public[:2]
        assert seen.detail == (told.detail if told.to in {None, seat} else HIDDEN)
        assert public.detail == (told.detail if told.to is None else HIDDEN)


def _check_same(far: View, near: View) -> None:
    for name in ("hand", "trick", "tricks", "taken", "played", "shown", "unseen", "calls", "place"):
        assert getattr(far, name) == getattr(near, name), name
    assert (far.totals, far.points) == (near.totals, near.points)
    assert (far.trump, far.contract, far.declarer) == (near.trump, near.contract, near.declarer)


def _check_truth(deal: Deal, view: View) -> None:
    assert mask_of(view.hand) == deal.hands[view.seat]
    assert view.taken == deal.taken
    assert view.stock == len(deal.stock)
    assert view.held == [hand.bit_count() for hand in deal.hands]
    assert [card for _, card in view.trick] == deal.table
    for place, shown in enumerate(view.shown):
        assert mask_of(shown) & ~deal.hands[place] == 0, "shown cards that are not held"
    if deal.turn == view.seat:
        assert view.legal == deal.legal()
        assert view.place == deal.place or not view.legal[0].is_card
    else:
        assert view.legal == ()


def check_imagination(game: Game, seed: int) -> None:
    """Check that deals imagined from a view look the same to the seat that imagined them."""
    rng = Random(seed)
    for deal in steps(game, seed):
        if deal.turn is None or rng.random() > 0.25:
            continue
        view = deal.view(deal.turn if rng.random() < 0.5 else rng.randrange(game.seats))
        imagined = imagine(view, rng)
        assert imagined.seen(view.seat) == view.events, "an imagined deal looks different"
        assert imagined.turn == deal.turn, "in an imagined deal it is somebody else's turn"
        legal = imagined.view(view.seat).legal
        assert legal == view.legal, "in an imagined deal the seat may do something else"


def check_secrecy(game: Game, seed: int) -> None:
    """Check that what a seat, or a spectator, cannot place could be elsewhere: nobody is told."""
    rng = Random(seed)
    for deal in steps(game, seed):
        if rng.random() < 0.25:
            _check_unseen(deal, rng.randrange(game.seats), rng)
            _check_unseen(deal, None, rng)


def _check_unseen(deal: Deal, seat: int | None, rng: Random) -> None:
    seen = deal.public() if seat is None else deal.seen(seat)
    told = {event.detail for event in seen if event.what in _CARDS}
    unseen = [card for card in deal.game.deck if card not in told]
    some = rng.sample(unseen, min(len(unseen), rng.choice((2, 3, 52))))
    swap = dict(zip(some, rng.sample(some, len(some)), strict=True))
    twin = replayed(deal, [swap.get(card, card) for card in deal.deck], swap)
    if twin is None:
        return
    after = twin.public() if seat is None else twin.seen(seat)
    first = next((pair for pair in zip(seen, after, strict=False) if pair[0] != pair[1]), ())
    if any(event.what is What.GIVEN for event in first):
        return  # which card a pile gives tells, by the rules, what else is not in it
    assert after == seen, "somebody was told of what he cannot see"
    if seat is not None and deal.turn == seat:
        assert twin.legal() == deal.legal(), "what is legal depends on unseen cards"


def replayed(deal: Deal, deck: list[int], swap: Mapping[int, int] | None = None) -> Deal | None:
    """Return the same decisions played with another deck, or ``None`` if it forbids them.

    ``swap`` says which cards stand for which others where they are laid away.
    """
    twin = deal.game.new_deal(deck, deal.dealer, deal.number, deal.cut)
    for seat, action in deal.history:
        done = _exchanged(deal.game, action, swap or {})
        if twin.turn != seat or done not in twin.legal():
            return None
        twin.apply(done)
    return twin


def _exchanged(game: Game, action: int, swap: Mapping[int, int]) -> int:
    card = game.actions[action].card
    if card is None or card not in swap or not game.actions.names[action].startswith("discard:"):
        return action
    instead = f"discard:{game.cards.codes[swap[card]]}"
    return game.actions.number.get(instead, HIDDEN)  # some cards may never be laid away


def check_match(game: Game, seed: int = 0) -> None:
    """Play a match with some forfeits; check its totals and returns, and that its record checks."""
    match = random_match(game, seed)
    assert match.totals == sums(match.results, game.seats)
    assert match.returns is not None
    assert abs(sum(match.returns)) < 1e-9, f"returns {match.returns} are not zero-sum"
    record = Record.from_json(match.record().to_json())
    assert record.verify().returns == match.returns


def random_match(game: Game, seed: int, *, forfeits: float = 0.1) -> Match:
    """Return a match played at random, in which about so many of the deals are forfeited."""
    rng = Random(seed)
    match = Match(game)
    while not match.over:
        number = match.number
        assert number < LONGEST, "the match does not end"
        deal = match.new_deal(_next_deck(match, rng), cut(game, number, rng.random().hex()))
        left = rng.randrange(30) if rng.random() < forfeits else LONGEST
        while not deal.over and left:
            deal.apply(choose(deal, rng))
            left -= 1
        if deal.over:
            match.finish(deal)
        else:
            match.forfeit(deal, rng.randrange(game.seats), "a test")
        if number == 2:
            Record.from_json(match.record().to_json()).verify()
    return match


def _next_deck(match: Match, rng: Random) -> list[str]:
    seed = rng.random().hex()
    return match.game.gather(match.before, seed) if match.gathers else shuffle(match.game, seed)


__all__ = [
    "check_conservation",
    "check_copies",
    "check_decision",
    "check_game",
    "check_imagination",
    "check_match",
    "check_replay",
    "check_secrecy",
    "check_views",
    "choose",
    "new_deal",
    "random_match",
    "replayed",
    "steps",
    "variants",
]

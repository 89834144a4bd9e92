"""Second opinions: other people's programs play the same cards and agree on every trick.

They come with the extra ``bench``. Where one is missing its tests are skipped, but not in CI.
"""

import os
import warnings
from collections.abc import Iterator, Mapping
from importlib import import_module
from random import Random
from typing import Any

import kibitz
import pytest
from kibitz import testing
from kibitz.cards import FRENCH

pytestmark = pytest.mark.oracle
DEALS = 500
NO_TRUMPS = 4
DUMMY = 3


def program(name: str) -> Any:
    """Return another program's module."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return import_module(name)
    except ImportError as error:
        missing = f"no second opinion: {error}; python -m pip install -e '.[bench]'"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(missing)


def deals(game: kibitz.Game, *, calls: bool = False) -> Iterator[tuple[kibitz.Deal, Random]]:
    """Yield deals that are about to be played, after a random auction or exchange if asked for."""
    found = seed = 0
    while found < DEALS:
        rng = Random(seed)
        deal = testing.new_deal(game, seed)
        seed += 1
        while calls and not deal.over and not deal.legal()[0].is_card:
            deal.apply(testing.choose(deal, rng))
        if not deal.over:
            found += 1
            yield deal, rng


# Bridge, by OpenSpiel: player 0 is declarer, 2 the dummy, 1 leads.


def bridge_card(card: int) -> int:
    suit, rank = divmod(card, 13)
    return 4 * rank + suit


def contract_of_one(pyspiel: Any, deal: kibitz.Deal, players: Mapping[int, int]) -> Any:
    """Return a state of bridge: player 0 has bid one of the deal's trumps, all others passed."""
    state = pyspiel.load_game("bridge(use_double_dummy_result=false)").new_initial_state()
    hands = {player: iter(deal.hand(place)) for place, player in players.items()}
    for number in range(52):
        state.apply_action(bridge_card(next(hands[number % 4])))
    trump = NO_TRUMPS if deal.trump is None else deal.trump
    for call in (55 + trump, 52, 52, 52):
        state.apply_action(call)
    return state


def bridge_points(trump: int | None, tricks: int) -> int:
    """Return what one of a suit, or of no trumps, is worth, not doubled and not vulnerable."""
    if tricks < 7:
        return -50 * (7 - tricks)
    each = 30 if trump is None or trump >= 2 else 20
    return each * (tricks - 6) + (10 if trump is None else 0) + 50


def check_against_bridge(deal: kibitz.Deal, rng: Random, players: Mapping[int, int]) -> None:
    """Play a deal at random in both programs; the dummy's cards are chosen by declarer."""
    state = contract_of_one(program("pyspiel"), deal, players)
    while not deal.over:
        assert state.current_player() == {2: 0}.get(players[deal.place], players[deal.place])
        assert state.legal_actions() == sorted(map(bridge_card, deal.legal()))
        card = rng.choice(deal.legal())
        state.apply_action(bridge_card(card))
        deal.apply(card)
    tricks = sum(deal.taken[place] for place, player in players.items() if player % 2 == 0)
    points = bridge_points(deal.trump, tricks)
    assert state.is_terminal()
    assert state.returns() == [points, -points, points, -points]


@pytest.mark.parametrize("options", [{}, {"trump": "cycle", "cycle": ["NT"]}], ids=str)
def test_whist_agrees_with_bridge(options: dict[str, Any]) -> None:
    for deal, rng in deals(kibitz.game("whist", **options)):
        players = {(deal.dealer + i) % 4: i for i in range(4)}
        check_against_bridge(deal, rng, players)
        odd = deal.taken[0] + deal.taken[2] - 6
        assert deal.scores == (max(0, odd), max(0, 1 - odd)) * 2


def with_dummy(declarer: int) -> dict[int, int]:
    """Return who is who in bridge where a dummy sits opposite declarer."""
    return {declarer: 0, (declarer + 1) % 3: 1, DUMMY: 2, (declarer + 2) % 3: 3}


def test_whiskey_agrees_with_bridge() -> None:
    for deal, rng in deals(kibitz.game("whiskey"), calls=True):
        check_against_bridge(deal, rng, with_dummy(deal.contract.declarer))


@pytest.mark.parametrize("variant", ["irish", "irish3"])
def test_irish_solo_agrees_with_bridge(variant: str) -> None:
    game = kibitz.game("solo_whist", variant=variant, play_out="always")
    bids = [action.code for action in game.actions.starting("bid")]
    for deal, rng in deals(game):
        dealer = deal.dealer
        for _ in range(game.seats - 1):
            deal.play("pass")
        deal.play(rng.choice(bids))  # by the dealer, so that eldest leads, as in bridge
        four = {(dealer + i) % 4: i for i in range(4)}
        check_against_bridge(deal, rng, four if variant == "irish" else with_dummy(dealer))


# Oh Hell, by OpenSpiel: dealer's left leads, and trumps are the suit of a card left over.


def oh_hell_card(card: int) -> int:
    suit, rank = divmod(card, 13)
    return 4 * rank + (0, 1, 3, 2)[suit]


def same_in_oh_hell(pyspiel: Any, deal: kibitz.Deal, left_over: int) -> Any:
    """Return a state of Oh Hell with the same hands, in which everybody has bid 13 or 12."""
    options = "players=3,num_tricks_fixed=13,off_bid_penalty=false,points_per_trick=1"
    state = pyspiel.load_game(f"oh_hell({options})").new_initial_state()
    hands = [iter(deal.hand(seat)) for seat in range(3)]
    dealt = [oh_hell_card(next(hands[number % 3])) for number in range(39)]
    for chance in (13, (deal.dealer - 1) % 3, *dealt, oh_hell_card(left_over)):
        state.apply_action(chance)
    for _ in range(3):
        state.apply_action(state.legal_actions()[-1])
    return state


def check_against_oh_hell(deal: kibitz.Deal, rng: Random, left_over: int) -> None:
    state = same_in_oh_hell(program("pyspiel"), deal, left_over)
    while not deal.over:
        assert state.current_player() == deal.turn
        assert state.legal_actions() == sorted(map(oh_hell_card, deal.legal()))
        card = rng.choice(deal.legal())
        state.apply_action(oh_hell_card(card))
        deal.apply(card)
    assert state.is_terminal()
    exact = [10 if taken >= 12 else 0 for taken in deal.taken]
    if not any(exact):  # a bid fulfilled has its bonus there
        assert state.returns() == deal.taken


def test_rounds_with_trumps_check_against_oh_hell() -> None:
    game, played = kibitz.game("three_handed_whist"), 0
    for seed in range(2 * DEALS):
        rng = Random(seed)
        deal = testing.new_deal(game, seed, rng.randrange(6))
        while not deal.legal()[0].is_card:
            deal.apply(testing.choose(deal, rng))
        held = {card for seat in range(3) for card in deal.hand(seat)}
        left = [card for card in game.deck if card not in held and FRENCH.suit[card] == deal.trump]
        if left:  # or else there is no card to turn up there
            check_against_oh_hell(deal, rng, left[0])
            played += 1
    assert played >= DEALS


def test_rounds_without_trumps_check_against_oh_hell() -> None:
    game = kibitz.game("three_handed_whist")
    for seed in range(DEALS):
        rng = Random(seed)
        deck = with_a_suit_in_the_pile(game, rng.choice("CDHS"), seed)
        number = rng.randrange(6, 12)
        deal = game.new_deal(deck, number % 3, number)
        for _ in range(3):
            deal.play("exchange:0")
        check_against_oh_hell(deal, rng, deal.stock[0])


def with_a_suit_in_the_pile(game: kibitz.Game, suit: str, seed: int) -> list[str]:
    """Return a deck whose pile is a whole suit: as trumps of Oh Hell it is in nobody's hand."""
    deck = kibitz.shuffle(game, seed)
    pile, others = (iter([c for c in deck if (c[1] == suit) is its]) for its in (True, False))
    return [next(pile if place in game.layouts[0].stock else others) for place in range(52)]


# German Whist, by TextArena: player 0 leads, and the majority of all 26 tricks wins.


def textarena_card(env: Any, card: int) -> Any:
    suit, rank = divmod(card, 13)
    return env.deck["♠♥♦♣".index("♣♦♥♠"[suit]) * 13 + rank]


def same_in_textarena(env: Any, deal: kibitz.Deal, players: Mapping[int, int]) -> Any:
    env.reset(2, seed=1)
    state = env.state.game_state
    for seat, player in players.items():
        state["players"][player]["hand"] = [textarena_card(env, card) for card in deal.hand(seat)]
    stock = [textarena_card(env, card) for card in deal.stock]
    state.update(deck=stock[::-1], next_card=stock[0], trump_card=stock[0])
    state["trump_suit"] = stock[0]["suit"]
    return state


def play_in_both(env: Any, state: Any, deal: kibitz.Deal, card: int, player: int) -> None:
    hand = state["players"][player]["hand"]
    legal = [textarena_card(env, card) for card in deal.legal()]
    assert all(env._is_valid_play(player, its) == (its in legal) for its in hand)
    env.step(f"[play {hand.index(textarena_card(env, card)) + 1}]")
    deal.apply(card)


def test_german_whist_agrees_with_textarena() -> None:
    env = program("textarena.envs.GermanWhist.env").GermanWhistEnv()
    for deal, rng in deals(kibitz.game("german_whist", count="all")):
        players = {1 - deal.dealer: 0, deal.dealer: 1}
        state = same_in_textarena(env, deal, players)
        while not deal.over:
            player = players[deal.turn or 0]
            assert env.state.current_player_id == player
            play_in_both(env, state, deal, rng.choice(deal.legal()), player)
            for seat, its in players.items():
                held = {env._card_to_string(card) for card in state["players"][its]["hand"]}
                assert held == {
                    env._card_to_string(textarena_card(env, card)) for card in deal.hand(seat)
                }
        assert [state["tricks_won"][players[seat]] for seat in (0, 1)] == deal.taken
        rewards = env.state.rewards
        assert deal.scores == (rewards[players[0]], rewards[players[1]])

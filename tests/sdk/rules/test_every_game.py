"""What must hold for every game with every option, whatever its rules."""

import pickle
from dataclasses import fields
from random import Random
from typing import Any

import kibitz
import pytest
from kibitz import testing
from kibitz.games import game_class
from kibitz.options import allowed

GAMES = [one for name in kibitz.games() for one in testing.variants(game_class(name))]
OPTIONS = {
    "deal",
    "trump",
    "shuffle",
    "prop",
    "prop_need",
    "uncopped",
    "rounds",
    "declared_trump",
    "slams",
    "overtricks",
    "variant",
    "all_pass",
    "play_out",
    "end",
    "cut",
    "name_trump",
    "pack",
    "objective",
    "max_deals",
    "loss",
    "pips",
    "follow1",
    "count",
    "jokers",
    "hand_score",
    "cycle",
    "honours",
    "first_call",
    "end_passes",
}


@pytest.mark.parametrize("game", GAMES, ids=str)
class TestEveryGame:
    def test_its_deals_pass_all_checks(self, game: kibitz.Game) -> None:
        testing.check_game(game, seeds=range(3))

    def test_it_can_be_made_again_from_its_options(self, game: kibitz.Game) -> None:
        again = kibitz.game(game.name, **game.options())
        assert again == game
        assert again is kibitz.game(game.name, **game.options())
        assert hash(again) == hash(game)
        assert pickle.loads(pickle.dumps(game)) == game

    def test_forfeits_are_the_worst_that_can_happen(self, game: kibitz.Game) -> None:
        for offender in range(game.seats):
            worst = game.worst(offender)
            assert len(worst) == game.seats
            assert worst[offender] == min(worst)
            for seed in range(8):
                *_, deal = testing.steps(game, seed)
                assert deal.scores is not None
                assert min(deal.scores) >= worst[offender]


def mixture(name: str, rng: Random) -> kibitz.Game | None:
    """Return a game with all options chosen at random, or nothing if they do not go together."""
    values: dict[str, Any] = {
        key: rng.choice([one.values, (3,), (one.members,)][bool(one.least) + 2 * bool(one.members)])
        for key, one in allowed(game_class(name)).items()
        if not one.ends
    }
    try:
        return kibitz.game(name, **values)
    except kibitz.OptionError as error:
        assert error.reason == "OPTIONS_CLASH"  # noqa: PT017  # others are mistakes of this test
        return None


@pytest.mark.parametrize("name", kibitz.games())
def test_options_go_together(name: str) -> None:
    rng = Random(7)
    found = {mixture(name, rng) for _ in range(16)} - {None}
    assert len(found) > 2
    for seed, game in enumerate(sorted(found, key=str)):
        assert game is not None
        testing.check_game(game, seeds=[seed])


@pytest.mark.parametrize("name", kibitz.games())
def test_no_attribute_of_games_is_called_like_an_option(name: str) -> None:
    kind = game_class(name)
    own = {one.name for one in fields(kind)}  # type: ignore[arg-type]  # games are dataclasses
    assert own <= OPTIONS
    attributes = {*dir(kibitz.Game), *getattr(kibitz.Game, "__annotations__", ())}
    assert not attributes & OPTIONS
    made = {*getattr(kibitz.game(name), "__dict__", ())} - own  # the compiled build has none
    assert not made & OPTIONS


@pytest.mark.parametrize("name", kibitz.games())
def test_no_deck_is_like_another(name: str) -> None:
    game = kibitz.game(name)
    decks = {tuple(kibitz.shuffle(game, seed)) for seed in range(100)}
    assert len(decks) == 100
    assert all(sorted(deck) == sorted(decks and kibitz.shuffle(game, 0)) for deck in decks)

"""Who played which part."""

from random import Random

import kibitz
import pytest
from kibitz.roles import roles, roles_in


def played(game: kibitz.Game, seed: int, calls: tuple[str, ...] = ()) -> kibitz.Deal:
    chance = Random(seed)
    deck = list(game.deck)
    chance.shuffle(deck)
    cut = chance.choice(game.deck) if game.needs_cut(0) else None
    deal = game.new_deal(deck, 0, 0, cut)
    while not deal.over:
        wanted = [code for code in calls if code in deal.codes()]
        deal.play(wanted[0] if wanted else chance.choice(deal.codes()))
    return deal


@pytest.mark.parametrize("name", ["whiskey", "ottocento", "whos_who"])
def test_one_plays_alone_against_all_others(name: str) -> None:
    game = kibitz.game(name)
    alone, others = roles_in(game)
    for seed in range(12):
        deal = played(game, seed)
        found = roles(deal)
        if deal.contract.declarer < 0:
            assert found == ()
            continue
        assert found[deal.contract.declarer] == alone
        assert sorted(found) == sorted([alone, others, others])


def test_an_ally_is_told_from_the_defenders() -> None:
    game = kibitz.game("solo_whist")
    assert roles_in(game) == ("declarer", "ally", "defender")
    deal = played(game, 1, ("prop", "cop", "pass"))
    assert roles(deal) == ("defender", "declarer", "ally", "defender")


@pytest.mark.parametrize("name", ["whist", "german_whist", "three_handed_whist"])
def test_other_games_have_no_parts(name: str) -> None:
    game = kibitz.game(name)
    assert roles_in(game) == ()
    assert roles(played(game, 1)) == ()

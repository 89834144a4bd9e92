"""Who played which part."""

from random import Random

import kibitz
import pytest
from kibitz.roles import roles, roles_in


def played(game: kibitz.Game, seed: int) -> kibitz.Deal:
    chance = Random(seed)
    deck = list(game.deck)
    chance.shuffle(deck)
    cut = chance.choice(game.deck) if game.needs_cut(0) else None
    deal = game.new_deal(deck, 0, 0, cut)
    while not deal.over:
        deal.apply(chance.choice(deal.legal()))
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
    deals = [played(game, seed) for seed in range(60)]
    helped = [deal for deal in deals if deal.contract.partner >= 0]
    assert helped
    for deal in helped:
        assert roles(deal)[deal.contract.partner] == "ally"
        assert roles(deal).count("defender") == 2


@pytest.mark.parametrize("name", ["whist", "german_whist", "three_handed_whist"])
def test_other_games_have_no_parts(name: str) -> None:
    game = kibitz.game(name)
    assert roles_in(game) == ()
    assert roles(played(game, 1)) == ()

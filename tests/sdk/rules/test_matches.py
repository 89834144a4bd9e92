"""Matches: whose deal it is, what counts, forfeits."""

from random import Random

import kibitz
import pytest

WHISKEY = kibitz.game("whiskey", end="deals:6")


def play(deal: kibitz.Deal, seed: int = 1) -> kibitz.Deal:
    rng = Random(seed)
    while not deal.over:
        deal.play(rng.choice(deal.legal()))
    return deal


def test_the_deal_passes_on_and_totals_add_up() -> None:
    match = WHISKEY.new_match(("a", "b", "c"))
    dealers, totals = [], [0.0, 0.0, 0.0]
    while not match.over:
        assert match.returns is None
        deal = match.new_deal(kibitz.shuffle(WHISKEY, match.number))
        assert deal.totals == match.totals == tuple(totals)
        assert deal.view(1).totals == deal.totals
        assert deal.number == match.number
        dealers.append(deal.dealer)
        for seat, score in enumerate(match.finish(play(deal, match.number))):
            totals[seat] += score
    assert dealers == [0, 1, 2, 0, 1, 2]
    assert match.returns == tuple(3 * total - sum(totals) for total in totals)
    with pytest.raises(kibitz.MatchError, match="over after 6 deals"):
        match.new_deal(kibitz.shuffle(WHISKEY, 1))


def test_only_the_next_deal_counts_and_once() -> None:
    match = WHISKEY.new_match()
    deck = kibitz.shuffle(WHISKEY, 1)
    deal = match.new_deal(deck)
    with pytest.raises(kibitz.MatchError, match="not over"):
        match.finish(deal)
    stranger = play(WHISKEY.new_deal(deck, dealer=1, number=1))
    with pytest.raises(kibitz.MatchError, match="next deal is number 0"):
        match.finish(stranger)
    match.finish(play(deal))
    with pytest.raises(kibitz.MatchError, match="next deal is number 1"):
        match.finish(deal)
    with pytest.raises(kibitz.MatchError, match="over and cannot be forfeited"):
        match.forfeit(deal, 0, "late")
    with pytest.raises(kibitz.MatchError, match="no seat 3"):
        match.forfeit(match.new_deal(deck), 3, "late")
    assert match.number == 1


def test_a_forfeited_deal() -> None:
    match = WHISKEY.new_match()
    deal = match.new_deal(kibitz.shuffle(WHISKEY, 1))
    deal.play("pass")
    assert match.forfeit(deal, 1, "illegal " + "x" * 10_000) == (0, -52, 0)
    assert match.totals == (0, -52, 0)
    assert match.dealer == 1
    assert len(match.record().deals[0]["forfeit"]["reason"]) == 500


def test_a_forfeited_match() -> None:
    match = WHISKEY.new_match()
    match.finish(play(match.new_deal(kibitz.shuffle(WHISKEY, 1))))
    before = match.totals
    deal = match.new_deal(kibitz.shuffle(WHISKEY, 2))
    decks = [kibitz.shuffle(WHISKEY, n) for n in range(4)]
    match.forfeit_match(2, "gone", decks, deal)
    assert match.over
    assert match.totals == (before[0], before[1], before[2] - 5 * 52)
    match.record().verify()


def test_a_match_to_points_is_forfeited_until_it_is_over() -> None:
    game = kibitz.game("german_whist", end="points:10", hand_score="tricks")
    match = game.new_match()
    match.forfeit_match(0, "gone", ((kibitz.shuffle(game, n), None) for n in range(100)))
    assert match.number == 1
    assert match.returns == (-1, 1)
    short = WHISKEY.new_match()
    with pytest.raises(kibitz.MatchError, match="no deck is left"):
        short.forfeit_match(0, "gone", [kibitz.shuffle(WHISKEY, 1)])


def test_names_of_seats() -> None:
    assert WHISKEY.new_match().seats == ("seat 0", "seat 1", "seat 2")
    with pytest.raises(kibitz.MatchError, match="3 seats, not 2"):
        WHISKEY.new_match(("a", "b"))


def test_a_side_of_whist_forfeits_together() -> None:
    game = kibitz.game("whist", "short")
    match = game.new_match()
    match.forfeit(match.new_deal(kibitz.shuffle(game, 1)), 3, "late")
    assert match.totals == (11, 0, 11, 0)
    assert match.returns == (1, -1, 1, -1)

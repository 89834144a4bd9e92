"""Luck is measured right where its true size is known, and found in real records."""

import math
from itertools import combinations

import numpy as np
import pytest
from kibitz.local import play_sets
from kibitz_worker.ratings import RatingError
from kibitz_worker.ratings.luck import (
    Board,
    Components,
    boards_of,
    find_components,
    position_bias,
)

LEVELS = {"a": -0.6, "b": 0.0, "c": 0.2, "d": 0.4, "e": 0.9}


def deal(
    size: int,
    boards: int,
    *,
    cards: float,
    rest: float,
    pairs: float = 0.0,
    dealer: float = 0.0,
    seed: int = 5,
) -> list[Board]:
    """Boards with known standard deviations; `pairs` is how much a table adds to a level."""
    random = np.random.default_rng(seed)
    made = []
    for players in combinations(LEVELS, size):
        level = np.array([LEVELS[p] for p in players]) + random.normal(0.0, pairs, size)
        for number in range(boards):
            luck = random.normal(0.0, cards, size)
            luck[number % size] += dealer
            scores = level[:, None] + luck + random.normal(0.0, rest, (size, size))
            margins = scores.copy()
            for lane in range(size):
                at = [(player, (player + lane) % size) for player in range(size)]
                mean = np.mean([scores[cell] for cell in at])
                for cell in at:
                    margins[cell] -= mean
            rows = tuple(tuple(row) for row in margins.tolist())
            made.append(Board(players, number % size, rows))
    return made


@pytest.mark.parametrize("size", [2, 3, 4])
def test_components_are_found(size: int) -> None:
    luck = find_components(deal(size, 600, cards=2.0, rest=1.0))
    assert luck.cards == pytest.approx(4.0, rel=0.1)
    assert luck.rest == pytest.approx(1.0, rel=0.1)
    assert luck.rho == pytest.approx(0.8, abs=0.02)
    assert luck.factor == pytest.approx(5.0, rel=0.12)
    assert luck.bot == pytest.approx(np.var([*LEVELS.values()], ddof=1), rel=0.15)
    assert luck.bot_by_bot == pytest.approx(0.0, abs=0.01)


def test_no_digit_depends_on_the_order_in_which_deals_were_played() -> None:
    boards = deal(3, 40, cards=2.0, rest=1.0)
    assert find_components(boards) == find_components(boards[::-1])


def test_what_a_bot_owes_to_its_opponents_is_told_from_its_level() -> None:
    found = [
        find_components(deal(3, 20, cards=1.0, rest=1.0, pairs=0.7, seed=seed)).bot_by_bot
        for seed in range(40)
    ]
    assert np.mean([one for one in found if one is not None]) == pytest.approx(0.49, rel=0.15)
    assert find_components(deal(2, 900, cards=2.0, rest=0.0)).rest == pytest.approx(0.0, abs=1e-9)


def test_deals_needed_are_those_that_separate() -> None:
    """With that many deals the 95 % interval of the difference is as wide as foreseen."""
    luck = Components(2, 100, cards=4.0, rest=1.0, bot=0.2, bot_by_bot=None)
    needed = luck.deals_needed(0.25)
    random = np.random.default_rng(2)
    n = round(needed)
    seat = random.normal(0.0, 2.0, (400, n))
    one, two = (seat + random.normal(0.0, 1.0, (400, n)) for _ in range(2))
    half = 1.96 * np.std(one.mean(axis=1) - two.mean(axis=1))
    assert half == pytest.approx(0.25, rel=0.1)
    assert luck.deals_needed(0.25, duplicate=False) == pytest.approx(5.0 * needed)
    assert luck.deals_needed(0.0) == math.inf
    assert luck.luck == pytest.approx(5.0 / 5.2)


def test_without_luck_nothing_is_saved() -> None:
    none = Components(2, 10, cards=0.0, rest=0.0, bot=0.0, bot_by_bot=None)
    assert (none.rho, none.factor, none.luck) == (0.0, 1.0, 1.0)
    assert Components(2, 10, 1.0, 0.0, 1.0, None).factor == math.inf


def test_the_dealers_advantage_is_found() -> None:
    positions = position_bias(deal(3, 400, cards=1.0, rest=1.0, dealer=0.6))
    assert [position.position for position in positions] == [0, 1, 2]
    assert positions[0].low < 0.4 < positions[0].high
    assert positions[1].low < -0.2 < positions[1].high
    assert positions[0].low > 0.2
    assert sum(position.margin for position in positions) == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(("game", "players"), [("german_whist", 2), ("whist", 2), ("whiskey", 3)])
def test_real_sets_give_boards(game: str, players: int) -> None:
    bots = ["careful", "random", "random"][:players]
    result = play_sets(game, bots, sets=1, seed=4)
    matches = [
        (f"{record.data['set']}:{record.data['half']}", record.data)
        for each in result.sets
        for record in each.records
    ]
    boards, left_out = boards_of(matches)
    assert left_out == 0
    assert len(boards) * players == len(matches) * len(matches[0][1]["deals"])
    total = sum(sum(board.margins[board.players.index("careful")]) for board in boards)
    careful = result.players.index("careful")
    assert total == pytest.approx(result.sets[0].scores.margins[careful])
    luck = find_components(boards)
    assert luck.cards >= 0.0
    assert luck.rest > 0.0
    broken = [(half, data) for half, data in matches if data["lane"] != 0]
    assert boards_of(broken) == ([], len(boards))


def test_forfeited_deals_are_left_out() -> None:
    result = play_sets("german_whist", ["careful", "random"], sets=1, seed=4)
    matches = [("0", record.data) for record in result.sets[0].records]
    first = matches[0][1]["deals"][0]
    forfeited = {**first, "forfeit": {"seat": 0, "reason": "TIMEOUT"}}
    spoilt = {**matches[0][1], "deals": [forfeited, *matches[0][1]["deals"][1:]]}
    boards, left_out = boards_of([("0", spoilt), matches[1]])
    assert left_out == 1
    assert len(boards) == len(matches[0][1]["deals"]) - 1


def test_too_few_boards_are_refused() -> None:
    board = Board(("a", "b"), 0, ((1.0, 0.0), (0.0, -1.0)))
    for ask in (find_components, position_bias):
        with pytest.raises(RatingError) as caught:
            ask([board])
        assert caught.value.reason == "TOO_FEW_BOARDS"
    with pytest.raises(RatingError) as caught:
        Board(("a", "b"), 0, ((1.0,), (0.0,)))
    assert caught.value.reason == "BAD_BOARD"

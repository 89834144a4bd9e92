"""Duplicate sets in one process: fairness, repetition, faults, margins."""

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import kibitz
import pytest
from kibitz import Bot, BotError, OptionError, View
from kibitz.local import Contest, play_sets
from kibitz.margins import SetScores, clustered_mean, standings, student

SHORT = {"german_whist": "hands:2", "whist": "deals:4", "whiskey": "deals:3"}


class Breaks(Bot):
    """Breaks in every second deal."""

    def play(self, view: View) -> kibitz.Action:
        if view.number % 2:
            raise ValueError("broken")
        return view.legal[0]


@pytest.mark.parametrize("name", SHORT)
def test_every_player_meets_every_deck_once_in_each_seat(name: str) -> None:
    game = kibitz.game(name, end=SHORT[name])
    played = Contest(game, ["random"] * game.players, seed=4).play(0)
    seats: dict[tuple[Any, ...], list[tuple[str, ...]]] = {}
    for record in played.records:
        for deal in record.deals:
            deck = (deal["number"], *deal["deck"])
            seats.setdefault(deck, []).append(tuple(record.seats))
    halves = 2 if game.players == 3 else 1
    assert len(seats) == halves * int(SHORT[name].partition(":")[2])
    for orders in seats.values():
        for seat in range(game.seats):
            assert len({order[seat] for order in orders}) == len(orders) == game.players


@pytest.mark.parametrize("name", SHORT)
def test_the_records_of_a_set_check(name: str) -> None:
    game = kibitz.game(name, end=SHORT[name])
    played = Contest(game, ["random"] * game.players, seed=1).play(3)
    for record, seating in zip(played.records, kibitz.seatings(game), strict=True):
        record.verify()
        assert record.data["set"] == 3
        assert (record.data["half"], record.data["lane"]) == (seating.half, seating.lane)


def test_equal_bots_come_out_level_in_every_set() -> None:
    result = play_sets("whist", ["careful", "careful"], sets=3, seed=2)
    assert [row.margin for row in result.standings] == [0, 0]
    assert [row.won for row in result.standings] == [0.5, 0.5]
    assert result.players == ("careful", "careful#2")


def test_the_same_seed_plays_the_same_and_sets_can_be_played_apart() -> None:
    bots = ["random", "random"]
    whole = play_sets("german_whist", bots, sets=3, seed="s")
    assert whole.sets[0].scores != whole.sets[1].scores
    again = play_sets("german_whist", bots, sets=3, seed="s")
    other = play_sets("german_whist", bots, sets=3, seed="t")
    late = play_sets("german_whist", bots, sets=1, first=2, seed="s")
    assert [each.scores for each in whole.sets] == [each.scores for each in again.sets]
    assert [each.scores for each in whole.sets] != [each.scores for each in other.sets]
    assert late.sets[0].records[1].to_json() == whole.sets[2].records[1].to_json()


def test_a_fault_forfeits_the_deal_and_the_match_goes_on() -> None:
    game = kibitz.game("german_whist", hand_score="margin")
    result = play_sets(game, [Breaks, "random"], sets=1, seed=1)
    [played] = result.sets
    assert len(result.faults) == 10
    assert played.scores.forfeits == (10, 0)
    assert {fault.deal % 2 for fault in result.faults} == {1}
    assert {fault.error.reason for fault in result.faults} == {"BOT_RAISED"}
    for record in played.records:
        record.verify()
        seat = record.seats.index("Breaks")
        for deal in record.deals[1::2]:
            assert deal["forfeit"] == {"seat": seat, "reason": "BOT_RAISED"}
            assert deal["scores"][seat] == -13


def test_bots_hear_of_the_scores_at_the_end_also_of_a_forfeited_deal() -> None:
    heard: list[tuple[int, tuple[float, ...] | None]] = []

    class Listens(Bot):
        def play(self, view: View) -> kibitz.Action:
            return view.legal[0]

        def end(self, view: View) -> None:
            heard.append((view.seat, view.scores))

    result = play_sets(kibitz.game("german_whist", end="hands:2"), [Listens, Breaks], seed=1)
    wanted = [tuple(deal["scores"]) for each in result.sets[0].records for deal in each.deals]
    assert sorted(map(str, wanted)) == sorted(str(scores) for _, scores in heard)
    assert {seat for seat, _ in heard} == {0, 1}


def test_progress_is_told_deal_by_deal() -> None:
    deals: list[None] = []
    contest = Contest(kibitz.game("whiskey", end="deals:3"), ["random"] * 3, seed=1)
    contest.play(0, lambda: deals.append(None))
    assert len(deals) == contest.deals_per_set == 18


def test_wrong_numbers_of_bots_games_and_ends_are_refused() -> None:
    with pytest.raises(OptionError, match="played by 3 bots; 2 given"):
        Contest("whiskey", ["random"] * 2)
    with pytest.raises(OptionError, match="one for each side"):
        Contest("whist", ["random"] * 4)
    with pytest.raises(OptionError, match="cannot be duplicated"):
        Contest(kibitz.game("whiskey", end="target:100"), ["random"] * 3)

    class Whister(Breaks):
        games = ("whist",)

    with pytest.raises(BotError, match="plays only whist"):
        Contest("german_whist", [Whister, "random"])


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    [(1, 12.7062), (2, 4.30265), (3, 3.18245), (5, 2.57058), (10, 2.22814), (30, 2.04227)],
)
def test_quantiles_of_student_agree_with_the_tables(freedom: int, quantile: float) -> None:
    assert student(0.975, freedom) == pytest.approx(quantile, rel=0.005)


def test_the_error_of_a_clustered_mean_is_that_of_the_clusters() -> None:
    # Four clusters of one mean each: 1, 2, 3, 4; their standard error is sd / 2.
    mean, error = clustered_mean([(10, 10), (20, 10), (30, 10), (40, 10)])
    assert mean == 2.5
    assert error == pytest.approx(student(0.975, 3) * math.sqrt(5 / 3) / 2)
    assert clustered_mean([(3, 2)]) == (1.5, None)
    assert clustered_mean([]) == (0.0, None)


def test_a_set_won_by_two_counts_half_for_each() -> None:
    sets = [
        SetScores(2, (4, 2, 0), (2, 0, -2), (5, 5, -10), (0, 0, 0)),
        SetScores(2, (0, 2, 4), (-2, 0, 2), (-1, 0, 1), (0, 1, 0)),
    ]
    rows = {row.player: row for row in standings(["a", "b", "c"], sets)}
    assert [rows[name].won for name in "abc"] == [0.25, 0.25, 0.5]
    assert [rows[name].score for name in "abc"] == [1, 1, 1]
    assert rows["b"].forfeits == 1
    assert (rows["a"].sets, rows["a"].deals) == (2, 4)


@pytest.mark.parametrize(
    ("games", "status", "said"),
    [
        ('["whiskey", "whist"]', 0, "one plays a duplicate set of whiskey against careful"),
        ("[]", 0, "one plays a duplicate set of german_whist against careful"),
        ('["poker"]', 1, "no game 'poker'"),
    ],
)
def test_a_bots_own_file_plays_the_first_game_of_the_manifest_beside_it(
    tmp_path: Path, games: str, status: int, said: str
) -> None:
    code = "import kibitz\ndef one(view):\n    return view.legal[0]\n"
    (tmp_path / "bot.py").write_text(f'{code}if __name__ == "__main__":\n    kibitz.run(one)\n')
    manifest = f'[bot]\nname = "one"\nentry = "bot:one"\ngames = {games}\n'
    (tmp_path / "kibitz.toml").write_text(manifest)
    done = subprocess.run(
        [sys.executable, str(tmp_path / "bot.py")],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == status, done.stderr
    assert said in done.stdout + done.stderr
    assert "Traceback" not in done.stderr

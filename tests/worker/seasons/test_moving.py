"""Who goes up and down, and who takes free places."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st
from kibitz_worker.leagues.moving import Ended, Entry, everybody, fill, settle

Tables = list[list[int]]


def played(*tables: list[int]) -> list[Ended]:
    return [Ended(tuple(table), len(table)) for table in tables]


def test_the_best_change_places_with_the_last() -> None:
    after = settle(played([1, 2, 3, 4], [5, 6, 7, 8], [9, 10]), [2, 1, 0], set())
    assert after == [[1, 2, 5, 6], [3, 4, 7, 9], [8, 10]]


def test_a_bot_that_is_gone_counts_as_one_that_goes_down() -> None:
    assert settle(played([1, 2, 3], [4, 5, 6]), [1, 0], {1}) == [[2, 3, 4], [5, 6]]
    assert settle(played([1, 2, 3], [4, 5, 6]), [1, 0], {4}) == [[1, 2, 5], [3, 6]]
    assert settle(played([1, 2, 3], [4, 5, 6]), [1, 0], {2, 3}) == [[1, 4], [5, 6]]


def test_nobody_moves_over_a_division_that_was_not_played() -> None:
    unplayed = [Ended((1, 2), 2), Ended((3, 4), 0), Ended((5, 6), 2)]
    assert settle(unplayed, [1, 1, 0], set()) == [[1, 2], [3, 4], [5, 6]]


def test_bots_that_did_not_play_do_not_go_up_and_go_down_first() -> None:
    ended = [Ended((1, 2, 3), 2), Ended((4, 5, 6), 1)]
    assert settle(ended, [2, 0], set()) == [[1, 2, 4], [3, 5, 6]]


def test_free_places_go_to_the_first_of_the_next_division_and_the_last_ones_to_newcomers() -> None:
    tables, entries = fill([[1], [3, 4], [5]], [2, 2, 2], [7, 8, 9])
    assert tables == [[1, 3], [4, 5], [7, 8]]
    assert entries == [Entry(3, 0, 1), Entry(5, 1, 2), Entry(7, 2, None), Entry(8, 2, None)]


def test_by_rating_a_newcomer_takes_the_free_place_it_is_good_enough_for() -> None:
    ratings = {1: 1700.0, 3: 1500.0, 4: 1400.0, 7: 1450.0, 8: 1600.0}
    tables, entries = fill([[1], [3, 4]], [2, 2], [6, 7, 8], ratings)
    assert tables == [[1, 8], [3, 4]]
    assert entries == [Entry(8, 0, None)]
    assert fill([[1], [3, 4]], [2, 2], [6, 7], ratings)[0] == [[1, 3], [4, 7]]
    assert fill([[], []], [2, 2], [6, 7, 8], ratings)[0] == [[8, 7], [6]]


@st.composite
def leagues(draw: st.DrawFn) -> tuple[list[int], list[int]]:
    """Sizes of divisions, and how many go down from each."""
    sizes = draw(st.lists(st.integers(2, 6), min_size=1, max_size=4))
    movers: list[int] = []
    for number, size in enumerate(sizes[:-1]):
        above = movers[-1] if movers else 0
        most = min(size - above, sizes[number + 1])
        movers.append(draw(st.integers(0, most)))
    return sizes, [*movers, 0]


@settings(max_examples=60)
@given(leagues(), st.data())
def test_sizes_are_kept_and_nobody_is_lost_or_in_two_divisions(
    league: tuple[list[int], list[int]], data: st.DataObject
) -> None:
    sizes, movers = league
    tables: Tables = [[] for _ in sizes]
    waiting: list[int] = []
    newest = 0
    for _ in range(data.draw(st.integers(1, 8))):
        joined = data.draw(st.integers(0, 6))
        waiting += range(newest, newest + joined)
        newest += joined
        before = everybody(tables) + waiting
        rated = (
            data.draw(st.dictionaries(st.sampled_from(before), st.floats(0, 9))) if before else {}
        )
        tables, entries = fill(tables, sizes, waiting, rated or None)
        entered = {entry.member for entry in entries if entry.source is None}
        waiting = [member for member in waiting if member not in entered]
        assert sorted(everybody(tables) + waiting) == sorted(before)
        check_full_from_the_top(tables, sizes, waiting)
        order = [data.draw(st.permutations(table)) for table in tables]
        ended = [Ended(tuple(o), data.draw(st.sampled_from((len(o), 0)))) for o in order]
        people = everybody(tables)
        gone = data.draw(st.sets(st.sampled_from(people), max_size=4)) if people else set()
        tables = settle(ended, movers, gone)
        assert sorted(everybody(tables)) == sorted(set(people) - gone)
        assert all(len(t) <= size for t, size in zip(tables, sizes, strict=True))


def check_full_from_the_top(tables: Tables, sizes: list[int], waiting: list[int]) -> None:
    partly = [n for n, table in enumerate(tables) if len(table) < sizes[n]]
    if partly:
        assert not waiting
        assert not any(tables[n] for n in range(partly[0] + 1, len(tables)))
    assert all(len(table) <= size for table, size in zip(tables, sizes, strict=True))

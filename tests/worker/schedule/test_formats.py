"""Every format, played on paper from the first table to the last."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations
from random import Random

import pytest
from kibitz_worker.schedule.formats import (
    FORMATS,
    FormatError,
    Gauntlet,
    Halving,
    Knockout,
    Ladder,
    Meeting,
    RoundRobin,
    SetResult,
    Situation,
    Swiss,
    Versus,
    Wait,
    byes,
    climbers,
    comparisons,
    format_named,
    format_options,
)
from kibitz_worker.schedule.formats.ladder import ahead, expected_gain

from tests.worker.schedule.simulated import finish, plan, play, sure


def pairs(now: Situation) -> Counter[tuple[int, int]]:
    tables = (sorted(meeting.entrants) for meeting in now.meetings)
    return Counter(pair for table in tables for pair in combinations(table, 2))


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("name", [n for n in FORMATS if n not in {"versus", "individual"}])
def test_what_is_played_is_what_the_preview_promised(name: str, players: int) -> None:
    kind = format_named(name, {"sets_each": 12} if name == "ladder" else {})
    for entrants in (players + 1, 9, 14):
        now, _ = play(kind, entrants, players, sets=2)
        size = kind.size(entrants, players, 2)
        played = sum(len(meeting.sets) for meeting in now.meetings)
        assert now.rounds == size.rounds
        assert size.most is not None
        assert size.least <= played <= size.most + entrants
        assert {n for m in now.meetings for n in m.entrants} == set(range(entrants))


def test_a_gauntlet_lets_the_field_meet_only_in_the_challengers_company() -> None:
    now, _ = play(Gauntlet(2), 8, 2)
    assert sorted(pairs(now)) == [(one, other) for one in (0, 1) for other in range(2, 8)]
    now, _ = play(Gauntlet(), 8, 3)
    assert all(meeting.entrants[0] == 0 for meeting in now.meetings)
    field = Counter(number for meeting in now.meetings for number in meeting.entrants[1:])
    assert set(field.values()) == {6}


@pytest.mark.parametrize(("entrants", "players", "rounds"), [(16, 2, 10), (15, 2, 8), (27, 3, 5)])
def test_a_swiss_repeats_no_meeting_and_gives_nobody_two_byes(
    entrants: int, players: int, rounds: int
) -> None:
    now, over = play(Swiss(rounds), entrants, players)
    assert over.why == f"all {rounds} rounds have been played"
    assert max(pairs(now).values()) == 1
    assert max(byes(now).values(), default=0) <= 1
    for number in range(rounds):
        seated = [n for meeting in now.of_round(number) for n in meeting.entrants]
        assert len(seated) == len(set(seated)) == entrants - entrants % players


def test_a_swiss_lets_those_meet_who_have_done_as_well() -> None:
    now, _ = play(Swiss(5), 32, 2, scorer=sure)
    last = now.of_round(4)
    assert {0} in [set(meeting.entrants) & {0} for meeting in last]
    (top,) = [set(meeting.entrants) for meeting in last if 0 in meeting.entrants]
    assert max(top) < 16


@pytest.mark.parametrize(("entrants", "players"), [(8, 2), (11, 2), (9, 3), (10, 3), (15, 4)])
def test_in_a_knockout_the_best_wins_when_there_is_no_luck(entrants: int, players: int) -> None:
    now, over = play(Knockout(), entrants, players, scorer=sure)
    bracket = Knockout().bracket(now)
    assert over.why == "the final has been played"
    assert bracket[-1][-1].winners == (0,)
    assert len(bracket) == Knockout().size(entrants, players, 1).rounds
    if players == 2:
        assert bracket[-1][-1].entrants == (0, 1)
    lost = [n for r in bracket for b in r for n in b.entrants if n not in b.winners]
    assert sorted(lost) == list(range(1, entrants)), "everybody but the winner loses once"


def test_byes_of_a_knockout_go_to_the_first_seeds() -> None:
    bracket = Knockout().bracket(Situation(5, 2, 1))
    assert {b.entrants[0] for b in bracket[0] if b.by == "bye"} == {0, 1, 2}


def test_a_tie_is_played_on_then_margins_and_seeds_decide() -> None:
    now, _ = play(Knockout(tie_breaks=2), 2, 2, scorer=lambda *_: (1.0, 1.0))
    (meeting,) = now.meetings
    assert len(meeting.sets) == 3
    ((bout,),) = Knockout(tie_breaks=2).bracket(now)
    assert (bout.winners, bout.by) == ((0,), "seed")
    better = tuple(result._replace(margins=(-1.0, 1.0)) for result in meeting.sets)
    changed = Situation(2, 2, 1, (meeting._replace(sets=better),))
    ((bout,),) = Knockout(tie_breaks=2).bracket(changed)
    assert (bout.winners, bout.by) == ((1,), "margins")


def test_a_table_that_could_not_be_played_lets_the_better_seed_through() -> None:
    void = Meeting(0, (0, 1), (SetResult(0, "void"),))
    ((bout,),) = Knockout().bracket(Situation(2, 2, 1, (void,)))
    assert (bout.winners, bout.by) == ((0,), "seed")


@pytest.mark.parametrize(("entrants", "players"), [(16, 2), (13, 3), (12, 4)])
def test_the_field_is_halved_and_the_rest_plays_more(entrants: int, players: int) -> None:
    now, _ = play(Halving(), entrants, players, scorer=sure)
    rungs = Halving().rungs(entrants, players)
    standing = climbers(now, rungs)
    assert [len(rung) for rung in standing] == rungs
    assert 0 in standing[-1]
    for number, rung in enumerate(standing):
        sat = Counter(n for m in now.of_round(number) for n in m.entrants for _ in m.sets)
        assert set(sat) == set(rung)
        assert len(set(sat.values())) == 1
        assert min(sat.values()) >= 2**number


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_ladder_is_fair_and_asks_what_it_does_not_know(players: int) -> None:
    now, over = play(Ladder(30), 12, players, most=3)
    sat = Counter(n for m in now.meetings for n in m.entrants for _ in m.sets)
    assert min(sat.values()) == 30
    assert max(sat.values()) <= 30 + 2 * players
    assert over.why == "everybody has played 30 sets"
    near = sum(count for (one, other), count in pairs(now).items() if other - one <= 3)
    assert near > 0.42 * sum(pairs(now).values())


def test_a_ladder_without_end_keeps_few_sets_open() -> None:
    now = Situation(6, 2, 1, seed="s")
    kind = Ladder(0)
    for _ in range(20):
        step = kind.step(now)
        if not isinstance(step, Wait):
            now = plan(now, step)  # type: ignore[arg-type]
        assert sum(r.state == "open" for m in now.meetings for r in m.sets) <= ahead(6, 2)
        now = finish(now, Random(1), sure, 3)
    assert kind.size(6, 2, 1).most is None


def test_what_is_known_well_tells_less() -> None:
    draws = [SetResult(n, "done", (n % 2, 0.5), (0, 0), 1) for n in range(50)]
    often = Meeting(0, (0, 1), tuple(draws))
    gains = expected_gain(Situation(3, 2, 1, (often,)))
    assert gains[0, 1] < gains[0, 2] / 3


@pytest.mark.parametrize(("players", "entrants"), [(2, 2), (3, 5), (4, 6)])
@pytest.mark.parametrize(("edge", "state"), [(2.0, "accepted"), (-2.0, "rejected")])
def test_versus_finds_out_who_is_better(
    players: int, entrants: int, edge: float, state: str
) -> None:
    def scorer(random: Random, number: int, table: tuple[int, ...]) -> tuple[float, ...]:
        return tuple(random.gauss(edge if n == 0 else 0.0, 2.0) for n in table)

    kind = Versus(limit=500)
    now, over = play(kind, entrants, players, scorer=scorer, most=7)
    assert kind.progress(now).state == state
    assert over.why.startswith(state)
    if players > 2:
        for meeting in now.meetings:
            assert {0, 1} & set(meeting.entrants[:1])
            assert not {0, 1} & set(meeting.entrants[1:])
        both = comparisons(now)
        assert all(base.number == candidate.number + 1 for candidate, base in both)


def test_versus_counts_a_contiguous_prefix_and_passes_over_void_sets() -> None:
    done = ((9.0, 0.0), (4.5, -4.5), 4)
    sets = (
        SetResult(0, "done", *done),
        SetResult(1, "void"),
        SetResult(2, "done", *done),
        SetResult(3, "open"),
        SetResult(4, "done", *done),
    )
    now = Situation(2, 2, 1, (Meeting(0, (0, 1), sets),))
    assert Versus().progress(now).sets == 2


def test_versus_of_two_counts_the_matches_of_a_set_as_one_game_pair() -> None:
    """Sets that were shared one to one tell less than sets won twice, whatever their sums."""
    split, twice = (9.0, -1.0), (4.0, 4.0)
    sets = [SetResult(n, "done", (8.0, 0.0), (4.0, -4.0), 4, split) for n in range(60)]
    now = Situation(2, 2, 1, (Meeting(0, (0, 1), tuple(sets)),))
    assert Versus().progress(now).state == "rejected"
    won = tuple(result._replace(pair=twice) for result in sets)
    clear = replace(now, meetings=(Meeting(0, (0, 1), won),))
    assert Versus().progress(clear).state == "accepted"
    assert Versus(model="normalized").progress(clear).state == "accepted"
    assert Versus(model="normalized").progress(now).llr != Versus().progress(now).llr


def test_versus_ends_undecided_at_its_limit() -> None:
    kind = Versus(h0=0, h1=1, limit=20)
    now, over = play(kind, 2, 2, scorer=lambda r, n, t: (float(n % 2), 0.5))
    assert over.why.startswith("undecided after 20 sets")
    assert sum(len(m.sets) for m in now.meetings) == 20


@pytest.mark.parametrize(
    ("name", "options", "entrants", "players", "reason"),
    [
        ("bingo", {}, 4, 2, "FORMAT_UNKNOWN"),
        ("swiss", {"rounds": "many"}, 4, 2, "FORMAT_OPTION"),
        ("swiss", {"rounds": -1}, 4, 2, "FORMAT_OPTION"),
        ("swiss", {"turns": 3}, 4, 2, "FORMAT_OPTION"),
        ("round_robin", {"rounds": 3}, 4, 2, "FORMAT_OPTION"),
        ("round_robin", {}, 2, 3, "TOO_FEW_ENTRANTS"),
        ("gauntlet", {"challengers": 3}, 4, 3, "TOO_FEW_ENTRANTS"),
        ("gauntlet", {"challengers": 0}, 4, 3, "FORMAT_OPTION"),
        ("knockout", {"tie_breaks": 101}, 4, 2, "FORMAT_OPTION"),
        ("halving", {"factor": 1}, 4, 2, "FORMAT_OPTION"),
        ("ladder", {"sets_each": -1}, 4, 2, "FORMAT_OPTION"),
        ("versus", {}, 3, 2, "TOO_MANY_ENTRANTS"),
        ("versus", {}, 3, 3, "TOO_FEW_ENTRANTS"),
        ("versus", {"h0": 5, "h1": 5}, 2, 2, "FORMAT_OPTION"),
        ("versus", {"limit": 10**9}, 2, 2, "FORMAT_OPTION"),
        ("individual", {}, 6, 2, "FORMAT_GAME"),
        ("individual", {}, 64, 4, "TOO_MANY_ENTRANTS"),
    ],
)
def test_what_cannot_be_played_is_refused_with_a_reason(
    name: str, options: dict[str, object], entrants: int, players: int, reason: str
) -> None:
    with pytest.raises(FormatError) as caught:
        format_named(name, options).check(entrants, players)
    assert caught.value.reason == reason


def test_options_come_back_as_they_were_given() -> None:
    assert format_options(format_named("swiss", {"rounds": 4})) == {"rounds": 4}
    assert format_options(RoundRobin()) == {}

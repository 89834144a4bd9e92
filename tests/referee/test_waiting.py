"""Matches that wait: who is seated when, and at what cost where thousands wait."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import cast

from kibitz_referee.plan import Plan
from kibitz_referee.player import Player
from kibitz_referee.setrun import SetRun
from kibitz_referee.waiting import Waiting, WaitingList

from tests.referee.desk import Desk, in_loop, play_on
from tests.referee.parties import set_of

MANY = 5_000


@dataclass
class Seats:
    """What the line asks of a player."""

    free: int = 0

    def room(self) -> int:
        return self.free


@dataclass(eq=False)
class Row:
    """A line of matches between two players, seated as far as there is room."""

    players: dict[str, Seats] = field(default_factory=lambda: {"a": Seats(), "b": Seats()})
    looks: int = 0

    def __post_init__(self) -> None:
        self.line = WaitingList(cast("dict[str, Player]", self.players))

    def wait(self, *needs: str) -> list[Waiting]:
        return [self.line.add(cast(SetRun, self), cast(Plan, need)) for need in needs]

    def seat(self) -> list[int]:
        """Seat whom there is room for; return the numbers of their matches."""
        seated = []
        while (waiting := self.line.next()) is not None:
            self.looks += 1
            assert waiting.match is not None
            needs = cast(str, waiting.match[1])
            full = [one for one in needs if self.players[one].free < needs.count(one)]
            if full:
                self.line.until_room(waiting, full[0])
                continue
            for one in needs:
                self.players[one].free -= 1
            seated.append(waiting.number)
        return seated

    def free(self, *tokens: str) -> None:
        for token in tokens:
            self.players[token].free += 1
            self.line.freed(token)


def test_the_end_of_a_match_costs_the_same_however_many_wait() -> None:
    row = Row()
    row.wait(*["ab"] * MANY)
    assert row.seat() == []
    assert row.looks == MANY
    for number in range(20):
        row.free("a", "b")
        assert row.seat() == [number]
    assert row.looks <= MANY + 20 * 2


def test_who_waited_longest_is_seated_first() -> None:
    row = Row()
    row.wait("a", "b", "ab", "a")
    row.free("a", "a", "b")
    assert row.seat() == [0, 1, 3]
    row.free("b")
    assert row.seat() == []
    row.free("a")
    assert row.seat() == [2]


def test_a_match_that_needs_more_room_holds_up_none_behind_it() -> None:
    row = Row()
    row.wait("aa", "a")
    row.free("a")
    assert row.seat() == [1]
    row.free("a")
    assert row.seat() == []
    row.free("a")
    assert row.seat() == [0]


def test_matches_of_a_set_that_is_over_are_passed_over() -> None:
    row = Row()
    first, _ = row.wait("a", "a")
    assert row.seat() == []
    first.match = None
    row.free("a")
    assert row.seat() == [1]


def test_what_is_handed_back_is_found_when_its_player_is_free_again_before_the_end() -> None:
    row = Row()
    row.wait("ab", "a")
    waiting = row.line.next()
    assert waiting is not None
    row.line.until_room(waiting, "b")
    row.free("a", "a", "b")
    assert row.seat() == [0, 1]


def test_a_player_that_comes_is_looked_at_for_all_that_waits_for_it() -> None:
    row = Row()
    row.wait("a", "a")
    assert row.seat() == []
    row.players["a"].free = 2
    assert row.seat() == []
    row.line.changed("a")
    assert row.seat() == [0, 1]


@in_loop
async def test_a_deck_is_not_played_at_two_tables_of_a_bot() -> None:
    desk = Desk()
    bots = desk.bot("a"), desk.bot("b")
    seatings = ("a", "b"), ("b", "a")
    run = await desk.seat(set_of("german_whist", *seatings, end="hands:2", same_decks=True))
    assert (len(run.pending), len(run.live), desk.hall.tables) == (1, 1, 1)
    await play_on(desk, *bots)
    events = await desk.result()
    assert events[-1].HasField("set_finished")
    kinds = [event.WhichOneof("event") for event in events]
    order = [kind for kind in kinds if kind in {"match_started", "match_finished"}]
    assert order == ["match_started", "match_finished"] * 2
    assert desk.hall.tables == 0

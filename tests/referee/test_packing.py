"""Packed actions are what the protocol's own code makes of the same numbers."""

from random import Random

import kibitz
import pytest
from kibitz.v1 import bot_pb2 as wire
from kibitz_referee.packing import add_legal


@pytest.mark.parametrize("most", [1, 127, 128, 255, 256, 70_000])
@pytest.mark.parametrize("count", [0, 1, 127, 128, 20_000])
def test_numbers_are_added_as_the_message_itself_writes_them(most: int, count: int) -> None:
    rng = Random(most)
    numbers = [rng.randint(0, most) for _ in range(count)]
    turns = wire.Turns(slots=[3], legal=[most])
    add_legal(turns, numbers)
    assert turns == wire.Turns(slots=[3], legal=[most, *numbers])


@pytest.mark.parametrize("name", kibitz.games())
def test_all_actions_of_a_game_can_be_added(name: str) -> None:
    actions = kibitz.game(name).actions.all
    turns = wire.Turns()
    add_legal(turns, actions)
    assert turns.SerializeToString() == wire.Turns(legal=range(len(actions))).SerializeToString()

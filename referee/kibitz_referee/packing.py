"""Actions in their wire form: a message takes up packed bytes at a sixth of the cost of numbers.

Actions are no plain integers, so that each would first be made one.
"""

from __future__ import annotations

from collections.abc import Sequence

from kibitz.v1 import bot_pb2 as wire

ONE_BYTE = 128
"""Smaller numbers are their own wire form."""

_LEGAL = bytes([wire.Turns.LEGAL_FIELD_NUMBER << 3 | 2])


def add_legal(turns: wire.Turns, legal: Sequence[int]) -> None:
    """Add the numbers of legal actions to a message."""
    if not legal or max(legal) >= ONE_BYTE:
        turns.legal.extend(legal)
        return
    turns.MergeFromString(_LEGAL + _varint(len(legal)) + bytes(legal))


def _varint(number: int) -> bytes:
    data = bytearray()
    while number >= ONE_BYTE:
        data.append(number & 127 | 128)
        number >>= 7
    data.append(number)
    return bytes(data)

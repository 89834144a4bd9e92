"""What the last step before a bot's own program is told to do."""

import marshal
from typing import TypedDict


class Order(TypedDict):
    """What to do.

    `limits` are rlimits by name, `uid` whom to become (None: stay), `folder` where to start,
    `rights` and `paths` the Landlock ruleset, `filter` the system call filter in hex (empty:
    neither of the two), `parent` the process to die with (0: none), `door` an open socket on which
    to send the filter's listener (None: the filter has none), `lifeline` a pipe that is closed when
    the worker is gone.
    """

    limits: dict[str, int]
    uid: int | None
    folder: str
    rights: list[int]
    paths: list[tuple[str, int]]
    filter: str
    parent: int
    door: int | None
    lifeline: int | None


def as_word(order: Order) -> str:
    """Return an order as one argument of a command line, which `inside` reads without a parser."""
    return marshal.dumps(dict(order)).hex()

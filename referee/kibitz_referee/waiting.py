"""The matches that wait to be seated, each looked at again only when what held it up has changed.

So what the end of a match costs does not grow with the number of matches that wait.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from heapq import heappop, heappush
from itertools import count
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kibitz_referee.owner import Owner
    from kibitz_referee.plan import Plan
    from kibitz_referee.player import Player
    from kibitz_referee.setrun import SetRun


@dataclass(order=True, slots=True)
class Waiting:
    """A match that waits; those of older sets come first, and in a set the first ones.

    ``match`` is ``None`` when it no longer waits: it was seated, or its set is over.
    """

    number: int
    match: tuple[SetRun, Plan] | None = field(compare=False)


class WaitingList:
    """Which match is to be looked at next.

    Whoever seats matches takes them from :meth:`next` until there is none; each is either
    seated, or handed back with what it waits for.
    """

    def __init__(self, players: Mapping[str, Player]) -> None:
        self._players = players
        self._numbers = count()
        self._unseen: list[Waiting] = []
        self._for_room: defaultdict[str, list[Waiting]] = defaultdict(list)
        self._for_deck: defaultdict[tuple[Owner, int], list[Waiting]] = defaultdict(list)
        self._freed: dict[str, None] = {}
        self._handed_back: defaultdict[str, list[Waiting]] = defaultdict(list)

    def add(self, run: SetRun, plan: Plan) -> Waiting:
        """Let a match wait."""
        waiting = Waiting(next(self._numbers), (run, plan))
        heappush(self._unseen, waiting)
        return waiting

    def changed(self, token: str) -> None:
        """Note that a player came, or comes on other terms: all that waits for it is looked at."""
        self._look_at(self._for_room.pop(token, ()))
        self._look_at(self._handed_back.pop(token, ()))

    def freed(self, token: str) -> None:
        """Note that a player left a table."""
        self._freed[token] = None
        self._put_back(token)

    def played(self, owner: Owner, decks: Iterable[int]) -> None:
        """Note that none of an owner's tables plays these decks any longer."""
        for deck in decks:
            self._look_at(self._for_deck.pop((owner, deck), ()))

    def until_room(self, waiting: Waiting, token: str) -> None:
        """Hand a match back that waits until a player has room, or is there."""
        self._handed_back[token].append(waiting)

    def until_played(self, waiting: Waiting, owner: Owner, deck: int) -> None:
        """Hand a match back that waits until a deck is not in play at an owner's other tables."""
        self._for_deck[owner, deck].append(waiting)

    def next(self) -> Waiting | None:
        """Return the first match that might be seated now; ``None`` if there is none."""
        while (queue := self._first()) is not None:
            waiting = heappop(queue)
            if waiting.match is not None:
                return waiting
        for token in tuple(self._handed_back):
            self._put_back(token)
        return None

    def _first(self) -> list[Waiting] | None:
        """Return the queue whose first match comes before those of all others."""
        queues = [self._unseen] if self._unseen else []
        for token in tuple(self._freed):
            player, queue = self._players.get(token), self._for_room.get(token)
            if queue and player is not None and player.room() > 0:
                queues.append(queue)
            else:
                del self._freed[token]
        return min(queues, key=lambda queue: queue[0], default=None)

    def _put_back(self, token: str) -> None:
        # Not at once, or a match that needs two seats would be looked at again and again.
        for waiting in self._handed_back.pop(token, ()):
            heappush(self._for_room[token], waiting)

    def _look_at(self, some: Iterable[Waiting]) -> None:
        for waiting in some:
            if waiting.match is not None:
                heappush(self._unseen, waiting)

"""Bots of one owner in sets with the same cards, given to two workers: never at the same time."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import chain, combinations
from pathlib import Path

import grpc
import pytest
from kibitz.v1.log_pb2 import MessageLog
from kibitz.v1.referee_pb2 import PresenceRequest
from kibitz.v1.referee_pb2_grpc import RefereeServiceStub
from kibitz_worker.store.accounts import add_token, create_user, user_named
from kibitz_worker.store.bots import version_labelled
from kibitz_worker.store.models import DealSet, Match, SetState, Version
from kibitz_worker.store.tournaments import create_tournament
from kibitz_worker.work.messages import messages_of
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from tests.referee.parties import BotProcess
from tests.worker.jobs.machine import Machine, machine, wait_for

TOKENS = {"One": "kbz_the-first-token-of-ana", "Two": "kbz_the-second-token-of-ana"}
SLOW = """
import time
import kibitz

class {name}(kibitz.Bot):
    def play(self, view):
        time.sleep(0.004)
        return view.legal[0]

kibitz.run({name})
"""

Times = tuple[int, int]


@pytest.fixture
def up(tmp_path: Path) -> Iterator[Machine]:
    """A referee, the bots of ana, and two workers."""
    with machine(tmp_path / "data") as one, ExitStack() as stack:
        with one.store.write() as session:
            ana = create_user(session, "ana")
            for name, token in TOKENS.items():
                add_token(session, ana, name, token)
        one.start_worker()
        other = one._start("other", "kibitz_worker")
        stack.callback(other.wait, 30)
        stack.callback(other.terminate)
        wait_for(lambda: admitted(one) == len(TOKENS), "the tokens to be admitted")
        address = f"unix:{one.settings.bot_socket}"
        for name, token in TOKENS.items():
            stack.enter_context(BotProcess(address, token, SLOW.format(name=name)))
        wait_for(lambda: hosted(one) == len(TOKENS), "the bots to be noticed")
        yield one


def admitted(one: Machine) -> int:
    with grpc.insecure_channel(f"unix:{one.settings.control_socket}") as channel:
        answer = RefereeServiceStub(channel).Presence(PresenceRequest(), timeout=15)
        return len(answer.players)


def hosted(one: Machine) -> int:
    with one.store.read() as session:
        query = select(func.count()).where(Version.token_id.is_not(None))
        return session.scalar(query) or 0


def start(one: Machine) -> None:
    """Have one of ana's bots tested against the other among bots of the house."""
    with one.store.write() as session:
        labels = ("ana/one/1", "ana/two/1", "careful", "random")
        create_tournament(
            session, user_named(session, "ana"), "whiskey",
            [version_labelled(session, label) for label in labels],
            options={"end": "deals:3"}, format="versus",
            format_options={"h1": 1.0, "limit": 16},
        )  # fmt: skip


def played(session: Session) -> dict[str, list[tuple[str, Times]]]:
    """Return when ana's seats were played with which decks, up to the names of suits."""
    found = defaultdict(list)
    query = select(Match, DealSet).join(DealSet, Match.set_id == DealSet.id)
    for match, deal_set in session.execute(query):
        logs = [messages_of(session, match.id, seat) for seat in range(3)]
        for log in filter(None, logs):
            decks = f"{deal_set.twin_id or deal_set.id}-{match.half}"
            found[decks].append((deal_set.id, times(log)))
    return found


def times(log: MessageLog) -> Times:
    return log.messages[0].time_us, log.messages[-1].time_us


def overlap(one: Times, other: Times) -> bool:
    return max(one[0], other[0]) < min(one[1], other[1])


@pytest.mark.campaign
def test_no_deck_is_in_play_at_two_tables_of_one_owner(up: Machine) -> None:
    start(up)
    wait_for(lambda: up.count(SetState.DONE) >= 4, "the first sets")
    with up.store.read() as session:
        found = played(session)
    twice = [rows for rows in found.values() if len({key for key, _ in rows}) == 2]
    assert len(twice) >= 2
    for rows in twice:
        assert not [pair for pair in combinations([at for _, at in rows], 2) if overlap(*pair)]
    apart = [pair for pair in combinations(chain(*found.values()), 2) if pair[0][0] != pair[1][0]]
    assert any(overlap(one, other) for (_, one), (_, other) in apart)

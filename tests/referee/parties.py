"""Who takes part in the tests: a referee and bots, each a process or a real connection."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import accumulate
from pathlib import Path
from queue import SimpleQueue
from types import TracebackType
from typing import Any

import grpc
import kibitz
from kibitz.client.options import CHANNEL, PROTOCOL, REASON_KEY, RULES
from kibitz.v1 import bot_pb2, bot_pb2_grpc, referee_pb2, referee_pb2_grpc, table_pb2

WAIT_S = 20.0

PATIENT = table_pb2.Clock(bank_ms=60_000, cap_ms=30_000, ready_ms=20_000)
"""A clock that no sound bot overruns, however busy the machine is."""

FIRST = """
import kibitz

class First(kibitz.Bot):
    def play(self, view):
        return view.legal[0]

kibitz.run(First)
"""


def digest(token: str) -> str:
    """Return what a referee knows of a token."""
    return hashlib.sha256(token.encode()).hexdigest()


def until(condition: Callable[[], bool], seconds: float = WAIT_S) -> None:
    """Wait for something that must come true."""
    deadline = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < deadline, f"not within {seconds} s"
        time.sleep(0.02)


def reason(error: grpc.RpcError) -> str:
    """Return the machine-readable reason of a refusal."""
    assert isinstance(error, grpc.Call)
    return str(dict(error.trailing_metadata() or ()).get(REASON_KEY, ""))


def play_bytes(channel: grpc.Channel, *messages: bytes) -> list[bytes]:
    """Say some bytes to BotService; return all that it answers."""
    play: Any = channel.stream_stream("/kibitz.v1.BotService/Play")
    return list(play(iter(messages)))


class Referee:
    """A referee in a process of its own."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.socket, self.control = folder / "bots.sock", folder / "control.sock"
        self.address = f"unix:{self.socket}"
        command = [sys.executable, "-m", "kibitz_referee", "--socket", str(self.socket)]
        self.log = folder / "referee.log"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                [*command, *options], stdout=subprocess.PIPE, stderr=log, text=True
            )
        assert self.process.stdout is not None
        self.greeting = self.process.stdout.readline()
        assert self.greeting, self.log.read_text()
        self._channel = grpc.insecure_channel(f"unix:{self.control}")
        self.stub = referee_pb2_grpc.RefereeServiceStub(self._channel)

    def admit(self, *tokens: str, max_tables: int = 0) -> None:
        admissions = [
            referee_pb2.Admission(token_sha256=digest(token), label=token, max_tables=max_tables)
            for token in tokens
        ]
        self.stub.Admit(referee_pb2.AdmitRequest(admissions=admissions), timeout=WAIT_S)

    def presence(self) -> referee_pb2.PresenceResponse:
        return self.stub.Presence(referee_pb2.PresenceRequest(), timeout=WAIT_S)

    def connected(self) -> int:
        return self.presence().load.connections

    def run(self, request: referee_pb2.RunSetRequest) -> Played:
        """Play a set to its end."""
        return Played(self.stub.RunSet(request, timeout=60))

    def stop(self) -> int:
        """Stop the process; return its exit status."""
        self._channel.close()
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(30)
        finally:
            self.process.kill()
            self.process.communicate()


class Played:
    """All that a worker heard of a set."""

    def __init__(self, events: Iterable[referee_pb2.RunSetResponse]) -> None:
        self.events = list(events)
        self.matches = {
            event.match_finished.match_id: event.match_finished
            for event in self.events
            if event.HasField("match_finished")
        }
        self.last = self.events[-1]

    @property
    def failed(self) -> referee_pb2.SetFailed | None:
        return self.last.set_failed if self.last.HasField("set_failed") else None

    @property
    def finished(self) -> bool:
        return self.last.HasField("set_finished")

    def record(self, match_id: str) -> kibitz.Record:
        """Return the record of a match, replayed and found right."""
        record = kibitz.Record.from_json(self.matches[match_id].record_json)
        record.verify()
        return record

    def reasons(self, match_id: str) -> list[tuple[int, str]]:
        return [(one.seat, one.reason) for one in self.matches[match_id].forfeits]


def set_of(
    game: str,
    *seatings: Sequence[str],
    clock: table_pb2.Clock | None = None,
    policy: referee_pb2.Policy | None = None,
    seed: str = "",
    same_decks: bool = False,
    **options: Any,
) -> referee_pb2.RunSetRequest:
    """Return a set with a match for each seating; a seating names tokens by seat."""
    rules = kibitz.game(game, **options)
    kind, number = rules.goal
    count = number if kind in {"deals", "hands"} else 100
    return referee_pb2.RunSetRequest(
        set_id="set",
        game=game,
        options_json=json.dumps(options),
        clock=clock or PATIENT,
        policy=policy,
        matches=[
            referee_pb2.Match(
                match_id=f"m{index}",
                seats=[referee_pb2.Chair(token_sha256=digest(t), name=t) for t in seating],
                decks=[
                    deck_of(rules, deal, f"{seed}.{0 if same_decks else index}.{deal}")
                    for deal in range(count)
                ],
            )
            for index, seating in enumerate(seatings)
        ],
    )


def deck_of(game: kibitz.Game, deal: int, seed: str) -> referee_pb2.Deck:
    """Return the luck of a deal, with a cut card where the rules need one."""
    card = kibitz.cut(game, deal, seed) if game.needs_cut(deal) else None
    return referee_pb2.Deck(cards=kibitz.shuffle(game, seed), cut=card)


def watched_match(referee: Referee, request: referee_pb2.RunSetRequest) -> RawBot:
    """Play a match of "a" and "b"; return the bot that was "a", with all it heard and said."""
    referee.admit("a", "b")
    with (
        ThreadPoolExecutor(1) as pool,
        BotProcess(referee, "b"),
        RawBot(referee.address, "a") as bot,
    ):
        bot.welcome()
        played = pool.submit(referee.run, request)
        bot.turns()
        bot.send(resend=bot_pb2.Resend())
        bot.play_on()
        assert played.result(60).finished
        return bot


class BotProcess:
    """A bot of the SDK in a process of its own; a context manager that kills it."""

    def __init__(self, referee: Referee | str, token: str, code: str = FIRST) -> None:
        address = referee if isinstance(referee, str) else referee.address
        environment = {**os.environ, "KIBITZ_ADDRESS": address, "KIBITZ_TOKEN": token}
        self.process = subprocess.Popen(
            [sys.executable, "-c", code], env=environment, stderr=subprocess.PIPE, text=True
        )

    def __enter__(self) -> BotProcess:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self.process.stderr is not None
        if not self.process.stderr.closed:
            self.process.kill()
            self.process.communicate()

    def said(self) -> str:
        """End the bot; return what it wrote to stderr."""
        self.process.terminate()
        return self.process.communicate()[1]


class RawBot:
    """A connection to BotService without the SDK, for whatever a bot should not do."""

    def __init__(self, address: str, token: str, **hello: Any) -> None:
        self._channel = grpc.insecure_channel(address, options=CHANNEL)
        self._outbox: SimpleQueue[bot_pb2.PlayRequest | None] = SimpleQueue()
        requests: Iterator[bot_pb2.PlayRequest] = iter(self._outbox.get, None)
        self.call = bot_pb2_grpc.BotServiceStub(self._channel).Play(requests)
        self.seats: dict[int, bot_pb2.TableStart] = {}
        self.news: list[bot_pb2.News] = []
        self.rejects: list[bot_pb2.Reject] = []
        self.bytes: list[bytes] = []
        self.asked: list[int] = []
        self.said: list[bot_pb2.PlayRequest] = []
        self._unread: list[bot_pb2.Turns] = []
        hello = {"protocol": PROTOCOL, "rules": RULES, **hello}
        self.send(hello=bot_pb2.Hello(token=token, **hello))

    def __enter__(self) -> RawBot:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.drop()

    def send(self, **message: Any) -> None:
        self.said.append(bot_pb2.PlayRequest(**message))
        self._outbox.put(self.said[-1])

    def drop(self) -> None:
        """Be gone without a word."""
        self.call.cancel()
        self._outbox.put(None)
        self._channel.close()

    def hear(self) -> bot_pb2.PlayResponse:
        """Return the next message; ready for every table that starts."""
        message = next(self.call)
        self.bytes.append(message.SerializeToString(deterministic=True))
        starts = []
        for news in message.turns.news:
            self.news.append(news)
            if news.HasField("table_start"):
                self.seats[news.slot] = news.table_start
                starts.append(news.slot)
            elif news.HasField("table_end"):
                del self.seats[news.slot]
        self.rejects += message.turns.rejects
        if message.turns.slots:
            self._unread.append(message.turns)
        if starts:
            self.send(ready=bot_pb2.Ready(slots=starts))
        return message

    def hear_on(self) -> None:
        """Hear whatever comes, until the stream ends."""
        while True:
            self.hear()

    def welcome(self) -> bot_pb2.Welcome:
        message = self.hear()
        assert message.HasField("welcome"), message
        return message.welcome

    def turns(self) -> bot_pb2.Turns:
        """Return the next message that asks for decisions."""
        while not self._unread:
            self.hear()
        return self._unread.pop(0)

    def reject(self) -> bot_pb2.Reject:
        """Return the next reject."""
        while not self.rejects:
            self.hear()
        return self.rejects.pop(0)

    def answer(self, turns: bot_pb2.Turns, *which: int) -> None:
        """Answer turns with their first legal action: all of them, or those numbered."""
        self.asked += turns.decisions
        ends = list(accumulate(turns.legal_counts))
        for index in which or range(len(turns.slots)):
            first = turns.legal[ends[index] - turns.legal_counts[index]]
            self.act(turns.slots[index], turns.decisions[index], first)

    def act(self, slot: int, decision: int, action: int) -> None:
        actions = bot_pb2.Actions(slots=[slot], decisions=[decision], actions=[action])
        self.send(actions=actions)

    def play_on(self) -> None:
        """Play properly until all tables are over."""
        while self.seats or self._unread:
            if self._unread:
                self.answer(self._unread.pop(0))
            else:
                self.hear()

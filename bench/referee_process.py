"""A referee in a process of its own, with bots in theirs, for benchmarks."""

from __future__ import annotations

import contextlib
import hashlib
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import grpc
import kibitz
from kibitz.v1 import referee_pb2 as wire
from kibitz.v1 import referee_pb2_grpc

OPPONENTS = {
    "driver": ["-m", "bench.referee_driver"],
    "bot": [
        "-c",
        "import kibitz\n"
        "class First(kibitz.Bot):\n"
        "    def play(self, view): return view.legal[0]\n"
        "kibitz.run(First)",
    ],
}
START_S = 30.0


class RefereeProcess:
    """A referee; a context manager that stops it and its bots."""

    def __init__(self, *options: str) -> None:
        self._folder = tempfile.TemporaryDirectory(prefix="kibitz-bench-")
        folder = Path(self._folder.name)
        self.address = f"unix:{folder / 'bots.sock'}"
        command = ["-m", "kibitz_referee", "--socket", str(folder / "bots.sock"), *options]
        self._process = subprocess.Popen(
            [sys.executable, *command, "--log-level", "error", "--drain", "0"],
            stdout=subprocess.PIPE,
        )
        assert self._process.stdout is not None
        self._process.stdout.readline()  # it says so when it listens
        self._channel = grpc.insecure_channel(f"unix:{folder / 'control.sock'}")
        self._stub = referee_pb2_grpc.RefereeServiceStub(self._channel)
        self._bots: list[subprocess.Popen[bytes]] = []
        self.tokens: list[str] = []

    def __enter__(self) -> RefereeProcess:
        return self

    def __exit__(self, *_: object) -> None:
        for bot in self._bots:
            bot.kill()
        for bot in self._bots:
            bot.wait()
        self._channel.close()
        self._process.terminate()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._process.wait(10)
        self._process.kill()
        self._process.wait()
        self._folder.cleanup()

    def start_bots(self, kind: str, count: int, max_tables: int) -> None:
        """Start bots and wait until all are connected."""
        secrets = [f"{kind}-{number}" for number in range(count)]
        self._admit(secrets, max_tables)
        for secret in secrets:
            self._start(OPPONENTS[kind], {"KIBITZ_TOKEN": secret})
        self._await(count)

    def _admit(self, secrets: list[str], max_tables: int) -> None:
        self.tokens = [hashlib.sha256(secret.encode()).hexdigest() for secret in secrets]
        admissions = [
            wire.Admission(token_sha256=token, max_tables=max_tables) for token in self.tokens
        ]
        self._stub.Admit(wire.AdmitRequest(admissions=admissions))

    def _start(self, arguments: list[str], extra: dict[str, str]) -> None:
        environment = {**os.environ, "KIBITZ_ADDRESS": self.address, **extra}
        command = [sys.executable, *arguments]
        self._bots.append(subprocess.Popen(command, env=environment, stderr=subprocess.DEVNULL))

    def _await(self, count: int) -> None:
        deadline = time.monotonic() + START_S
        while self.load().connections < count:
            if time.monotonic() > deadline:
                raise RuntimeError(f"{count} bots did not connect within {START_S:g} s")
            time.sleep(0.05)

    def start_crowd(self, count: int, processes: int) -> None:
        """Start bots, many in a process, and wait until all are connected."""
        secrets = [f"crowd-{number}" for number in range(count)]
        self._admit(secrets, max_tables=0)
        for number in range(processes):
            tokens = ",".join(secrets[number::processes])
            environment = {"KIBITZ_TOKENS": tokens}
            self._start(["-m", "bench.referee_crowd"], environment)
        self._await(count)

    def results(self, request: wire.RunSetRequest) -> tuple[int, int]:
        """Play a set; return how many matches had a result, and how many failures there were."""
        matches = failures = 0
        for event in self._stub.RunSet(request):
            if event.HasField("match_finished"):
                matches += 1
                finished = event.match_finished
                failures += len(finished.forfeits) + len(finished.penalties)
            failures += event.HasField("set_failed")
        return matches, failures

    def memory(self) -> int:
        """Return how much memory the referee has to itself, in bytes."""
        lines = Path(f"/proc/{self._process.pid}/smaps_rollup").read_text().splitlines()
        kilobytes = [line.split()[1] for line in lines if line.startswith("Private_")]
        return sum(map(int, kilobytes)) * 1024

    def request(self, game_name: str, tables: int, deals: int) -> wire.RunSetRequest:
        """Return a set of matches between the bots, each with decks of its own."""
        game = kibitz.game(game_name, end=f"hands:{deals}")
        chairs = [wire.Chair(token_sha256=token, name=token[:6]) for token in self.tokens]
        return wire.RunSetRequest(
            set_id="bench",
            game=game_name,
            options_json=f'{{"end": "hands:{deals}"}}',
            matches=[
                wire.Match(
                    match_id=str(table),
                    seats=chairs[: game.seats],
                    decks=[
                        wire.Deck(cards=kibitz.shuffle(game, f"{table}.{deal}"))
                        for deal in range(deals)
                    ],
                )
                for table in range(tables)
            ],
        )

    def run(self, request: wire.RunSetRequest) -> float:
        """Play a set; return the seconds from its first match on."""
        begun = None
        for event in self._stub.RunSet(request):
            kind = event.WhichOneof("event")
            if begun is None and kind == "match_started":
                begun = time.perf_counter()
            if kind == "set_failed":
                raise RuntimeError(f"the set failed: {event.set_failed}")
        assert begun is not None
        return time.perf_counter() - begun

    def load(self) -> wire.Load:
        """Return what the referee says about its load."""
        return self._stub.Presence(wire.PresenceRequest()).load

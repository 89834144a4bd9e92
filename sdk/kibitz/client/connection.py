"""One connection to a referee: messages out, messages in, heartbeats beside."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from queue import SimpleQueue
from types import TracebackType

import grpc
from google.protobuf.message import DecodeError

from kibitz.client.errors import NonsenseError
from kibitz.client.options import CHANNEL
from kibitz.v1 import bot_pb2 as wire

PLAY = "/kibitz.v1.BotService/Play"
GOODBYE_S = 1.0
"""How long a goodbye may take to be sent."""

WELCOME_S = 20.0
"""How long a server may take to welcome the bot; one that hangs is given up then."""

BEAT_MIN_S = 0.1
"""The least time between two heartbeats, whatever the server asks for."""


class Connection:
    """A stream to a referee; a context manager that closes it.

    Iterating over it yields the referee's messages, heartbeats left out, and raises
    ``grpc.RpcError`` when the stream breaks and ``NonsenseError`` when what comes is no message.
    ``beat`` starts heartbeats: a thread of its own sends them, so that they go on while the bot
    thinks.

    Attributes:
        latency_us: by how much the referee measured more for answers than the bot took: median and
            99th percentile in microseconds; ``None`` until the referee has said so.
    """

    def __init__(self, address: str) -> None:
        self._channel = grpc.insecure_channel(address, options=CHANNEL)
        self._outbox: SimpleQueue[wire.PlayRequest | None] = SimpleQueue()
        play = self._channel.stream_stream(
            PLAY,
            request_serializer=wire.PlayRequest.SerializeToString,
            response_deserializer=_parse,
        )
        self._call = play(iter(self._outbox.get, None))
        self._closed = threading.Event()
        self._waiting_since: float | None = None
        self.latency_us: tuple[int, int] | None = None
        self._unwelcome = threading.Timer(WELCOME_S, self._call.cancel)
        self._unwelcome.daemon = True
        self._unwelcome.start()

    def __enter__(self) -> Connection:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._closed.set()
        self._unwelcome.cancel()
        self._outbox.put(None)
        self._call.cancel()
        self._channel.close()

    def send(self, message: wire.PlayRequest) -> None:
        """Send a message; never waits."""
        self._outbox.put(message)

    def __iter__(self) -> Iterator[wire.PlayResponse]:
        while True:
            self._waiting_since = time.monotonic()
            message = next(self._call, None)
            self._waiting_since = None
            if message is None:
                return
            if isinstance(message, bytes):
                raise NonsenseError(f"{len(message)} bytes that are no kibitz.v1.PlayResponse")
            if message.WhichOneof("message") != "heartbeat":
                yield message
            elif message.heartbeat.HasField("latency_p50_us"):
                beat = message.heartbeat
                self.latency_us = beat.latency_p50_us, beat.latency_p99_us

    def beat(self, interval: float, silence: float) -> None:
        """Send a heartbeat every ``interval`` seconds; break off after ``silence`` seconds.

        Called when the bot is welcomed; until then it is broken off after ``WELCOME_S``.
        """
        self._unwelcome.cancel()
        threading.Thread(
            target=self._beat, args=(interval, silence), name="kibitz-heartbeat", daemon=True
        ).start()

    def goodbye(self) -> None:
        """Leave for good: say so, and wait a moment until it has been heard."""
        self.send(wire.PlayRequest(goodbye=wire.Goodbye(reason="DONE")))
        self._outbox.put(None)
        timer = threading.Timer(GOODBYE_S, self._call.cancel)
        timer.daemon = True
        timer.start()
        # Ctrl-C may have left a read of the stream under way, and gRPC allows no second one: so
        # wait for the end of the call rather than for messages.
        self._call.code()
        timer.cancel()

    def _beat(self, interval: float, silence: float) -> None:
        number = 0
        while not self._closed.wait(max(BEAT_MIN_S, interval)):
            number += 1
            self.send(wire.PlayRequest(heartbeat=wire.Heartbeat(number=number)))
            since = self._waiting_since
            if since is not None and time.monotonic() - since > silence:
                self._call.cancel()
                return


def _parse(data: bytes) -> wire.PlayResponse | bytes:
    try:
        return wire.PlayResponse.FromString(data)
    except DecodeError:
        return data

"""A server that says to bots whatever a test wants, for what no referee should say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import TracebackType
from typing import Any

import grpc
from kibitz.client.connection import PLAY
from kibitz.v1 import bot_pb2

WELCOME = bot_pb2.PlayResponse(
    welcome=bot_pb2.Welcome(session="s", heartbeat_ms=1_000, silence_ms=5_000)
)
DISMISSED = bot_pb2.PlayResponse(goodbye=bot_pb2.Goodbye(reason="DISMISSED"))


class Impostor:
    """Says the same to each bot that connects, byte by byte; a context manager.

    Attributes:
        connections: how often a bot has come.
        heard: what bots said, as bytes.
    """

    def __init__(self, folder: Path, *said: bytes, code: grpc.StatusCode | None = None) -> None:
        self.address = f"unix:{folder / 'impostor.sock'}"
        self.connections = 0
        self.heard: list[bytes] = []
        self._said, self._code = said, code
        self._server = grpc.server(ThreadPoolExecutor(8))
        play: Any = grpc.stream_stream_rpc_method_handler(self._play)
        service, method = PLAY.strip("/").split("/")
        handler = grpc.method_handlers_generic_handler(service, {method: play})
        self._server.add_generic_rpc_handlers((handler,))
        self._server.add_insecure_port(self.address)

    def __enter__(self) -> Impostor:
        self._server.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.stop(None).wait()

    def _play(self, requests: Iterator[bytes], context: Any) -> Iterator[bytes]:
        self.connections += 1
        self.heard.append(next(requests))
        yield from self._said
        if self._code is not None:
            context.abort(self._code, "\x1b[31mno\nno")


def said(*messages: bot_pb2.PlayResponse) -> Sequence[bytes]:
    """Return messages as they go over the wire."""
    return [message.SerializeToString() for message in messages]

"""What refused requests of workers leave behind in the referee: nothing."""

from __future__ import annotations

import asyncio
import gc
from pathlib import Path
from typing import Any

import grpc
from kibitz.client.options import REASON_KEY
from kibitz.v1 import referee_pb2
from kibitz_referee.hall import Limits
from kibitz_referee.server import Addresses, Server

from tests.referee.desk import in_loop
from tests.referee.parties import set_of

ADMISSION = referee_pb2.Admission(token_sha256="none")
REFUSED = {
    ("Admit", b"\xff"): "MALFORMED_MESSAGE",
    ("RunSet", b"\xff"): "MALFORMED_MESSAGE",
    (
        "Admit",
        referee_pb2.AdmitRequest(admissions=[ADMISSION]).SerializeToString(),
    ): "BAD_TOKEN_HASH",
    ("RunSet", set_of("whist", ("a", "b", "a", "b")).SerializeToString()): "NOT_ADMITTED",
}
"""Requests, and why they are refused."""


@in_loop
async def test_a_refusal_leaves_nothing_to_be_collected(folder: Path) -> None:
    addresses = Addresses(folder / "bots.sock", folder / "control.sock")
    server = await Server.start(addresses, Limits())
    async with grpc.aio.insecure_channel(f"unix:{addresses.control}") as channel:
        await _refuse_all(channel)
        gc.collect()
        gc.disable()
        try:
            before = _held()
            await _refuse_all(channel)
            async with asyncio.timeout(10):
                while _held() > before:
                    await asyncio.sleep(0.01)
            assert _held() <= before
        finally:
            gc.enable()
    await server.stop(0.0)


async def _refuse_all(channel: grpc.aio.Channel) -> None:
    for (method, data), reason in REFUSED.items():
        ask: Any = channel.unary_unary(f"/kibitz.v1.RefereeService/{method}")
        told = await ask(data).trailing_metadata()
        assert told is not None
        assert told[REASON_KEY] == reason


def _held() -> int:
    """Return how many calls and refusals the process holds."""
    kinds = {"RPCState", "RefusedError", "AbortError"}
    return sum(type(one).__name__ in kinds for one in gc.get_objects())

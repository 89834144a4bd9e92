"""What gRPC alone costs: a server that answers messages of the same sizes with nothing behind.

It has what the referee has: the same options, event loop and way of polling, one stream on a
Unix socket, and a message out for each that comes in.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from queue import SimpleQueue
from typing import Any

import grpc
import uvloop
from kibitz.client.options import CHANNEL, SERVER
from kibitz_referee import polling

METHOD = "/kibitz.bench.Echo/Play"


def echo_cpu_us(request: int, response: int, messages: int) -> float:
    """Return the CPU microseconds a message of a server that does nothing, by sizes in bytes."""
    with tempfile.TemporaryDirectory(prefix="kibitz-bench-") as folder:
        address = f"unix:{Path(folder) / 'echo.sock'}"
        command = [sys.executable, "-m", "bench.referee_echo", address, str(response)]
        environment = {"GRPC_EXPERIMENTS": polling.EXPERIMENTS, **os.environ}
        server = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment
        )
        try:
            return _measure(server, address, b"x" * request, messages)
        finally:
            server.kill()
            server.communicate()


def _measure(server: subprocess.Popen[bytes], address: str, body: bytes, messages: int) -> float:
    assert server.stdout is not None
    server.stdout.readline()
    outbox: SimpleQueue[bytes | None] = SimpleQueue()
    with grpc.insecure_channel(address, options=CHANNEL) as channel:
        echo: Any = channel.stream_stream(METHOD)
        call = echo(iter(outbox.get, None))
        for _ in range(messages // 10):
            outbox.put(body)
            next(call)
        before = _cpu(server)
        for _ in range(messages):
            outbox.put(body)
            next(call)
        after = _cpu(server)
        call.cancel()
        outbox.put(None)
    return (after - before) * 1e6 / messages


def _cpu(server: subprocess.Popen[bytes]) -> float:
    assert server.stdin is not None
    assert server.stdout is not None
    server.stdin.write(b"\n")
    server.stdin.flush()
    return float(server.stdout.readline())


async def _serve(address: str, response: bytes) -> None:
    async def play(_: object, context: Any) -> None:
        while await context.read() is not grpc.aio.EOF:
            await context.write(response)

    server = grpc.aio.server(options=SERVER)
    handler: Any = grpc.stream_stream_rpc_method_handler(play)
    service, _, method = METHOD[1:].partition("/")
    server.add_generic_rpc_handlers(
        (grpc.method_handlers_generic_handler(service, {method: handler}),)
    )
    server.add_insecure_port(address)
    await server.start()
    print("ready", flush=True)
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        print(time.process_time(), flush=True)


if __name__ == "__main__":
    uvloop.run(_serve(sys.argv[1], b"x" * int(sys.argv[2])))

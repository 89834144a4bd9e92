"""The referee's two servers: one for bots, one for workers."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

import grpc
import structlog
from grpc_health.v1 import health, health_pb2, health_pb2_grpc
from grpc_reflection.v1alpha import reflection
from kibitz.client.options import SERVER
from kibitz.v1 import referee_pb2_grpc, watch_pb2_grpc

from kibitz_referee import bots, control, metrics, watch
from kibitz_referee.errors import StartError
from kibitz_referee.hall import Hall, Limits
from kibitz_referee.requested import Doorkeeper
from kibitz_referee.sockets import check_address, claim

MAX_CONTROL_BYTES = 64 << 20
"""The largest message of a worker: a set with its decks."""

BOT_SOCKET_MODE = 0o666
"""Bots may run as other users; what they may do their token says."""

CONTROL_SOCKET_MODE = 0o600

log = structlog.get_logger("kibitz.referee")


@dataclass(frozen=True, slots=True)
class Addresses:
    """Where to listen: a socket for bots, one for workers, perhaps ``HOST:PORT`` for bots.

    ``metrics`` is a ``HOST:PORT`` where Prometheus may ask for figures.
    """

    socket: Path
    control: Path
    listen: str | None = None
    metrics: str | None = None


@dataclass
class Server:
    """A referee that serves; make one with :meth:`start`."""

    hall: Hall
    addresses: Addresses
    port: int | None = None
    _servers: list[grpc.aio.Server] = field(default_factory=list)
    _health: list[health.aio.HealthServicer] = field(default_factory=list)
    _stop_metrics: Callable[[], None] = lambda: None

    @classmethod
    async def start(cls, addresses: Addresses, limits: Limits) -> Server:
        """Listen and serve.

        Raises:
            StartError: an address cannot be had.
        """
        server = cls(Hall(asyncio.get_running_loop(), limits), addresses)
        if addresses.metrics:
            server._stop_metrics = metrics.serve(server.hall, addresses.metrics)
        await server._serve_bots()
        await server._serve_workers()
        server.hall.open()
        return server

    async def stop(self, drain_s: float) -> None:
        """Drain, tell everybody goodbye, and stop."""
        for servicer in self._health:
            await servicer.enter_graceful_shutdown()
        left = await control.drain(self.hall, drain_s) if drain_s else len(self.hall.sets)
        if left:
            log.warning("sets broken off", sets=left)
        for run in tuple(self.hall.sets):
            run.failed("DRAINING", "the referee stops")
        for player in self.hall.players.values():
            if player.session is not None:
                player.session.say_goodbye("DRAINING", "the referee stops")
        await asyncio.gather(*(server.stop(grace=1.0) for server in self._servers))
        self.hall.close()
        await asyncio.to_thread(self._stop_metrics)
        for path in (self.addresses.socket, self.addresses.control):
            path.unlink(missing_ok=True)

    async def _serve_bots(self) -> None:
        server = grpc.aio.server(options=SERVER)
        server.add_generic_rpc_handlers((bots.BotService(self.hall).handler(),))
        await self._add_standard_services(server, bots.SERVICE)
        self._bind(server, claim(self.addresses.socket))
        if self.addresses.listen:
            self.port = self._bind(server, check_address(self.addresses.listen))
        await server.start()
        self.addresses.socket.chmod(BOT_SOCKET_MODE)
        self._servers.append(server)

    async def _serve_workers(self) -> None:
        options = [(key, value) for key, value in SERVER if "receive_message" not in key]
        options.append(("grpc.max_receive_message_length", MAX_CONTROL_BYTES))
        server = grpc.aio.server(options=options, interceptors=[Doorkeeper()])
        referee_pb2_grpc.add_RefereeServiceServicer_to_server(
            control.RefereeService(self.hall), server
        )
        watch_pb2_grpc.add_WatchServiceServicer_to_server(watch.WatchService(self.hall), server)
        await self._add_standard_services(server, control.SERVICE, watch.SERVICE)
        address = claim(self.addresses.control)
        before = os.umask(0o177)
        try:
            self._bind(server, address)
            await server.start()
        finally:
            os.umask(before)
        self.addresses.control.chmod(CONTROL_SOCKET_MODE)
        self._servers.append(server)

    async def _add_standard_services(self, server: grpc.aio.Server, *names: str) -> None:
        servicer = health.aio.HealthServicer()
        health_pb2_grpc.add_HealthServicer_to_server(servicer, server)
        for service in (*names, ""):
            await servicer.set(service, health_pb2.HealthCheckResponse.SERVING)
        reflection.enable_server_reflection(
            (*names, health.SERVICE_NAME, reflection.SERVICE_NAME), server
        )
        self._health.append(servicer)

    def _bind(self, server: grpc.aio.Server, address: str) -> int:
        try:
            port = server.add_insecure_port(address)
        except RuntimeError as error:
            raise StartError(f"cannot listen on {address}", reason="ADDRESS_IN_USE") from error
        if not port:
            raise StartError(f"cannot listen on {address}", reason="ADDRESS_IN_USE")
        return port

"""BotService: how bots come in."""

from __future__ import annotations

import asyncio
import hashlib
import time

import grpc
import structlog
from google.protobuf.message import DecodeError
from kibitz.client.options import MAX_REQUEST_BYTES, PROTOCOL, RULES
from kibitz.games import games
from kibitz.v1 import bot_pb2 as wire

from kibitz_referee.errors import RefusedError
from kibitz_referee.hall import Hall
from kibitz_referee.outbox import Context
from kibitz_referee.player import Introduction, Player
from kibitz_referee.session import Session

SERVICE = "kibitz.v1.BotService"
HELLO_S = 10.0
"""How long a connection may take to say hello."""

_NAME = 80

log = structlog.get_logger("kibitz.referee")


class BotService:
    """Welcomes bots and runs their sessions."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    def handler(self) -> grpc.GenericRpcHandler:
        """Return what a server needs; messages that don't parse arrive as ``None``."""
        play = grpc.stream_stream_rpc_method_handler(
            self.play,
            request_deserializer=_parse,
            response_serializer=wire.PlayResponse.SerializeToString,
        )
        return grpc.method_handlers_generic_handler(SERVICE, {"Play": play})

    async def play(self, _requests: object, context: Context) -> None:
        """Serve one connection."""
        try:
            hello = await self._hello(context)
            player = self._identify(hello)
            refused = await self._serve(player, hello, context)
        except RefusedError as error:
            refused = error.with_traceback(None)  # or it and this frame would hold each other
        if refused is not None:
            log.info("refused", reason=refused.reason, detail=str(refused), peer=context.peer())
            refused.tell(context)

    async def _serve(
        self, player: Player, hello: wire.Hello, context: Context
    ) -> RefusedError | None:
        hall = self._hall
        session = Session(hall, player, context)
        said = Introduction(
            bot=hello.bot[:_NAME],
            sdk=hello.sdk[:_NAME],
            rules=hello.rules,
            games=frozenset(hello.games),
            max_tables=hello.max_tables,
        )
        hall.attach(player, session, said)
        log.info("bot connected", bot=player.label, session=session.id, seats=len(player.chairs))
        try:
            await context.write(wire.PlayResponse(welcome=self._welcome(player, session)))
            session.out.send_now()
            return await session.run()
        finally:
            hall.detach(player, session, left=session.left)
            log.info("bot disconnected", bot=player.label, session=session.id, left=session.left)

    async def _hello(self, context: Context) -> wire.Hello:
        try:
            async with asyncio.timeout(HELLO_S):
                first = await context.read()
        except TimeoutError:
            text = f"no hello within {HELLO_S:g} s"
            raise RefusedError(grpc.StatusCode.DEADLINE_EXCEEDED, "NO_HELLO", text) from None
        if not isinstance(first, wire.PlayRequest) or first.WhichOneof("message") != "hello":
            text = "the first message must be a Hello"
            raise RefusedError(grpc.StatusCode.INVALID_ARGUMENT, "NO_HELLO", text)
        return first.hello

    def _identify(self, hello: wire.Hello) -> Player:
        if hello.protocol != PROTOCOL:
            text = f"this referee speaks version {PROTOCOL} of the protocol, not {hello.protocol}"
            raise RefusedError(grpc.StatusCode.FAILED_PRECONDITION, "WRONG_PROTOCOL", text)
        if hello.rules not in {0, RULES}:
            text = f"this referee plays by version {RULES} of the rules, not {hello.rules}"
            raise RefusedError(grpc.StatusCode.FAILED_PRECONDITION, "WRONG_RULES", text)
        token = hashlib.sha256(hello.token.encode()).hexdigest()
        player = self._hall.players.get(token)
        if player is None:
            text = "the token is not known here, or its bot is not expected now"
            raise RefusedError(grpc.StatusCode.UNAUTHENTICATED, "UNKNOWN_TOKEN", text)
        for game in hello.games:
            if game not in games():
                text = f"there is no game {game[:40]!r}; games are {', '.join(games())}"
                raise RefusedError(grpc.StatusCode.INVALID_ARGUMENT, "UNKNOWN_GAME", text)
        if self._hall.draining and not player.chairs:
            text = "the referee is about to stop; come back later"
            raise RefusedError(grpc.StatusCode.UNAVAILABLE, "DRAINING", text)
        return player

    def _welcome(self, player: Player, session: Session) -> wire.Welcome:
        limits = self._hall.limits
        return wire.Welcome(
            session=session.id,
            protocol=PROTOCOL,
            rules=RULES,
            max_tables=player.max_tables,
            max_turns=limits.max_turns,
            max_message_bytes=MAX_REQUEST_BYTES,
            heartbeat_ms=round(limits.heartbeat * 1000),
            silence_ms=round(limits.silence * 1000),
            grace_ms=round(limits.grace * 1000),
            server_time_ms=time.time_ns() // 1_000_000,
            slots=player.chairs,
        )


def _parse(data: bytes) -> wire.PlayRequest | None:
    try:
        return wire.PlayRequest.FromString(data)
    except DecodeError:
        return None

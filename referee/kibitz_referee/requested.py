"""How requests of workers reach their services: those that make no sense are refused on the way."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, TypeAlias, cast

import grpc
import structlog
from google.protobuf.message import DecodeError

from kibitz_referee.errors import RefusedError

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any] | None"

OURS = "/kibitz.v1."

log = structlog.get_logger("kibitz.referee")


class Doorkeeper(grpc.aio.ServerInterceptor):
    """Refuses what cannot be read, and tells of faults of the referee without their traceback."""

    async def intercept_service(
        self,
        continuation: Callable[[grpc.HandlerCallDetails], Awaitable[Handler]],
        handler_call_details: grpc.HandlerCallDetails,
    ) -> Handler:
        """Return the handler of a call, guarded if it is one of ours."""
        handler: Any = await continuation(handler_call_details)
        if handler is None or not handler_call_details.method.startswith(OURS):
            return cast("Handler", handler)
        changes: dict[str, object] = {"request_deserializer": _parser(handler.request_deserializer)}
        if handler.response_streaming:
            changes["unary_stream"] = _guarded_stream(handler.unary_stream)
        else:
            changes["unary_unary"] = _guarded(handler.unary_unary)
        return cast("Handler", handler._replace(**changes))


def _parser(parse: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    def parsed(data: bytes) -> Any:
        try:
            return parse(data)
        except DecodeError:
            return None

    return parsed


def _guarded(method: Callable[[Any, Context], Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def guarded(request: Any, context: Context) -> Any:
        try:
            return await method(_read(request), context)
        except Exception as error:
            _refusal(error).tell(context)
            return None

    return guarded


def _guarded_stream(
    method: Callable[[Any, Context], AsyncIterator[Any]],
) -> Callable[..., AsyncIterator[Any]]:
    async def guarded(request: Any, context: Context) -> AsyncIterator[Any]:
        try:
            async with aclosing(cast(Any, method(_read(request), context))) as answers:
                async for answer in answers:
                    yield answer
        except Exception as error:
            _refusal(error).tell(context)

    return guarded


def _read(request: Any) -> Any:
    if request is None:
        text = "the message is not what the method takes"
        raise RefusedError(grpc.StatusCode.INVALID_ARGUMENT, "MALFORMED_MESSAGE", text)
    return request


def _refusal(error: Exception) -> RefusedError:
    """Return what a worker is told of an error, and tell the log."""
    if isinstance(error, RefusedError):
        log.info("refused", reason=error.reason, detail=str(error))
        return error
    log.exception("request broke")
    text = "the referee failed; its log says how"
    return RefusedError(grpc.StatusCode.INTERNAL, "INTERNAL", text)

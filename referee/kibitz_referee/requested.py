"""How requests of workers reach their services: those that make no sense are refused on the way."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import aclosing
from typing import Any, TypeAlias, cast

import grpc
import structlog
from google.protobuf.message import DecodeError
from kibitz.client.options import REASON_KEY

Context: TypeAlias = "grpc.aio.ServicerContext[Any, Any]"
Handler: TypeAlias = "grpc.RpcMethodHandler[Any, Any] | None"

OURS = "/kibitz.v1."

_NO_FAULTS = (
    grpc.aio.AbortError,  # a refusal
    grpc.aio.InternalError,  # what an answer raises when the worker is gone
)

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
        changes: dict[str, object] = {"request_deserializer": _read(handler.request_deserializer)}
        if handler.response_streaming:
            changes["unary_stream"] = _guarded_stream(handler.unary_stream)
        else:
            changes["unary_unary"] = _guarded(handler.unary_unary)
        return cast("Handler", handler._replace(**changes))


def _read(parse: Callable[[bytes], Any]) -> Callable[[bytes], Any]:
    def read(data: bytes) -> Any:
        try:
            return parse(data)
        except DecodeError:
            return None

    return read


def _guarded(method: Callable[[Any, Context], Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
    async def guarded(request: Any, context: Context) -> Any:
        await _refuse_unread(request, context)
        try:
            return await method(request, context)
        except Exception as error:
            await _explain(error, context)

    return guarded


def _guarded_stream(
    method: Callable[[Any, Context], AsyncIterator[Any]],
) -> Callable[..., AsyncIterator[Any]]:
    async def guarded(request: Any, context: Context) -> AsyncIterator[Any]:
        await _refuse_unread(request, context)
        try:
            async with aclosing(cast(Any, method(request, context))) as answers:
                async for answer in answers:
                    yield answer
        except Exception as error:
            await _explain(error, context)

    return guarded


async def _refuse_unread(request: object, context: Context) -> None:
    if request is None:
        text = "the message is not what the method takes"
        metadata = ((REASON_KEY, "MALFORMED_MESSAGE"),)
        await context.abort(grpc.StatusCode.INVALID_ARGUMENT, text, metadata)


async def _explain(error: Exception, context: Context) -> None:
    if isinstance(error, _NO_FAULTS):
        raise error
    log.exception("request broke")
    text = "the referee failed; its log says how"
    await context.abort(grpc.StatusCode.INTERNAL, text, ((REASON_KEY, "INTERNAL"),))

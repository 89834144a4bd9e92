"""The referee as a worker sees it: a gRPC service on a Unix socket of its own."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType, TracebackType

import grpc
import grpc.aio
from kibitz.v1 import referee_pb2 as pb
from kibitz.v1 import table_pb2, watch_pb2
from kibitz.v1.referee_pb2_grpc import RefereeServiceStub
from kibitz.v1.watch_pb2_grpc import WatchServiceStub

from kibitz_worker.errors import RefereeError
from kibitz_worker.play.lanes import Lane, chairs
from kibitz_worker.play.processes import Processes
from kibitz_worker.store.clocks import policy_of
from kibitz_worker.work.plan import PlannedMatch, SetPlan

LARGEST_MESSAGE = 64 << 20
CALL_SECONDS = 15.0

POLICIES = {
    "forfeit_deal": pb.ON_FAILURE_FORFEIT_DEAL,
    "forfeit_match": pb.ON_FAILURE_FORFEIT_MATCH,
    "substitute": pb.ON_FAILURE_SUBSTITUTE,
}


class Referee:
    """A connection to a referee; make it after a fork, inside an event loop."""

    def __init__(self, socket: Path) -> None:
        self._socket = socket
        self._channel = grpc.aio.insecure_channel(
            f"unix:{socket}",
            options=[
                ("grpc.max_receive_message_length", LARGEST_MESSAGE),
                ("grpc.max_send_message_length", LARGEST_MESSAGE),
            ],
        )
        self._stub = RefereeServiceStub(self._channel)
        self._watching = WatchServiceStub(self._channel)

    async def admit(
        self,
        bots: Mapping[str, str],
        max_tables: int = 0,
        owners: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        """Let bots connect: SHA-256 of the token and label of each. Raises RefereeError.

        `owners` names, by token, whose bots can speak with each other: of those a deck is never
        in play at two tables. Who runs here can speak with nobody and needs none.
        """
        request = pb.AdmitRequest(
            admissions=[
                pb.Admission(
                    token_sha256=token,
                    label=label,
                    max_tables=max_tables,
                    owner=owners.get(token, ""),
                )
                for token, label in bots.items()
            ]
        )
        try:
            await self._stub.Admit(request, timeout=CALL_SECONDS)
        except grpc.aio.AioRpcError as error:
            raise self._explained(error) from error

    async def dismiss(self, tokens: Iterable[str]) -> None:
        """Forget bots. Raises RefereeError."""
        try:
            await self._stub.Dismiss(
                pb.DismissRequest(token_sha256=list(tokens)), timeout=CALL_SECONDS
            )
        except grpc.aio.AioRpcError as error:
            raise self._explained(error) from error

    async def presence(self, tokens: Iterable[str] = ()) -> pb.PresenceResponse:
        """Ask which bots are connected. Raises RefereeError."""
        try:
            return await self._stub.Presence(
                pb.PresenceRequest(token_sha256=list(tokens)), timeout=CALL_SECONDS
            )
        except grpc.aio.AioRpcError as error:
            raise self._explained(error) from error

    async def run_set(self, request: pb.RunSetRequest) -> AsyncIterator[pb.RunSetResponse]:
        """Play a set and give its events as they come. Raises RefereeError."""
        try:
            async for event in self._stub.RunSet(request):
                yield event
        except grpc.aio.AioRpcError as error:
            raise self._explained(error) from error

    async def watch(self, tables: int, interval_ms: int) -> AsyncIterator[watch_pb2.WatchResponse]:
        """Give what everybody sees of some tables as they go on. Raises RefereeError."""
        request = watch_pb2.WatchRequest(max_tables=tables, interval_ms=interval_ms)
        try:
            async for response in self._watching.Watch(request):
                yield response
        except grpc.aio.AioRpcError as error:
            raise self._explained(error) from error

    def _explained(self, error: grpc.aio.AioRpcError) -> RefereeError:
        metadata = dict(error.trailing_metadata() or ())
        reason = metadata.get("kibitz-reason")
        if reason is None and error.code() is grpc.StatusCode.UNAVAILABLE:
            reason = "REFEREE_UNREACHABLE"
        return RefereeError(
            f"the referee at {self._socket}: {error.details() or error.code().name}",
            reason=str(reason or error.code().name),
        )

    async def __aenter__(self) -> Referee:
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self._channel.close()


def set_request(plan: SetPlan, processes: Processes) -> pb.RunSetRequest:
    """Return the request to play what is left of a set."""

    def chair(lane: Lane, player: int) -> pb.Chair:
        return pb.Chair(
            token_sha256=processes.token_sha256(lane),
            name=plan.names[player],
            keep_messages=not processes.of_the_house(lane),
        )

    kind, limit = policy_of(plan.policy)
    return pb.RunSetRequest(
        set_id=plan.id,
        game=plan.game.name,
        options_json=json.dumps(plan.game.options()),
        clock=table_pb2.Clock(**plan.clock),
        policy=pb.Policy(on_failure=POLICIES[kind], max_penalties=limit),
        matches=[
            pb.Match(
                match_id=match.id,
                seats=[
                    chair(lane, player)
                    for lane, player in zip(chairs(plan.players, match), match.seating, strict=True)
                ],
                decks=[pb.Deck(cards=luck["deck"], cut=luck["cut"]) for luck in match.decks],
                decks_name=f"{plan.twin or plan.id}-{match.half}",
            )
            for match in _far_apart(plan.matches)
        ],
    )


def _far_apart(matches: Iterable[PlannedMatch]) -> list[PlannedMatch]:
    """Return matches so that those with the same decks come as late after each other as can be."""
    return sorted(matches, key=lambda match: (match.lane, match.half))

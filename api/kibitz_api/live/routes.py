"""The live stream: what happens in tournaments, as server-sent events."""

from collections.abc import AsyncIterator
from typing import Annotated

from fastapi import APIRouter, Depends, Header, Query, Request
from fastapi.responses import HTMLResponse
from fastapi.sse import EventSourceResponse, ServerSentEvent
from kibitz_worker.relay import TABLES

from kibitz_api.context import Services, ServicesDep
from kibitz_api.errors import UnavailableError
from kibitz_api.live.hub import LiveEvent, Viewer
from kibitz_api.live.tables import LiveTable, live_table
from kibitz_api.templating import render

api = APIRouter(tags=["live"])
pages = APIRouter()

RETRY_MS = 3_000
LATE_MS = 15_000
"""Who comes late is told of tables that moved within this time."""

STREAM_ID = r"^\d{1,20}-\d{1,20}$"


def room(services: ServicesDep) -> Services:
    """Refuse a viewer before the stream begins when there is no room for one more."""
    if services.hub.full:
        raise UnavailableError("TOO_MANY_VIEWERS", "Too many viewers; the page works without.")
    return services


def _order(event: LiveEvent) -> tuple[int, ...]:
    return tuple(map(int, event.id.split("-")))


def _after(event: LiveEvent, last: str) -> bool:
    return _order(event) > tuple(map(int, last.split("-")))


async def _events(
    services: Services, viewer: Viewer, resume: str | None
) -> AsyncIterator[LiveEvent]:
    # The viewer is fed already while the past is read, so nothing falls between the two.
    last = resume or "0-0"
    if resume is not None:
        for event in await services.hub.missed(resume, viewer.stream):
            last = event.id
            yield event
    async for event in _coming(viewer, last):
        yield event


async def _coming(viewer: Viewer, last: str) -> AsyncIterator[LiveEvent]:
    while (event_or_end := await viewer.queue.get()) is not None:
        if _after(event_or_end, last):
            yield event_or_end


@api.get("/live", response_class=EventSourceResponse)
async def live(
    services: Annotated[Services, Depends(room)],
    tournament: Annotated[
        str | None, Query(max_length=40, description="Only what concerns this tournament.")
    ] = None,
    last_event_id: Annotated[str | None, Header(pattern=STREAM_ID)] = None,
) -> AsyncIterator[ServerSentEvent]:
    """Follow the tournaments: one event for every thing that a worker reports.

    `Last-Event-ID` resumes after that event. Comments keep the connection open when nothing
    happens. The first event is `hello`; its `live` is false while updates are out of reach.
    """
    yield ServerSentEvent(
        event="hello", data={"live": services.hub.connected}, retry=RETRY_MS, id=last_event_id
    )
    async with services.hub.viewing() as viewer:
        async for event in _events(services, viewer, last_event_id):
            if tournament is None or event.tournament == tournament:
                yield ServerSentEvent(event="progress", id=event.id, data=event.fields)


async def _tables(
    services: Services, viewer: Viewer, resume: str | None
) -> AsyncIterator[tuple[str, LiveTable]]:
    """Yield ids and tables; who comes late gets the newest state of what is still played."""
    if resume is not None:
        async for event in _events(services, viewer, resume):
            yield event.id, live_table(event.fields["state"])
        return
    last, recent = await services.hub.recent(LATE_MS, TABLES)
    newest = {event.fields["match"]: event for event in recent}
    for event in sorted(newest.values(), key=_order):
        last = event.id
        if not (table := live_table(event.fields["state"])).over:
            yield event.id, table
    async for event in _coming(viewer, last):
        yield event.id, live_table(event.fields["state"])


@api.get("/live/tables", response_class=EventSourceResponse)
async def tables(
    services: Annotated[Services, Depends(room)],
    tournament: Annotated[
        str | None, Query(max_length=40, description="Only tables of this tournament.")
    ] = None,
    last_event_id: Annotated[str | None, Header(pattern=STREAM_ID)] = None,
) -> AsyncIterator[ServerSentEvent]:
    """Watch tables that are being played, as everybody at the table sees them.

    Each event `table` is a `LiveTable`, the whole deal so far, so only the newest one of a match
    counts. Some tables are shown, not all; each until its match is over. `Last-Event-ID` resumes.
    """
    yield ServerSentEvent(
        event="hello", data={"live": services.hub.connected}, retry=RETRY_MS, id=last_event_id
    )
    async with services.hub.viewing(TABLES) as viewer:
        async for number, table in _tables(services, viewer, last_event_id):
            if tournament is None or table.tournament == tournament:
                yield ServerSentEvent(event="table", id=number, data=table)


@pages.get("/live")
def live_page(
    request: Request,
    tournament: Annotated[str | None, Query(max_length=40, pattern=r"^[a-z0-9]+$")] = None,
) -> HTMLResponse:
    """Show tables that are being played."""
    return render(request, "live.html", tournament=tournament)

"""The results of a tournament to download: CSV tables, and all of it as JSON."""

import json
from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import Annotated, Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse
from kibitz_worker.store.models import SetState, Tournament

from kibitz_api.context import ReadSession, Services, ServicesDep
from kibitz_api.limits import Rate
from kibitz_api.tournaments import export_rows as rows
from kibitz_api.tournaments import queries
from kibitz_api.tournaments.answers import standings_of
from kibitz_api.tournaments.models import Standing
from kibitz_api.tournaments.routes import TournamentId
from kibitz_api.tournaments.spreadsheets import csv_lines

api = APIRouter(prefix="/tournaments", tags=["tournaments"])

EXPORTS = Rate(burst=30, per_second=0.5)
FORMAT = "kibitz-results/1"
CSV: dict[int | str, dict[str, Any]] = {200: {"content": {"text/csv": {}}}}
JSON: dict[int | str, dict[str, Any]] = {200: {"content": {"application/json": {}}}}


class Rows(StrEnum):
    """What a row of the table is about."""

    SEATS = "seats"
    SETS = "sets"
    STANDINGS = "standings"


@api.get("/{tournament_id}/results.csv", response_class=StreamingResponse, responses=CSV)
def download_csv(
    request: Request,
    services: ServicesDep,
    session: ReadSession,
    tournament_id: TournamentId,
    table: Annotated[
        Rows, Query(alias="rows", description="A row a seat of a match, a player of a set, or bot.")
    ] = Rows.SEATS,
) -> StreamingResponse:
    """The finished sets as a table; its columns are described in docs/tournaments.md.

    Annulled and void sets are left out. At any time, also while the tournament is played.
    """
    services.limiter.check(request, "exports", EXPORTS)
    tournament = queries.find(session, tournament_id)
    if table is Rows.STANDINGS:
        lines = _standings(standings_of(session, tournament))
    else:
        lines = _results(services, tournament, table)
    return _file(lines, "text/csv; charset=utf-8", f"kibitz-{tournament.id}-{table}.csv")


@api.get("/{tournament_id}/results.json", response_class=StreamingResponse, responses=JSON)
def download_json(
    request: Request, services: ServicesDep, session: ReadSession, tournament_id: TournamentId
) -> StreamingResponse:
    """The tournament, its entrants and standings, and every set that is over with its matches.

    Annulled and void sets are told with their state and reason.
    """
    services.limiter.check(request, "exports", EXPORTS)
    tournament = queries.find(session, tournament_id)
    (told,) = queries.summaries(session, [tournament])
    head = {
        "format": FORMAT,
        "tournament": told.model_dump(mode="json"),
        "options": tournament.options,
        "schedule": tournament.format,
        "schedule_options": tournament.format_options,
        "entrants": [entrant.model_dump(mode="json") for entrant in queries.entrants(tournament)],
        "standings": [row.model_dump(mode="json") for row in standings_of(session, tournament)],
    }
    return _file(
        _document(services, tournament, head), "application/json", f"kibitz-{tournament.id}.json"
    )


def _results(services: Services, tournament: Tournament, table: Rows) -> Iterable[str]:
    seats = table is Rows.SEATS
    found = rows.sets_over(services.store, tournament, (SetState.DONE,))
    make = rows.seat_rows if seats else rows.set_rows
    cells = (each for row in found for each in make(row))
    return csv_lines(rows.SEAT_COLUMNS if seats else rows.SET_COLUMNS, cells)


def _standings(found: list[Standing]) -> Iterable[str]:
    heads = [name for name in Standing.model_fields if name != "version_id"]
    return csv_lines(heads, ([getattr(row, name) for name in heads] for row in found))


def _document(services: Services, tournament: Tournament, head: dict[str, Any]) -> Iterator[str]:
    """Yield one JSON object whose last value, the sets, is read while it is sent."""
    yield json.dumps(head, ensure_ascii=False)[:-1] + ', "sets": ['
    comma = "\n"
    for row in rows.sets_over(services.store, tournament):
        yield comma + json.dumps(rows.set_json(row), ensure_ascii=False)
        comma = ",\n"
    yield "\n]}\n"


def _file(parts: Iterable[str], media: str, name: str) -> StreamingResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return StreamingResponse(_large(parts), media_type=media, headers=headers)


def _large(parts: Iterable[str], least: int = 1 << 16) -> Iterator[str]:
    """Join parts, because each that is sent costs a thread's turn."""
    waiting: list[str] = []
    size = 0
    for part in parts:
        waiting.append(part)
        size += len(part)
        if size >= least:
            yield "".join(waiting)
            waiting, size = [], 0
    yield "".join(waiting)

"""Versions: JSON and pages."""

from typing import Annotated

from fastapi import APIRouter, Path, Request
from fastapi.responses import HTMLResponse

from kibitz_api.context import Asker, ReadSession, ServicesDep
from kibitz_api.templating import render
from kibitz_api.versions import queries
from kibitz_api.versions.models import VersionAnswer

api = APIRouter(prefix="/versions", tags=["bots"])
pages = APIRouter(prefix="/versions")

VersionId = Annotated[
    int, Path(ge=1, lt=2**63, description="Number of the version, over all bots.")
]


@api.get("/{version_id}")
def show_version(
    services: ServicesDep, session: ReadSession, person: Asker, version_id: VersionId
) -> VersionAnswer:
    """A version: state, reason, trial, tournaments. The owner sees the log too."""
    return queries.answer(services.store, session, queries.find(session, version_id), person)


@pages.get("/{version_id}")
def version_page(
    request: Request,
    services: ServicesDep,
    session: ReadSession,
    person: Asker,
    version_id: VersionId,
) -> HTMLResponse:
    version = queries.find(session, version_id)
    found = queries.answer(services.store, session, version, person)
    return render(request, "version.html", version=found)

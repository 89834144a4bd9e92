"""Submitting bots: the JSON endpoint and the page with the form."""

from typing import Annotated, Any

from fastapi import APIRouter, Query, Request, status
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import HTMLResponse, RedirectResponse, Response
from kibitz_worker.errors import WorkerError
from kibitz_worker.submissions import DEFAULT_LIMITS

from kibitz_api.context import Person, Services, ServicesDep, TokenUser
from kibitz_api.errors import ApiError
from kibitz_api.limits import UPLOADS
from kibitz_api.submissions.changes import submit
from kibitz_api.submissions.models import SubmissionAnswer
from kibitz_api.submissions.uploads import opened, received
from kibitz_api.templating import render

api = APIRouter(prefix="/submissions", tags=["bots"])
pages = APIRouter(prefix="/submit")

FORM: dict[str, Any] = {
    "requestBody": {
        "required": True,
        "content": {
            "multipart/form-data": {
                "schema": {
                    "type": "object",
                    "required": ["file"],
                    "properties": {
                        "file": {
                            "type": "string",
                            "format": "binary",
                            "description": "A zip of the bot's folder, kibitz.toml at its top.",
                        }
                    },
                }
            }
        },
    }
}


async def take(request: Request, services: Services, person: Person) -> SubmissionAnswer:
    """Receive, check and keep the upload of a request."""
    services.limiter.check(request, "uploads", UPLOADS)
    file = await received(request)
    try:
        return await run_in_threadpool(submit, services, person, opened(file))
    finally:
        await file.close()


@api.post("", status_code=status.HTTP_202_ACCEPTED, openapi_extra=FORM)
async def submit_bot(
    request: Request, services: ServicesDep, person: TokenUser
) -> SubmissionAnswer:
    """Submit a bot as a zip; its trial match in the sandbox follows.

    A new name makes a new bot, a known one a new version of it; the very same content gives the
    version that is there already.
    """
    return await take(request, services, person)


def form_page(
    request: Request, *, error: str | None = None, name: str | None = None
) -> HTMLResponse:
    """Render how a bot is submitted, with what was wrong with the last try."""
    return render(
        request,
        "submit.html",
        error=error,
        name=name,
        limit=DEFAULT_LIMITS.packed >> 20,
        base=str(request.base_url).rstrip("/"),
    )


@pages.get("")
def submit_page(
    request: Request, name: Annotated[str | None, Query(max_length=40)] = None
) -> HTMLResponse:
    """Show how a bot is submitted."""
    return form_page(request, name=name)


@pages.post("")
async def submit_by_form(request: Request, services: ServicesDep, person: TokenUser) -> Response:
    """Take the upload of the page's form."""
    try:
        done = await take(request, services, person)
    except (ApiError, WorkerError) as refusal:
        page = form_page(request, error=str(refusal))
        page.status_code = getattr(refusal, "status", 422)
        return page
    return RedirectResponse(done.url, status_code=303)

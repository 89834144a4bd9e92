"""Probes for machines and a page for operators."""

from fastapi import APIRouter, Request, Response
from fastapi.responses import HTMLResponse, PlainTextResponse
from prometheus_client import CONTENT_TYPE_LATEST

from kibitz_api.context import ReadSession, ServicesDep
from kibitz_api.health import queries
from kibitz_api.health.metrics import exposition
from kibitz_api.health.models import HealthAnswer, Readiness
from kibitz_api.templating import render

probes = APIRouter(tags=["health"])
pages = APIRouter()


@probes.get("/healthz")
def healthz() -> dict[str, str]:
    """This process runs. Asks no other part."""
    return {"status": "ok"}


@probes.get("/readyz")
def readyz(services: ServicesDep, response: Response) -> Readiness:
    """Whether requests can be served: 503 while a part that is needed does not answer."""
    found = queries.readiness(services)
    response.status_code = 200 if found.ready else 503
    response.headers["Cache-Control"] = "no-store"
    return found


@probes.get("/metrics", response_class=PlainTextResponse)
def metrics(services: ServicesDep) -> Response:
    """Figures for Prometheus: state of the work, counts of what workers did."""
    return Response(exposition(services), media_type=CONTENT_TYPE_LATEST)


@probes.get("/api/v1/health")
def show_health(services: ServicesDep, session: ReadSession) -> HealthAnswer:
    """Workers, queues and what stands still."""
    return queries.health(services, session)


@pages.get("/health")
def health_page(request: Request, services: ServicesDep, session: ReadSession) -> HTMLResponse:
    """Show operators what works and what stands still."""
    return render(request, "health.html", health=queries.health(services, session))

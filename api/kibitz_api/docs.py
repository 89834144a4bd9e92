"""The API's reference as a page of our own: it needs no script and nothing from elsewhere."""

from typing import Any

from fastapi import APIRouter, Request
from fastapi.responses import HTMLResponse

from kibitz_api.templating import render

pages = APIRouter()

METHODS = ("get", "post", "put", "patch", "delete")


@pages.get("/docs")
def docs_page(request: Request) -> HTMLResponse:
    """Show the reference of the API."""
    schema: dict[str, Any] = request.app.openapi()
    return render(
        request,
        "docs.html",
        info=schema["info"],
        groups=operations(schema),
        models=schema.get("components", {}).get("schemas", {}),
        base=str(request.base_url).rstrip("/"),
    )


def operations(schema: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    """The operations of an OpenAPI description by their first tag."""
    groups: dict[str, list[dict[str, Any]]] = {}
    for path, methods in schema["paths"].items():
        for method in METHODS:
            if method in methods:
                operation = {"method": method.upper(), "path": path, **methods[method]}
                groups.setdefault(operation.get("tags", ["other"])[0], []).append(operation)
    return groups

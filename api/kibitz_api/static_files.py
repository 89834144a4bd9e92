"""Static files with the right caching: for ever under an address that names the content."""

import os

from starlette.responses import Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

FOREVER = "public, max-age=31536000, immutable"


class CachedStaticFiles(StaticFiles):
    """Files whose address carries a digest (`?v=`, or a built chunk) never change."""

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        response = super().file_response(full_path, stat_result, scope, status_code)
        named = b"v=" in scope["query_string"] or "/app/chunks/" in scope["path"]
        response.headers["Cache-Control"] = FOREVER if named else "no-cache"
        return response

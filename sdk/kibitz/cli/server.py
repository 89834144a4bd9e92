"""Talking to a Kibitz server: its JSON interface, with failures as one line."""

from __future__ import annotations

import os
import secrets
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TextIO

from kibitz.cli import tokens
from kibitz.cli.failures import CommandError

if TYPE_CHECKING:
    import httpx

NO_ANSWER = frozenset({"SERVER_SILENT", "SERVER_BROKE_OFF"})
"""Reasons of a request that the server may have heard, and may have done what it asks for."""

AWAY = NO_ANSWER | {"SERVER_UNREACHABLE"}
"""Reasons that say nothing but that the server did not answer."""

PAGE = 200  # the most items a list answers at once


def address(url: str | None) -> str:
    """Return the server that is meant: what was given, or ``KIBITZ_URL``, or the local one."""
    return tokens.normal(url or os.environ.get("KIBITZ_URL") or "http://localhost:8000")


class Server:
    """One server, by its address and a token: the one given, else the user's for that address."""

    def __init__(self, url: str | None, *, token: str | None = None, timeout: float = 30.0) -> None:
        import httpx

        self.url = address(url)
        self.token = token or tokens.find(self.url)
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        self._http = httpx.Client(
            base_url=self.url + "/",
            headers={**headers, "Accept": "application/json"},
            timeout=timeout,
        )

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._http.close()

    def get(self, path: str, **query: str | int) -> Any:
        """Return the JSON at ``/api/v1/{path}``."""
        return self._ask("GET", path, params=query)

    def items(
        self, path: str, query: Mapping[str, str] | None = None, limit: int = 10_000
    ) -> list[Any]:
        """Return the items of a list, page after page."""
        found: list[Any] = []
        offset: int | None = 0
        while offset is not None and len(found) < limit:
            page = self.get(
                path, limit=min(PAGE, limit - len(found)), offset=offset, **(query or {})
            )
            if isinstance(page, list):
                return page[:limit]
            found += page["items"]
            offset = page["next"]
        return found

    def post(self, path: str, body: Mapping[str, object]) -> Any:
        """Send JSON to ``/api/v1/{path}`` and return the answer."""
        self.require_token()
        return self._ask("POST", path, json=body)

    def create(self, path: str, body: Mapping[str, object]) -> Any:
        """Send JSON to ``/api/v1/{path}``, which makes something, and return the answer.

        Where no answer came, it is sent once more under the same key, so that it is made once.
        """
        self.require_token()
        headers = {"Idempotency-Key": secrets.token_urlsafe(16)}
        try:
            return self._ask("POST", path, json=body, headers=headers)
        except CommandError as error:
            if error.reason not in NO_ANSWER:
                raise
            return self._ask("POST", path, json=body, headers=headers)

    def delete(self, path: str) -> Any:
        """Delete what is at ``/api/v1/{path}`` and return the answer."""
        self.require_token()
        return self._ask("DELETE", path)

    def upload(self, path: str, name: str, content: Any) -> Any:
        """Send a file as the form field ``file`` to ``/api/v1/{path}`` and return the answer."""
        self.require_token()
        return self._ask("POST", path, files={"file": (name, content, "application/zip")})

    def download(self, path: str, file: Path) -> None:
        """Save what is at ``/api/v1/{path}``, with a progress bar; a half file is not left behind.

        Raises:
            CommandError: the server refuses, is not there, or breaks off; or the file cannot be
                written.
        """
        from kibitz.cli.console import progress

        part = file.with_name(f".{file.name}.part")
        try:
            with (
                self._streamed(path) as answer,
                progress("{task.completed:.0f} bytes") as bar,
                part.open("wb") as out,
            ):
                size = int(answer.headers.get("Content-Length", 0)) or None
                task = bar.add_task(file.name, total=size)
                for chunk in answer.iter_bytes():
                    out.write(chunk)
                    bar.update(task, advance=len(chunk))
            part.replace(file)
        finally:
            part.unlink(missing_ok=True)

    def copy(self, path: str, out: TextIO) -> None:
        """Write the text at ``/api/v1/{path}`` to `out` as it comes in.

        Raises:
            CommandError: the server refuses, is not there, or breaks off.
        """
        with self._streamed(path) as answer:
            for text in answer.iter_text():
                out.write(text)

    @contextmanager
    def _streamed(self, path: str) -> Iterator[httpx.Response]:
        import httpx

        try:
            with self._http.stream("GET", f"api/v1/{path}", timeout=600) as answer:
                if not answer.is_success:
                    answer.read()
                    _content(answer, self.url)
                yield answer
        except httpx.TransportError as error:
            raise CommandError(
                f"{self.url} broke off or cannot be reached: {error}", reason="SERVER_UNREACHABLE"
            ) from error

    def require_token(self) -> None:
        """Refuse early what a server refuses without a token.

        Raises:
            CommandError: no token is known.
        """
        if not self.token:
            raise CommandError(
                f"no token for {self.url}: run `kibitz login {self.url}`, or set KIBITZ_TOKEN "
                "(a local server prints the file that holds its token)",
                reason="TOKEN_MISSING",
            )

    def _ask(self, method: str, path: str, **how: Any) -> Any:
        import httpx

        try:
            answer = self._http.request(method, f"api/v1/{path}", **how)
        except httpx.TimeoutException as error:
            raise CommandError(f"{self.url} does not answer", reason="SERVER_SILENT") from error
        except (httpx.ReadError, httpx.RemoteProtocolError) as error:
            raise CommandError(
                f"{self.url} broke off: {error}", reason="SERVER_BROKE_OFF"
            ) from error
        except httpx.TransportError as error:
            raise CommandError(
                f"{self.url} cannot be reached: {error} (is the server up? `kibitz-server up`)",
                reason="SERVER_UNREACHABLE",
            ) from error
        return _content(answer, self.url)


def _content(answer: httpx.Response, url: str) -> Any:
    try:
        content = answer.json()
    except ValueError:
        content = None
    if answer.is_success and content is not None:
        return content
    fault = content.get("error") if isinstance(content, dict) else None
    if not isinstance(fault, dict):
        raise CommandError(
            f"{url} answered {answer.status_code} and no JSON; is it a Kibitz server?",
            reason="NOT_A_KIBITZ_SERVER",
        )
    if answer.status_code == 401:
        fault["message"] = f"{fault.get('message')} (`kibitz login {url}` keeps another)"
    raise CommandError(str(fault.get("message")), reason=str(fault.get("reason")))

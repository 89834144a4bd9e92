"""A proxy that hands a request on but loses its answer, as a network that breaks off does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

import httpx


class _Forgetful(BaseHTTPRequestHandler):
    target = ""
    lost: list[str]

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        headers = {name: self.headers[name] for name in ("Authorization", "Idempotency-Key")}
        url = self.target + self.path
        sent = {**headers, "Content-Type": "application/json"}
        answer = httpx.post(url, content=body, headers=sent, timeout=60)
        if not self.lost:
            self.lost.append(answer.text)
            self.close_connection = True
            return
        self.send_response(answer.status_code)
        self.send_header("Content-Length", str(len(answer.content)))
        self.end_headers()
        self.wfile.write(answer.content)

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def forgetful(target: str) -> Iterator[tuple[str, list[str]]]:
    """Give the address of a proxy to `target` and a list that gets the answer that is lost."""
    lost: list[str] = []
    handler = type("Handler", (_Forgetful,), {"target": target, "lost": lost})
    with ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        thread = Thread(target=server.serve_forever, daemon=True)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_address[1]}", lost
        finally:
            server.shutdown()
            thread.join()

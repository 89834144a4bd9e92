"""`kibitz-server doctor`: whether this machine has what a server needs."""

import json
import platform
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from importlib.metadata import version

from kibitz_worker.errors import WorkerError
from kibitz_worker.sandbox import probe
from kibitz_worker.settings import Settings
from kibitz_worker.store import open_store
from kibitz_worker.valkey import find_server, open_queue_server

from kibitz_api import assets
from kibitz_api.server import folder, ports
from kibitz_api.server.errors import ServerError


@dataclass(frozen=True)
class Finding:
    """One thing looked at: ``ok``, ``warn`` (works with less) or ``bad``."""

    name: str
    state: str
    text: str


def examine(settings: Settings, *, as_json: bool) -> int:
    """Print the findings; return the exit code: 1 if something is bad."""
    findings = list(findings_of(settings))
    if as_json:
        print(json.dumps([asdict(finding) for finding in findings]))
    else:
        width = max(len(finding.name) for finding in findings)
        for finding in findings:
            print(f"{finding.state:<4}  {finding.name:<{width}}  {finding.text}")
    return int(any(finding.state == "bad" for finding in findings))


def findings_of(settings: Settings) -> Iterator[Finding]:
    """Look at one thing after the other."""
    yield Finding("kibitz", "ok", f"{version('kibitz-server')} on {platform.platform(terse=True)}")
    yield Finding("python", "ok", f"{platform.python_version()} ({sys.executable})")
    yield tried("data folder", lambda: str(folder.prepare(settings.data_dir)))
    yield tried("database", lambda: database(settings))
    yield tried("queue server", lambda: queue_server(settings))
    yield sandbox()
    yield dashboard()
    yield node()
    yield port(settings)


def tried(name: str, look: Callable[[], str]) -> Finding:
    """Give what `look` found, or why it failed."""
    try:
        return Finding(name, "ok", look())
    except (WorkerError, ServerError) as error:
        return Finding(name, "bad", str(error))


def database(settings: Settings) -> str:
    """Open the database, bringing its tables up to date."""
    with open_store(settings.database) as store:
        return store.url.render_as_string(hide_password=True)


def queue_server(settings: Settings) -> str:
    """Start the queue server, or reach the one that is named or runs."""
    with open_queue_server(settings) as server:
        own = "" if settings.redis_url else f" ({find_server()})"
        return f"{server.url}{own}"


def sandbox() -> Finding:
    """Say in which sandbox submitted bots would run here."""
    layer = probe()
    if layer.name == "none":
        return Finding("sandbox", "warn", f"none: submitted bots are refused ({layer.reason})")
    return Finding("sandbox", "ok", f"{layer.name} {layer.reason or ''}".strip())


def dashboard() -> Finding:
    """Say whether the front end was built."""
    if assets.find().missing is None:
        return Finding("front end", "ok", "built")
    return Finding("front end", "warn", "not built, so pages are plain; python hatch_build.py")


def node() -> Finding:
    """Say whether Node is there, which only building the front end needs."""
    found = shutil.which("node")
    if found:
        return Finding("node", "ok", found)
    return Finding("node", "warn", "none on PATH: an installation takes one from a Python wheel")


def port(settings: Settings) -> Finding:
    """Say whether the dashboard's port is free."""
    host, number = settings.http_host, settings.http_port
    if ports.is_free(host, number):
        return Finding("port", "ok", f"{host}:{number} is free")
    return Finding("port", "warn", f"{host}:{number} is in use; --port chooses another")

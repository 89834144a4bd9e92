"""A worker's own figures for Prometheus, served where an operator asks for it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import redis
import structlog
from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from rq import Queue
from rq.serializers import JSONSerializer
from sqlalchemy import func, select

from kibitz_worker.counters import COUNTERS, counted
from kibitz_worker.errors import SettingsError, StoreError
from kibitz_worker.settings import Settings
from kibitz_worker.store import Store
from kibitz_worker.store.models import DealSet, Outbox, SetState
from kibitz_worker.valkey import queue_url
from kibitz_worker.work.holder import machine_name
from kibitz_worker.work.outbox import SETS, UNTRUSTED

PATIENCE_SECONDS = 2

log = structlog.get_logger(__name__)


class Figures:
    """Collects the figures of one look; what does not answer leaves its own out."""

    def __init__(self, settings: Settings, store: Store, running: Callable[[], int]) -> None:
        self._settings = settings
        self._store = store
        self._running = running

    def collect(self) -> Iterator[Metric]:
        """Give all figures that can be had."""
        yield gauge("kibitz_worker_jobs", "Job processes wanted.", self._settings.workers)
        yield gauge("kibitz_worker_processes", "Processes of it that run.", self._running())
        try:
            yield from self._queues()
            up = 1
        except (redis.RedisError, OSError, StoreError) as error:
            log.debug("figures are left out", error=str(error))
            up = 0
        yield gauge("kibitz_worker_up", "1 while database and queue server answer it.", up)

    def _queues(self) -> list[Metric]:
        url, patience = queue_url(self._settings), PATIENCE_SECONDS
        with redis.Redis.from_url(
            url, socket_timeout=patience, socket_connect_timeout=patience
        ) as connection:
            queues = {
                name: Queue(name, connection=connection, serializer=JSONSerializer).job_ids
                for name in (SETS, UNTRUSTED)
            }
            mine = counted(connection, machine_name())
        return [*self._waiting(queues), *self._leases(), *counters(mine)]

    def _waiting(self, queues: dict[str, list[str]]) -> Iterator[Metric]:
        depth = GaugeMetricFamily("kibitz_queue_jobs", "Jobs in a queue.", labels=["queue"])
        age = GaugeMetricFamily(
            "kibitz_queue_age_seconds", "How long its first job has waited.", labels=["queue"]
        )
        with self._store.read() as session:
            now = self._store.now(session)
            for name, jobs in queues.items():
                sent = session.scalar(
                    select(func.min(Outbox.sent)).where(Outbox.job.in_(jobs[:100]))
                )
                depth.add_metric([name], len(jobs))
                age.add_metric([name], (now - sent).total_seconds() if sent else 0.0)
        yield depth
        yield age

    def _leases(self) -> Iterator[Metric]:
        here = DealSet.worker.startswith(f"{machine_name()}:", autoescape=True)
        query = select(func.count()).where(DealSet.state == SetState.LEASED, here)
        with self._store.read() as session:
            count = session.scalar(query) or 0
        yield gauge("kibitz_worker_leases", "Sets that this machine's jobs hold.", count)


def counters(found: dict[str, float]) -> Iterator[Metric]:
    """Give what this machine's jobs have counted, since Redis was last empty."""
    for name, value in found.items():
        yield CounterMetricFamily(f"kibitz_worker_{name}", COUNTERS[name], value=value)


def gauge(name: str, told: str, value: float) -> Metric:
    """Return a single figure."""
    return GaugeMetricFamily(name, told, value=float(value))


def serve(settings: Settings, store: Store, running: Callable[[], int]) -> Callable[[], None]:
    """Serve the figures where the settings ask for it, until the returned function is called.

    Raises SettingsError (SETTING_INVALID, METRICS_IN_USE).
    """
    address = settings.metrics_address
    if address is None:
        return lambda: None
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Figures(settings, store, running))
    host, port = address
    try:
        server, _thread = start_http_server(port, host, registry)
    except OSError as error:
        raise SettingsError(
            f"KIBITZ_METRICS_LISTEN: {host}:{port} cannot be listened on ({error.strerror}); "
            "choose another port",
            reason="METRICS_IN_USE",
        ) from error

    def stop() -> None:
        server.shutdown()
        server.server_close()

    return stop

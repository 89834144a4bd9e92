"""What Prometheus reads: the state of the work from the database, counts of workers from Redis."""

from collections.abc import Iterator

import redis
from kibitz_worker.counters import COUNTERS, counted
from kibitz_worker.errors import StoreError
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from kibitz_api.context import Services
from kibitz_api.health import queries


class Work:
    """Collects the figures of one look."""

    def __init__(self, services: Services) -> None:
        self._services = services

    def collect(self) -> Iterator[Metric]:
        """Give all figures that can be had; a part that does not answer leaves its own out."""
        yield from self._database()
        yield from self._counters()

    def _database(self) -> Iterator[Metric]:
        up = GaugeMetricFamily("kibitz_database_up", "1 while the database answers.")
        try:
            with self._services.store.read() as session:
                now = self._services.store.now(session)
                work, workers = queries.queue(session, now), queries.workers(session, now)
        except StoreError:
            up.add_metric([], 0)
            yield up
            return
        up.add_metric([], 1)
        yield up
        sets = GaugeMetricFamily("kibitz_sets", "Sets of running tournaments.", labels=["state"])
        sets.add_metric(["waiting"], work.sets_waiting)
        sets.add_metric(["playing"], work.sets_playing)
        sets.add_metric(["void"], work.sets_void)
        yield sets
        for name, told, value in (
            ("kibitz_workers", "Workers that are up.", sum(each.alive for each in workers)),
            (
                "kibitz_still_seconds",
                "Time without a finished set while sets wait.",
                work.oldest_wait_seconds or 0.0,
            ),
            (
                "kibitz_trials_waiting",
                "Uploads that wait for their trial.",
                work.admissions_waiting,
            ),
            (
                "kibitz_attempts_failed_day",
                "Attempts that failed in the last 24 hours.",
                work.attempts_failed,
            ),
            ("kibitz_viewers", "Live streams of this process.", self._services.hub.viewers),
        ):
            yield GaugeMetricFamily(name, told, value=float(value))

    def _counters(self) -> Iterator[Metric]:
        up = GaugeMetricFamily("kibitz_queue_up", "1 while the queue server answers.")
        try:
            url = self._services.redis_url
            with redis.Redis.from_url(url, socket_timeout=2, socket_connect_timeout=2) as client:
                found = counted(client)
        except (redis.RedisError, OSError):
            up.add_metric([], 0)
            yield up
            return
        up.add_metric([], 1)
        yield up
        for name, value in found.items():
            yield CounterMetricFamily(f"kibitz_{name}", COUNTERS[name], value=value)


def exposition(services: Services) -> bytes:
    """Return the figures as Prometheus reads them."""
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Work(services))
    return generate_latest(registry)

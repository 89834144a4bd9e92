"""The referee's own figures for Prometheus, served where an operator asks for it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

from prometheus_client import CollectorRegistry, start_http_server
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric

from kibitz_referee.errors import StartError
from kibitz_referee.hall import Hall
from kibitz_referee.sockets import check_address

LAG = {"0.5": 50, "0.99": 99, "1": 100}


class Figures:
    """Collects the figures of one look; called in a thread, it reads numbers only."""

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    def collect(self) -> Iterator[Metric]:
        """Give all figures."""
        yield from self._now()
        yield from self._counted()

    def _now(self) -> Iterator[Metric]:
        hall = self._hall
        connected = sum(player.session is not None for player in tuple(hall.players.values()))
        for name, told, value in (
            ("tables", "Matches under way.", hall.tables),
            ("waiting", "Matches of sets under way that have not begun.", hall.waiting),
            ("connections", "Bots that are connected.", connected),
            ("draining", "1 while no new sets are taken.", int(hall.draining)),
        ):
            yield GaugeMetricFamily(f"kibitz_referee_{name}", told, value=value)
        lag = GaugeMetricFamily(
            "kibitz_referee_lag_seconds",
            "How late the referee was in the last minute.",
            labels=["quantile"],
        )
        for quantile, percent in LAG.items():
            lag.add_metric([quantile], hall.lag.percentile(percent))
        yield lag
        latency = GaugeMetricFamily(
            "kibitz_referee_latency_seconds",
            "How much longer answers took than their bots say, since the start.",
            labels=["quantile"],
        )
        for quantile, percent in LAG.items():
            latency.add_metric([quantile], hall.counts.latency.percentile(percent) / 1e6)
        yield latency

    def _counted(self) -> Iterator[Metric]:
        counts = self._hall.counts
        players = tuple(self._hall.players.values())
        for name, told, value in (
            ("matches", "Matches that were finished.", counts.matches),
            ("deals", "Deals that were finished.", counts.deals),
            (
                "decisions",
                "Decisions of bots.",
                counts.decisions + sum(player.decisions for player in players),
            ),
            ("messages", "Messages to bots.", counts.messages),
            ("cpu_seconds", "CPU time of the referee.", time.process_time()),
        ):
            yield CounterMetricFamily(f"kibitz_referee_{name}", told, value=value)
        for name, told, found in (
            ("forfeits", "Deals forfeited, by reason.", counts.forfeits),
            ("penalties", "Decisions taken for bots, by reason.", counts.penalties),
        ):
            family = CounterMetricFamily(f"kibitz_referee_{name}", told, labels=["reason"])
            for reason, count in tuple(found.items()):
                family.add_metric([reason], count)
            yield family


def serve(hall: Hall, address: str) -> Callable[[], None]:
    """Serve the figures at ``HOST:PORT`` until the returned function is called.

    Raises:
        StartError: the address is none, or in use.
    """
    host, _, port = check_address(address, "--metrics").rpartition(":")
    registry = CollectorRegistry(auto_describe=False)
    registry.register(Figures(hall))
    try:
        server, _thread = start_http_server(int(port), host.strip("[]"), registry)
    except OSError as error:
        text = f"cannot listen on {address}: {error.strerror}"
        raise StartError(text, reason="ADDRESS_IN_USE") from error

    def stop() -> None:
        server.shutdown()
        server.server_close()

    return stop

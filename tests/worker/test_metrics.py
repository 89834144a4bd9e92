"""What a worker tells Prometheus about itself and its queues."""

from __future__ import annotations

import pytest
from kibitz_worker.counters import count
from kibitz_worker.errors import SettingsError
from kibitz_worker.metrics import serve
from kibitz_worker.settings import Settings, load_settings
from kibitz_worker.store import Store
from kibitz_worker.valkey import open_queue_server
from kibitz_worker.work.filling import fill_sets
from kibitz_worker.work.holder import Holder, machine_name, worker_name
from kibitz_worker.work.leases import lease_sets
from kibitz_worker.work.outbox import SETS, send_jobs

from tests.e2e.servers import free_port
from tests.figures import figures
from tests.worker.leagues import league
from tests.worker.work.played import sets_of


def test_queue_leases_and_counters_of_a_machine(settings: Settings, store: Store) -> None:
    port = free_port()
    chosen = settings.model_copy(update={"metrics_listen": f"127.0.0.1:{port}", "workers": 3})
    with open_queue_server(settings) as server, server.connect() as connection:
        with store.write() as session:
            now = store.now(session)
            first, second = league(session, sets=1), league(session, sets=1)
            [held] = sets_of(session, second)
            lease_sets(session, now, Holder(worker_name(), None, 30), {held.id: 1})
            fill_sets(session, now, {SETS: 1}, 1, 10)
        assert send_jobs(store, connection) == 1
        count(connection, {"sets": 2}, machine_name())
        count(connection, {"sets": 5}, "elsewhere")
        stop = serve(chosen, store, lambda: 4)
        try:
            found = figures(port)
        finally:
            stop()
    assert first.id != second.id
    assert (found["kibitz_worker_jobs"], found["kibitz_worker_processes"]) == (3, 4)
    assert (found["kibitz_worker_up"], found["kibitz_worker_leases"]) == (1, 1)
    assert (found["kibitz_queue_jobssets"], found["kibitz_queue_jobsuntrusted"]) == (1, 0)
    assert 0 <= found["kibitz_queue_age_secondssets"] < 60
    assert found["kibitz_worker_sets_total"] == 2


def test_a_queue_server_that_is_away_is_told(settings: Settings, store: Store) -> None:
    port = free_port()
    chosen = settings.model_copy(
        update={"metrics_listen": f"127.0.0.1:{port}", "redis_url": "redis://127.0.0.1:1"}
    )
    stop = serve(chosen, store, lambda: 0)
    try:
        found = figures(port)
        with pytest.raises(SettingsError) as refused:
            serve(chosen, store, lambda: 0)
    finally:
        stop()
    assert found["kibitz_worker_up"] == 0
    assert "kibitz_worker_sets_total" not in found
    assert refused.value.reason == "METRICS_IN_USE"


@pytest.mark.parametrize("listen", ["9461", "host:", "host:port", "host:65535", ":9461"])
def test_where_to_listen_must_be_host_and_port(listen: str) -> None:
    with pytest.raises(SettingsError) as refused:
        _ = load_settings(metrics_listen=listen).metrics_address
    assert "KIBITZ_METRICS_LISTEN must be HOST:PORT" in str(refused.value)


def test_nothing_is_served_by_default(settings: Settings, store: Store) -> None:
    assert settings.metrics_address is None
    serve(settings, store, lambda: 0)()

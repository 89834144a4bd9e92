"""Figures for Prometheus: what is to be done and what was, also while a part is away."""

from fastapi.testclient import TestClient
from kibitz_api.app import create_app
from kibitz_worker.counters import count, counted
from kibitz_worker.valkey import open_queue_server
from prometheus_client.parser import text_string_to_metric_families

from tests.api.conftest import Site


def figures(client: TestClient) -> dict[str, float]:
    answer = client.get("/metrics")
    assert answer.headers["content-type"].startswith("text/plain")
    return {
        sample.name + "".join(sample.labels.values()): sample.value
        for family in text_string_to_metric_families(answer.text)
        for sample in family.samples
    }


def test_the_state_of_the_work_is_told_without_a_queue_server(client: TestClient) -> None:
    found = figures(client)
    assert (found["kibitz_database_up"], found["kibitz_queue_up"]) == (1, 0)
    assert found["kibitz_setswaiting"] > 0
    assert found["kibitz_workers"] == 0
    assert found["kibitz_attempts_failed_day"] >= 1
    assert "kibitz_sets_total" not in found


def test_what_workers_counted_is_added_up(own_site: Site) -> None:
    with open_queue_server(own_site.settings) as server, server.connect() as connection:
        count(connection, {"sets": 2, "play_seconds": 1.5, "jobs": 0})
        count(connection, {"sets": 3})
        assert counted(connection)["sets"] == 5
        app = create_app(own_site.settings)
        found = figures(TestClient(app))
        assert found["kibitz_queue_up"] == 1
        assert (found["kibitz_sets_total"], found["kibitz_play_seconds_total"]) == (5, 1.5)
        assert found["kibitz_jobs_total"] == 0
        app.state.services.store.close()

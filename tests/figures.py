"""What a part of the server tells Prometheus."""

from __future__ import annotations

import urllib.request

from prometheus_client.parser import text_string_to_metric_families


def figures(port: int) -> dict[str, float]:
    """Read the figures at a port of this machine, by their names and labels."""
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as answer:
        text = answer.read().decode()
    return {
        sample.name + "".join(sample.labels.values()): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }

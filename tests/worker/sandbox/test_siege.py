"""The hostile bot in every layer, as root and as an ordinary user."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import kibitz_worker
import pytest
from kibitz_worker.sandbox import Layer, besiege, bubblewrap, landlock, probe

HARMLESS_BARE = {"read_environment", "become_root"}
"""What is no hole even without a sandbox: nothing is handed over, nobody becomes root."""

AS_USER = """
import json, sys
from kibitz_worker.sandbox import Layer, besiege
outcome = besiege(Layer(sys.argv[1], "", sys.argv[2]))
print(json.dumps([outcome.report, outcome.failure]))
"""

BUBBLEWRAPS = list(bubblewrap.binaries())
pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="needs Linux")


def siege_as_user(layer: str, binary: str = "") -> tuple[dict[str, str], str]:
    """Besiege as an ordinary user, with an interpreter and a copy of the package he can read."""
    python = shutil.which("python3", path="/usr/bin:/usr/local/bin")
    if os.geteuid() != 0:
        outcome = besiege(Layer(layer, "", binary))  # type: ignore[arg-type]
        return outcome.report, outcome.failure
    if python is None:
        pytest.skip("there is no Python that an ordinary user could run")
    command = [python, "-c", AS_USER, layer, binary]
    run = subprocess.run(
        command,
        env={"PYTHONPATH": str(Path(kibitz_worker.__file__).parents[1]), "PATH": "/usr/bin:/bin"},
        user=65534,
        group=65534,
        extra_groups=[],
        cwd="/tmp",
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    report, failure = json.loads(run.stdout)
    return report, failure


@pytest.mark.parametrize("binary", BUBBLEWRAPS)
def test_strict_holds(binary: str) -> None:
    outcome = besiege(Layer("strict", "", binary))
    assert outcome.failure == ""
    assert outcome.holes == []
    assert len(outcome.report) > 20


@pytest.mark.parametrize("binary", BUBBLEWRAPS)
def test_strict_holds_for_an_ordinary_user(binary: str) -> None:
    report, failure = siege_as_user("strict", binary)
    assert failure == ""
    assert [name for name, what in report.items() if what] == []
    assert len(report) > 20


@pytest.mark.skipif(landlock.version() < landlock.NEEDED_VERSION, reason="needs Landlock 6")
def test_landlock_holds_for_an_ordinary_user() -> None:
    report, failure = siege_as_user("landlock")
    assert failure == ""
    assert [name for name, what in report.items() if what] == []
    assert len(report) > 20
    assert len(report) > 20


def test_the_hostile_bot_is_dangerous_without_a_sandbox() -> None:
    """Otherwise the other tests would prove nothing."""
    outcome = besiege(Layer("none", "for the test"))
    blocked = {name for name, what in outcome.report.items() if not what}
    assert blocked <= HARMLESS_BARE
    assert not outcome.held


def test_a_binary_that_is_no_bubblewrap_fails_with_its_words() -> None:
    outcome = besiege(Layer("strict", "", "/bin/false"))
    assert not outcome.held
    assert "exit status 1" in outcome.failure


def test_probe_finds_a_layer_and_says_how() -> None:
    layer = probe()
    assert layer.reason
    assert Layer.from_json(json.loads(json.dumps(layer.to_json()))) == layer
    if BUBBLEWRAPS:
        assert layer.name == "strict"
        assert "blocked" in layer.reason


def test_the_operator_can_see_what_holds() -> None:
    command = [sys.executable, "-m", "kibitz_worker.sandbox"]
    run = subprocess.run([*command, "--json"], capture_output=True, text=True, check=False)
    told = json.loads(run.stdout)
    assert told["used"]["name"] == probe().name
    assert (run.returncode == 0) == probe().safe
    table = subprocess.run(command, capture_output=True, text=True, check=False).stdout
    assert f"used: {probe().name}" in table
    if probe().safe:
        assert "connect tcp" in table

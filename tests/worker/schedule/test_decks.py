"""The secret of a tournament."""

from __future__ import annotations

from kibitz.fair import commitment
from kibitz_worker.schedule import new_secret


def test_every_secret_is_new() -> None:
    secret = new_secret()
    assert len(secret) == 32
    assert secret != new_secret()
    assert commitment(secret) != secret.hex()

"""Peers that are gone before they are answered: no fault of the referee, and none is told of."""

from __future__ import annotations

import logging
import sys
from typing import Any

import grpc
import pytest
from kibitz_referee.logs import tells_of_a_fault

from tests.referee.parties import Referee, until
from tests.referee.test_nonsense import TROUBLE

PATIENCE_S = (0.0005, 0.004)
"""About as long as an answer takes."""


def impatient(address: str, *methods: str) -> None:
    """Ask for something many times and be gone at about the time of the answer."""
    with grpc.insecure_channel(address) as channel:
        grpc.channel_ready_future(channel).result(20)
        for method in methods * 6:
            ask: Any = channel.unary_unary(f"/kibitz.v1.{method}")
            for timeout in PATIENCE_S:
                for call in [ask.future(b"", timeout=timeout) for _ in range(32)]:
                    call.exception()


def test_who_is_gone_before_the_answer_leaves_no_traceback(referee: Referee) -> None:
    impatient(f"unix:{referee.control}", "RefereeService/Presence", "WatchService/Watch", "No/Such")
    impatient(referee.address, "BotService/Play", "BotService/Sing")
    until(lambda: referee.connected() == 0)
    told = referee.log.read_text(errors="replace")
    assert not [word for word in TROUBLE if word in told], told[-3_000:]


@pytest.mark.parametrize(
    ("error", "told"),
    [
        (grpc.aio.InternalError('Failed "execute_batch": (...)'), False),
        (grpc.aio.InternalError("Failed grpc_call_start_batch: 8"), True),
        (ValueError('Failed "execute_batch": (...)'), True),
    ],
)
def test_faults_are_told_of_all_the_same(error: Exception, told: bool) -> None:
    try:
        raise error
    except type(error):
        record = logging.LogRecord("grpc", logging.ERROR, "", 0, "raised", (), sys.exc_info())
    assert tells_of_a_fault(record) == told


def test_what_has_no_error_is_told(caplog: pytest.LogCaptureFixture) -> None:
    logging.getLogger("grpc").warning("words")
    [record] = caplog.records
    assert tells_of_a_fault(record)

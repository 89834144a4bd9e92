"""The example exchange in the page on the protocol is what the referee really says."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Iterator
from typing import Any

from google.protobuf.descriptor import FieldDescriptor
from kibitz.v1 import bot_pb2, table_pb2

from tests.referee.parties import BotProcess, RawBot, Referee, set_of
from tests.sources import ROOT

PAGE = ROOT / "docs" / "protocol.md"
WIDTH = 112
LONGEST_TEXT = 48
CHANGING = {
    "session": "9f0c2a64b1de",
    "table": "e4c1",
    "time_left_ms": 309990,
    "server_time_ms": 1790000000000,
}
"""Fields that differ from run to run, and what the page shows of them."""

LEFT_OUT = {"used_ms", "lag_ms"}
"""Fields that may be 0 and so not be there at all."""

CLOCK = table_pb2.Clock(
    bank_ms=300_000, increment_ms=10_000, cap_ms=10_000, ready_ms=30_000, tolerance_ms=50
)


def written(message: Any) -> str:
    """A message in protobuf's text form, long lists and texts cut short."""
    return " ".join(
        part
        for field, value in message.ListFields()
        if field.name not in LEFT_OUT
        for part in parts(field, value)
    )


def parts(field: FieldDescriptor, value: Any) -> Iterator[str]:
    if not field.is_repeated:
        yield one(field, value)
        return
    plain = field.message_type is None
    shown = value[:2] if plain and len(value) > 4 else value
    yield from (one(field, element) for element in shown)
    if len(shown) < len(value):
        yield f"...[{len(value)}]"


def one(field: FieldDescriptor, value: Any) -> str:
    if field.message_type is not None:
        inner = written(value)
        return f"{field.name} {{ {inner} }}" if inner else f"{field.name} {{ }}"
    value = CHANGING.get(field.name, value)
    if isinstance(value, str):
        quoted = value.replace('"', '\\"')
        text = f"{quoted[:LONGEST_TEXT]}..." if len(quoted) > LONGEST_TEXT else quoted
        return f'{field.name}: "{text}"'
    return f"{field.name}: {value:g}" if isinstance(value, float) else f"{field.name}: {value}"


class Exchange:
    """A bot without rules of its own, and the text of all that is said."""

    def __init__(self, bot: RawBot) -> None:
        self._bot = bot
        self.lines: list[str] = []

    def said(self, **message: Any) -> None:
        self._note("> ", bot_pb2.PlayRequest(**message))

    def say(self, **message: Any) -> None:
        self._bot.send(**message)
        self.said(**message)

    def hear(self) -> bot_pb2.Turns:
        """Hear until there is something to do: one message or several, written as one."""
        heard = bot_pb2.PlayResponse()
        while True:
            message = self._bot.hear()
            heard.MergeFrom(message)
            turns = message.turns
            if turns.slots or message.HasField("welcome") or starts(turns):
                self._note("  ", heard)
                return turns

    def _note(self, mark: str, message: Any) -> None:
        self.lines += textwrap.wrap(
            written(message), WIDTH, initial_indent=mark, subsequent_indent=" " * 8
        )


def starts(turns: bot_pb2.Turns) -> bool:
    return any(news.HasField("table_start") for news in turns.news)


def answer(turns: bot_pb2.Turns, action: int) -> bot_pb2.Actions:
    return bot_pb2.Actions(slots=turns.slots, decisions=turns.decisions, actions=[action])


def test_the_example_of_the_page_is_what_is_said(
    start: Callable[..., Referee],
) -> None:
    referee = start()
    referee.admit("first", "7f3c...")
    hello: dict[str, Any] = {"protocol": 1, "sdk": "node/1", "games": ["german_whist"]}
    request = set_of("german_whist", ("first", "7f3c..."), clock=CLOCK, seed="page")
    for chair, name in zip(request.matches[0].seats, ("ann/2", "bob/1"), strict=True):
        chair.name = name
    with RawBot(referee.address, "7f3c...", rules=0, **hello) as bot, BotProcess(referee, "first"):
        call = referee.stub.RunSet(request, timeout=60)
        talk = Exchange(bot)
        talk.said(hello=bot_pb2.Hello(token="7f3c...", **hello))
        talk.hear()
        talk.hear()
        talk.said(ready=bot_pb2.Ready(slots=[*bot.seats]))
        turns = talk.hear()
        talk.say(actions=answer(turns, turns.legal[0]))
        turns = talk.hear()
        talk.say(actions=answer(turns, 99))
        talk.hear()
        call.cancel()
    page = PAGE.read_text().partition("## An example")[2].partition("```text\n")[2]
    assert page.partition("```")[0] == "".join(f"{line}\n" for line in talk.lines)

"""What a server says that is no referee, or a broken one: bots say what came, and go."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from random import Random

import grpc
import kibitz
import pytest
from google.protobuf.message import DecodeError
from kibitz import client
from kibitz.bot import BotRunner
from kibitz.client.seats import Seats
from kibitz.loading import load_bot
from kibitz.v1 import bot_pb2

from tests.referee.impostor import DISMISSED, WELCOME, Impostor, said
from tests.referee.nonsense import mangled, torn
from tests.referee.parties import BotProcess, Referee, set_of, watched_match

START = bot_pb2.TableStart(table="t", game="german_whist", options_json="{}", seats=["a", "b"])
DEAL = bot_pb2.DealStart(totals=[0, 0])


class First(kibitz.Bot):
    def play(self, view: kibitz.View) -> kibitz.Action:
        return view.legal[0]


def turns(*news: bot_pb2.News, **fields: list[int]) -> bot_pb2.PlayResponse:
    return bot_pb2.PlayResponse(turns=bot_pb2.Turns(news=news, **fields))  # type: ignore[arg-type]


def seated(**fields: list[int]) -> bot_pb2.PlayResponse:
    """A turn at a table that has begun."""
    news = bot_pb2.News(slot=1, table_start=START), bot_pb2.News(slot=1, deal_start=DEAL)
    sound = {"slots": [1], "decisions": [0], "event_counts": [0], "legal_counts": [1], "legal": [3]}
    return turns(*news, **{**sound, **fields})


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ([*said(WELCOME), b"\xff\xffno message"], "12 bytes that are no"),
        (said(WELCOME, WELCOME), "a second Welcome"),
        (said(seated()), "turns before the Welcome"),
        (said(WELCOME, seated(decisions=[])), "not of one length"),
        (said(WELCOME, seated(event_counts=[7])), "0 events, where turns own 7"),
        (said(WELCOME, seated(legal=[3, 4])), "2 actions for turns of [1]"),
        (said(WELCOME, seated(legal_counts=[0], legal=[])), "0 actions for turns of [0]"),
        (said(WELCOME, seated(legal=[4_000_000])), "turns that cannot be"),
        (said(WELCOME, seated(event_counts=[1], events=[2**32 - 1])), "is not an event"),
        (said(WELCOME, turns(bot_pb2.News(slot=1, table_start=START)), seated(), turns(
            bot_pb2.News(slot=1, deal_start=bot_pb2.DealStart(dealer=9, totals=[0, 0])))),
         "a deal of seat 9"),
    ],
)  # fmt: skip
def test_what_makes_no_sense_is_named_and_given_up(
    folder: Path, messages: list[bytes], words: str
) -> None:
    with Impostor(folder, *messages) as impostor, pytest.raises(client.NonsenseError) as caught:
        client.serve(First, impostor.address, "token")
    assert caught.value.reason == "NONSENSE"
    assert words in str(caught.value)
    assert impostor.address in str(caught.value)
    assert impostor.connections == 3


ODD = 9 << 16 | 7 << 12 | 3
"""A card played by a seat that no game for two has."""


class Looker(First):
    """Looks at what it is told, when it wants to."""

    def __init__(self, when: str) -> None:
        self.when = when

    def start(self, view: kibitz.View) -> None:
        if self.when == "start":
            view.hand  # noqa: B018

    def play(self, view: kibitz.View) -> kibitz.Action:
        if self.when == "play":
            view.hand  # noqa: B018
        return view.legal[0]

    def end(self, view: kibitz.View) -> None:
        view.hand  # noqa: B018


class ManyLooker(Looker):
    def play_many(self, views: Sequence[kibitz.View]) -> list[kibitz.Action]:
        return [self.play(view) for view in views]


@pytest.mark.parametrize("kind", [Looker, ManyLooker])
@pytest.mark.parametrize("when", ["start", "play", "end"])
def test_events_that_cannot_be_are_no_fault_of_the_bot_that_looks(
    kind: type[Looker], when: str
) -> None:
    seats = Seats(BotRunner(kind(when)))
    odd = [ODD] if when != "end" else []
    told = seated(event_counts=[len(odd)], events=odd)
    end = bot_pb2.DealEnd(scores=[1, -1], events=[ODD])
    over = turns(bot_pb2.News(slot=1, deal_end=end))
    heard: list[bot_pb2.PlayRequest] = []
    with pytest.raises(client.NonsenseError, match="event 0 of the deal cannot be"):
        heard.extend(one for message in (told, over) for one in seats.answer(message.turns))
    assert not any(one.HasField("failure") for one in heard)


def test_a_bot_that_is_run_says_it_in_a_line(folder: Path) -> None:
    with (
        Impostor(folder, *said(WELCOME), b"\xff") as impostor,
        BotProcess(impostor.address, "t") as bot,
    ):
        assert bot.process.stderr is not None
        last = bot.process.stderr.read()
        assert bot.process.wait(20) == 1
    assert "Traceback" not in last
    assert last.splitlines()[-1].startswith("kibitz: the server at unix:")
    assert last.splitlines()[-1].endswith("[NONSENSE]")


def test_words_of_a_server_are_shown_without_control_characters(
    folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    wild = "\x1b[31m\u202ered\nline"
    reject = bot_pb2.Reject(slot=1, reason=wild, message=wild)
    told = said(WELCOME, bot_pb2.PlayResponse(turns=bot_pb2.Turns(rejects=[reject])), DISMISSED)
    with caplog.at_level(logging.DEBUG), Impostor(folder, *told) as impostor:
        client.serve(First, impostor.address, "token")
    with (
        Impostor(folder, code=grpc.StatusCode.PERMISSION_DENIED) as impostor,
        pytest.raises(client.RefusedError) as caught,
    ):
        client.serve(First, impostor.address, "token")
    for text in (*caplog.messages, str(caught.value)):
        assert text.isprintable(), text
    assert any("[31mred line" in text for text in caplog.messages)


def test_a_server_that_never_welcomes_is_given_up(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kibitz.client.connection.WELCOME_S", 0.3)
    with Mute(folder) as impostor, pytest.raises(client.UnreachableError):
        client.serve(First, impostor.address, "token", patience=0.5)
    assert impostor.connections >= 2


class Mute(Impostor):
    """Takes connections and says nothing."""

    def _play(self, requests, context):  # type: ignore[no-untyped-def]
        self.connections += 1
        yield from (b"" for _ in requests if False)


def heard(referee: Referee) -> list[bot_pb2.PlayResponse]:
    """Return all that a bot hears in a match."""
    bot = watched_match(referee, set_of("whist", ("a", "b", "a", "b"), end="deals:4"))
    messages = map(bot_pb2.PlayResponse.FromString, bot.bytes)
    return [message for message in messages if message.HasField("turns")]


def misled(sound: list[bot_pb2.PlayResponse], rng: Random) -> tuple[int, int]:
    """Have a bot hear a match in which messages are changed; count messages and complaints."""
    seats = Seats(BotRunner(load_bot("careful"), seed=1))
    told = wondered = 0
    beginning = [message for message in sound if message.turns.news][:2]
    for message in sound:
        spoken = message
        if rng.random() < 0.3:
            spoken = mangled(message, rng)
        elif rng.random() < 0.1:
            try:
                spoken = bot_pb2.PlayResponse.FromString(torn(message.SerializeToString(), rng))
            except DecodeError:
                continue
        told += 1
        try:
            for answer in seats.answer(spoken.turns):
                assert answer.WhichOneof("message") in {"ready", "actions", "failure"}
        except client.NonsenseError:
            wondered += 1
            seats.keep(())  # as after a new connection, on which all is told again
            for again in beginning:
                [*seats.answer(again.turns)]
    return told, wondered


@pytest.fixture(autouse=True)
def hurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have bots try again without long pauses."""
    monkeypatch.setattr("kibitz.client.serving.BACKOFF_S", 0.02)


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(logging.getLogger("kibitz.client"), "disabled", True)


@pytest.mark.usefixtures("quiet")
def test_no_message_of_a_server_breaks_a_bot(referee: Referee) -> None:
    sound = heard(referee)
    counts = [misled(sound, Random(seed)) for seed in range(8)]
    assert sum(told for told, _ in counts) > 200
    assert sum(wondered for _, wondered in counts) > 20


@pytest.mark.campaign
@pytest.mark.usefixtures("quiet")
def test_campaign_of_broken_servers(referee: Referee) -> None:
    sound = heard(referee)
    counts = [misled(sound, Random(seed)) for seed in range(100, 500)]
    print(f"messages and complaints: {[sum(column) for column in zip(*counts, strict=True)]}")
    assert sum(told for told, _ in counts) > 10_000

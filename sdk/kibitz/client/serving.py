"""Serve a bot: connect, play, connect again, until the referee has no more use for it."""

from __future__ import annotations

import logging
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field

import grpc

import kibitz
from kibitz.bot import Agent, Bot, BotRunner
from kibitz.client.connection import Connection
from kibitz.client.errors import ClientError, NonsenseError, RefusedError, UnreachableError
from kibitz.client.options import PROTOCOL, REASON_KEY, RULES
from kibitz.client.seats import Seats
from kibitz.remark import clean
from kibitz.v1 import bot_pb2 as wire

BACKOFF_S = 0.2
"""The first pause before connecting again; it doubles, with jitter."""

BACKOFF_MAX_S = 5.0

PATIENCE_S = 60.0
"""How long a bot goes on trying to reach a referee."""

CONFUSED_MOST = 3
"""So many connections in a row on which the server makes no sense, and it is given up."""

_JITTER = secrets.SystemRandom()

log = logging.getLogger("kibitz.client")

_PASSING = {
    grpc.StatusCode.UNAVAILABLE,
    grpc.StatusCode.CANCELLED,
    grpc.StatusCode.DEADLINE_EXCEEDED,
    grpc.StatusCode.INTERNAL,
    grpc.StatusCode.UNKNOWN,
}


def serve(
    bot: Bot | type[Bot] | Agent,
    address: str,
    token: str,
    *,
    games: Sequence[str] | None = None,
    max_tables: int = 0,
    seed: int | str | None = None,
    patience: float = PATIENCE_S,
) -> None:
    """Play for a referee until it dismisses the bot.

    The bot is asked in the calling thread, so debuggers and Ctrl-C work as usual. A lost connection
    is made anew, and all tables go on where they were.

    Args:
        bot: a bot, a bot class or a function of a view.
        address: ``unix:/path`` or ``host:port``.
        token: the secret that says who the bot is.
        games: names of the games it plays; by default ``bot.games``, and all if that is empty.
        max_tables: at how many seats it can sit at once; 0 leaves it to the referee.
        seed: makes the bot's random generators repeat themselves.
        patience: for how many seconds an unreachable referee is tried.

    Raises:
        RefusedError: the referee does not want the bot; ``reason`` says why.
        UnreachableError: no referee answered for ``patience`` seconds.
        NonsenseError: what the server says makes no sense, however often it is asked.
        BotError: the bot cannot be made.
    """
    _check(address, token)
    runner = BotRunner(bot, seed=seed)
    hello = wire.Hello(
        token=token,
        protocol=PROTOCOL,
        rules=RULES,
        sdk=f"kibitz-python/{kibitz.__version__}",
        bot=runner.bot.name,
        games=runner.bot.games if games is None else games,
        max_tables=max_tables,
    )
    _Service(address, hello, Seats(runner), patience).run()


def _check(address: str, token: str) -> None:
    if not address.startswith("unix:") and not address.rpartition(":")[2].isdigit():
        text = f"the address of a referee is unix:/path or host:port, not {address!r}"
        raise ClientError(text, reason="BAD_ADDRESS")
    if not token:
        raise ClientError("a bot needs a token; set KIBITZ_TOKEN", reason="NO_TOKEN")


@dataclass
class _Service:
    """A bot's connections, one after the other."""

    address: str
    hello: wire.Hello
    seats: Seats
    patience: float
    welcomed: bool = False
    ever_welcomed: bool = False
    confused: int = 0
    """How many connections in a row ended because what the server said made no sense."""
    told: set[str] = field(default_factory=set)
    """What has been said of the connection since it was lost; nothing is said twice."""

    def run(self) -> None:
        """Connect again and again until the referee dismisses the bot."""
        reached = time.monotonic()
        pause = BACKOFF_S
        while True:
            self.welcomed = False
            lost = self._connect()
            if lost is None:
                return
            if self.welcomed:
                reached, pause = time.monotonic(), BACKOFF_S
            left = reached + self.patience - time.monotonic()
            if left <= 0:
                raise UnreachableError(f"{lost}; given up after {self.patience:g} s")
            if lost not in self.told:
                self.told.add(lost)
                log.info("%s; trying again ...", lost)
            time.sleep(min(left, pause * _JITTER.uniform(0.5, 1.5)))
            pause = min(BACKOFF_MAX_S, pause * 2)

    def _connect(self) -> str | None:
        """Serve one connection; return why it was lost, or ``None`` if the bot may go."""
        with Connection(self.address) as connection:
            try:
                lost = self._talk(connection)
                self.confused = 0
                return lost
            except NonsenseError as error:
                return self._wonder(error)
            except grpc.RpcError as error:
                self.confused = 0
                return self._judge(error)
            except KeyboardInterrupt:
                if not self.seats:
                    connection.goodbye()
                raise
            finally:
                self._tell_latency(connection)

    def _tell_latency(self, connection: Connection) -> None:
        if connection.latency_us is not None:
            half, most = (us / 1000 for us in connection.latency_us)
            text = (
                "of the time that was measured for answers, %.1f ms a message went by on the way to"
            )
            log.info(f"{text} %s (median; 99 of 100 under %.1f ms)", half, self.address, most)

    def _talk(self, connection: Connection) -> str | None:
        connection.send(wire.PlayRequest(hello=self.hello))
        for message in connection:
            what = message.WhichOneof("message")
            if self.welcomed == (what == "welcome"):
                text = "a second Welcome" if self.welcomed else f"{what} before the Welcome"
                raise NonsenseError(text)
            if what == "turns":
                for answer in self.seats.answer(message.turns):
                    connection.send(answer)
            elif what == "welcome":
                self._welcome(connection, message.welcome)
            elif what == "goodbye":
                return self._goodbye(message.goodbye)
        return f"the server at {self.address} ended the connection"

    def _welcome(self, connection: Connection, welcome: wire.Welcome) -> None:
        self.welcomed = self.ever_welcomed = True
        self.seats.keep(set(welcome.slots))
        connection.beat(welcome.heartbeat_ms / 1000, welcome.silence_ms / 1000)
        again = "again " if self.told else ""
        log.info("connected %sto %s as session %s", again, self.address, welcome.session)
        self.told.clear()

    def _goodbye(self, goodbye: wire.Goodbye) -> str | None:
        if goodbye.reason == "DISMISSED":
            return None
        if goodbye.reason == "REPLACED":
            text = "another process connected with the same token"
            raise RefusedError(text, reason=goodbye.reason)
        if goodbye.reason == "DRAINING":
            return f"the server at {self.address} is stopping"
        return clean(f"{goodbye.message} ({goodbye.reason})")

    def _wonder(self, error: NonsenseError) -> str:
        """Return why the connection was given up: after a new one all is told from the start.

        Raises:
            NonsenseError: that has been tried before.
        """
        self.confused += 1
        text = clean(f"the server at {self.address} says what makes no sense: {error}")
        if self.confused < CONFUSED_MOST:
            return text
        text = f"{text}; is it a Kibitz server of this version ({kibitz.__version__})?"
        raise NonsenseError(text) from error

    def _judge(self, error: grpc.RpcError) -> str:
        """Return why the connection was lost, if it is worth trying again.

        Raises:
            RefusedError: it is not.
        """
        assert isinstance(error, grpc.Call)  # noqa: S101  # what streams raise
        reason = dict(error.trailing_metadata() or ()).get(REASON_KEY, "")
        text = clean(error.details() or str(error.code()))
        passing = error.code() in _PASSING or (self.ever_welcomed and reason == "UNKNOWN_TOKEN")
        log.debug("connection lost: %s: %s", error.code(), text)
        if passing:
            return self._in_words(error.code(), text, str(reason))
        raise RefusedError(f"the referee refuses the bot: {text}", reason=str(reason) or None)

    def _in_words(self, code: grpc.StatusCode, text: str, reason: str) -> str:
        if reason == "UNKNOWN_TOKEN":
            return f"the server at {self.address} does not expect this bot yet"
        if reason:
            return f"{text} ({reason})"
        if code in {grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.DEADLINE_EXCEEDED}:
            return f"the server at {self.address} does not answer"
        return f"the connection to the server at {self.address} broke"

"""Bots: what an author writes, and how the rest of Kibitz asks it for decisions.

A bot is a class with ``play``, or a plain function of a view::

    class Lowest(Bot):
        def play(self, view):
            return min(view.legal, key=lambda card: card.strength)
"""

from __future__ import annotations

import copy
import inspect
import logging
import os
from collections.abc import Callable, Sequence
from random import Random
from typing import TYPE_CHECKING, Any, SupportsIndex, TypeAlias

from kibitz.actions import Action
from kibitz.errors import BotError, EventsError
from kibitz.faults import blame, definition, whole
from kibitz.remark import NOTHING, Choice, Play, PolicyError, Remark, clean, remark

if TYPE_CHECKING:
    from kibitz.view import View

Answer: TypeAlias = "Action | int | str | Play"
Decided: TypeAlias = "int | Choice | BotError"
Agent: TypeAlias = "Callable[[View], Answer]"
Table: TypeAlias = tuple[str, int]  # the table's id and the seat

log = logging.getLogger("kibitz.bot")


class Bot:
    """A player; override ``play``, and what else you need.

    A bot that doesn't override ``play_many`` is copied (shallowly, by ``copy.copy``) for every
    table it sits at, so what ``start`` or ``play`` set on ``self`` belongs to one table. A bot that
    overrides it stays one object, and keeps its tables apart by ``view.table`` and ``view.seat``.

    Attributes:
        name: how the bot is called in results; the class's name unless set.
        games: the games it plays; empty for all.
        rng: a random generator of this table's own. Draw from it rather than from ``random``,
            and ``kibitz play --seed`` repeats every decision.
    """

    name: str = ""
    games: tuple[str, ...] = ()
    rng: Random

    def start(self, view: View) -> None:
        """Prepare for a deal; called when the deal has been dealt, before any decision of it."""

    def play(self, view: View) -> Answer:  # noqa: ARG002 (heirs use it)
        """Return an element of ``view.legal`` (or its number, or its code).

        ``kibitz.Play(action, comment, policy)`` says something about it besides.
        """
        raise BotError(
            f"{type(self).__name__} needs a method play(self, view)", reason="PLAY_MISSING"
        )

    def end(self, view: View) -> None:
        """Learn from a finished deal; ``view.scores`` holds its scores."""

    def play_many(self, views: Sequence[View]) -> Sequence[Answer]:
        """Decide at several tables at once: one answer a view, in the same order."""
        return [self.play(view) for view in views]


class FunctionBot(Bot):
    """A bot made of a function that takes a view and returns an action."""

    def __init__(self, function: Agent, name: str = "") -> None:
        self.function = function
        self.name = name or getattr(function, "__name__", "function")

    def play(self, view: View) -> Answer:
        return self.function(view)


def as_bot(bot: Bot | type[Bot] | Agent) -> Bot:
    """Return a bot made of a bot, a bot class or a function.

    Raises:
        BotError: it is none of these, or the class cannot be made without arguments.
    """
    if isinstance(bot, Bot):
        made = bot
    elif isinstance(bot, type) and issubclass(bot, Bot):
        try:
            made = bot()
        except Exception as error:
            raise blame(error, f"{bot.__name__}() cannot be made", "BOT_NOT_LOADED") from error
    elif callable(bot) and not isinstance(bot, type):
        made = FunctionBot(bot)
    else:
        raise BotError(
            f"{bot!r} is no bot: give a subclass of kibitz.Bot or a function of a view",
            reason="NOT_A_BOT",
        )
    made.name = made.name or type(made).__name__
    return made


class BotRunner:
    """Asks one bot for the decisions of many tables, and keeps its faults to the table they are of.

    Nothing here raises what the bot raised: a fault comes back as a ``BotError`` in the place of
    the answer, with the file and line in ``where`` and the whole story in ``traceback``. What is
    raised is an ``EventsError`` where a bot looked at a view of events that cannot be, which is no
    fault of the bot.
    """

    def __init__(self, bot: Bot | type[Bot] | Agent, *, seed: int | str | None = None) -> None:
        self.bot = as_bot(bot)
        self.seed = seed
        self.batches = type(self.bot).play_many is not Bot.play_many
        self._tables: dict[Table, Bot] = {}
        self._broken: dict[Table, BotError] = {}
        self._warned = False
        if self.batches:
            self.bot.rng = self._generator("")

    def start(self, view: View) -> None:
        """Tell the bot that a deal begins at ``view.table``.

        A fault of the bot's ``start`` is kept and given as the answer to the table's next decision.
        """
        table = (view.table, view.seat)
        self._broken.pop(table, None)
        try:
            self._at(table).start(view)
        except EventsError:
            raise
        except (Exception, SystemExit) as error:
            self._broken[table] = blame(error, f"{self.bot.name} failed in start")

    def decide(self, views: Sequence[View]) -> list[Decided]:
        """Return the number of a legal action for each view, or the fault that prevented it.

        A number with which the bot said something comes as a ``Choice``.
        """
        if not self._broken:
            return self._batch(views) if self.batches else [*map(self._one, views)]
        sound = [view for view in views if (view.table, view.seat) not in self._broken]
        answers = iter(self._batch(sound) if self.batches else map(self._one, sound))
        return [self._broken.get((view.table, view.seat)) or next(answers) for view in views]

    def end(self, view: View) -> BotError | None:
        """Tell the bot that the deal at ``view.table`` is over; return its fault, if any.

        The deal is scored already: such a fault is worth a word to the author and changes nothing.
        """
        table = (view.table, view.seat)
        if self._broken.pop(table, None):
            return None
        try:
            self._at(table).end(view)
        except EventsError:
            raise
        except (Exception, SystemExit) as error:
            return blame(error, f"{self.bot.name} failed in end")
        return None

    def leave(self, table: str, seat: int) -> None:
        """Forget a table that is over."""
        self._tables.pop((table, seat), None)
        self._broken.pop((table, seat), None)

    def _at(self, table: Table) -> Bot:
        if self.batches:
            return self.bot
        bot = self._tables.get(table)
        if bot is None:
            bot = self._tables[table] = copy.copy(self.bot)
            bot.rng = self._generator(f"{table[0]}:{table[1]}")
        return bot

    def _generator(self, table: str) -> Random:
        return Random() if self.seed is None else Random(f"{self.seed}:{table}")  # noqa: S311

    def _one(self, view: View) -> Decided:
        try:
            bot = self._at((view.table, view.seat))
            return self._number(view, bot.play(view))
        except EventsError:
            raise
        except (Exception, SystemExit) as error:
            return blame(error, f"{self.bot.name} failed in play")

    def _batch(self, views: Sequence[View]) -> list[Decided]:
        """Ask for all at once; after a fault ask one by one, to find the table it is of."""
        if not views:
            return []
        try:
            answers = list(self.bot.play_many(views))
            if len(answers) != len(views):
                return [self._miscounted(len(answers), len(views))] * len(views)
        except EventsError:
            raise
        except (Exception, SystemExit) as error:
            if len(views) == 1:
                return [blame(error, f"{self.bot.name} failed in play_many")]
            return [answer for view in views for answer in self._batch([view])]
        return [self._checked(view, answer) for view, answer in zip(views, answers, strict=True)]

    def _checked(self, view: View, answer: object) -> Decided:
        try:
            return self._number(view, answer)
        except EventsError:
            raise
        except (Exception, SystemExit) as error:  # an answer of a class of the bot's own
            return blame(error, f"{self.bot.name} failed in play_many")

    def _miscounted(self, answers: int, views: int) -> BotError:
        return BotError(
            f"{self.bot.name}: play_many returned {answers} answers for {views} views",
            reason="WRONG_NUMBER_OF_ANSWERS",
            where=definition(self.bot.play_many),
        )

    def _remarked(self, view: View, play: Play) -> Decided:
        number = self._number(view, play.action)
        if not isinstance(number, int):
            return number
        try:
            said = remark(play, view.legal, view.legal.index(number), view.game.actions)
        except (PolicyError, TypeError, ValueError) as error:
            self._warn(f"{self.bot.name}: what it said of its decision is left out: {error}")
            said = Remark(clean(play.comment)) if isinstance(play.comment, str) else NOTHING
        return number if said == NOTHING else Choice(number, said)

    def _warn(self, text: str) -> None:
        """Log a warning, the first of its kind only: a bot makes thousands of decisions."""
        if not self._warned:
            self._warned = True
            log.warning("%s (further ones are not reported)", whole(text))

    def _number(self, view: View, answer: object) -> Decided:
        legal = view.legal
        if type(answer) is Action:  # nearly always; asking for SupportsIndex takes its time
            number = int(answer)
        elif isinstance(answer, Play):
            return self._remarked(view, answer)
        elif isinstance(answer, str):
            number = view.game.actions.number.get(answer, -1)
        elif isinstance(answer, SupportsIndex) and not isinstance(answer, bool):
            number = answer.__index__()
        else:
            number = -1
        if number in legal:
            return number
        shown = view.game.actions[number].code if 0 <= number < len(view.game.actions) else answer
        return BotError(
            whole(f"{self.bot.name} answered {shown!r:.80}; legal are {_codes(legal)}"),
            reason="ILLEGAL_ACTION",
            where=definition(self._asked()),
        )

    def _asked(self) -> Callable[..., Any]:
        if self.batches:
            return self.bot.play_many
        return self.bot.function if isinstance(self.bot, FunctionBot) else self.bot.play


def _codes(legal: Sequence[Action]) -> str:
    return " ".join(action.code for action in legal)


def run(bot: Bot | type[Bot] | Agent) -> None:
    """Play for the referee at ``KIBITZ_ADDRESS`` if that is set, else a few deals right here.

    Put it under ``if __name__ == "__main__":``. ``KIBITZ_ADDRESS`` is ``unix:/path`` or
    ``host:port``, ``KIBITZ_TOKEN`` the token that says who the bot is. With ``KIBITZ_SEED`` set,
    ``rng`` repeats itself from one run to the next.

    Raises:
        BotError: the bot cannot be made, or ``run`` was called while the file was being imported.
    """
    from kibitz import loading  # noqa: PLC0415 (loading needs Bot)

    if loading.in_progress():
        raise BotError(
            "run() was called while the bot was being imported; "
            'put it under if __name__ == "__main__"',
            reason="RUN_ON_IMPORT",
            where=f"{inspect.stack()[1].filename}:{inspect.stack()[1].lineno}",
        )
    made = as_bot(bot)
    address = os.environ.get("KIBITZ_ADDRESS")
    if address:
        if not logging.getLogger().handlers:
            logging.basicConfig(level=logging.INFO, format="%(message)s")
        from kibitz.client import ClientError, serve  # noqa: PLC0415 (grpc, only where needed)

        token, seed = os.environ.get("KIBITZ_TOKEN", ""), os.environ.get("KIBITZ_SEED")
        try:
            serve(made, address, token, seed=seed)
        except ClientError as error:  # authors run bot files directly: a line, not a traceback
            raise SystemExit(f"kibitz: {error} [{error.reason}]") from None
    else:
        from kibitz.local import demonstrate  # noqa: PLC0415 (local needs Bot)

        demonstrate(made)

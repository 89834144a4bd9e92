"""Bots that meet in duplicate sets of one game, all tables of a set side by side."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from kibitz.bot import Agent, Bot, BotRunner, Decided
from kibitz.errors import BotError, OptionError
from kibitz.games import game as game_named
from kibitz.loading import load_bot
from kibitz.margins import SetScores
from kibitz.remark import Choice, Remark, written
from kibitz.sets import Seating, seatings
from kibitz.shuffle import cut, shuffle

if TYPE_CHECKING:
    from kibitz.game import Game
    from kibitz.record import Record
    from kibitz.view import View

AnyBot: TypeAlias = "Bot | type[Bot] | Agent | str | Path"
OnDeal: TypeAlias = Callable[[], None]


class Fault(NamedTuple):
    """A deal that a bot lost by an exception or an illegal action.

    Attributes:
        set: number of the set.
        match: number of the match within the set.
        deal: number of the deal within the match.
        seat: seat of the bot at fault.
        player: its index.
        error: what it did, with ``where`` and ``traceback``.
    """

    set: int
    match: int
    deal: int
    seat: int
    player: int
    error: BotError


class PlayedSet(NamedTuple):
    """A duplicate set that has been played.

    Attributes:
        number: its number, which together with the seed fixes its decks.
        scores: what the players made of it.
        records: one for each match, in the order of ``kibitz.seatings``.
        faults: the deals that were forfeited.
    """

    number: int
    scores: SetScores
    records: tuple[Record, ...]
    faults: tuple[Fault, ...]


class Contest:
    """Bots that meet in sets of one game; set after set is played on demand.

    Args:
        game: the game, or its name for its defaults.
        bots: as many as the game has independent players (``game.players``); a bot may come twice.
        seed: what the decks and the bots' generators depend on; the same seed plays the same.

    Raises:
        OptionError: the game cannot be duplicated, or it has another number of players.
        BotError: a bot cannot be loaded.
    """

    def __init__(self, game: Game | str, bots: Sequence[AnyBot], seed: int | str = 0) -> None:
        self.game = game_named(game) if isinstance(game, str) else game
        self.seatings = seatings(self.game)
        if len(bots) != self.game.players:
            what = "bots, one for each side" if self.game.sides < self.game.seats else "bots"
            raise OptionError(
                f"{self.game.name} is played by {self.game.players} {what}; {len(bots)} given",
                reason="WRONG_NUMBER_OF_BOTS",
            )
        self.seed = seed
        self.runners = [
            BotRunner(
                load_bot(bot) if isinstance(bot, str | Path) else bot,
                seed=f"{seed}:{player}",
            )
            for player, bot in enumerate(bots)
        ]
        self.players = _distinct([runner.bot.name for runner in self.runners])
        self._check_games()

    def _check_games(self) -> None:
        for runner in self.runners:
            if runner.bot.games and self.game.name not in runner.bot.games:
                raise BotError(
                    f"{runner.bot.name} plays only {', '.join(runner.bot.games)}, "
                    f"not {self.game.name}",
                    reason="GAME_NOT_PLAYED",
                )

    @property
    def deals_per_set(self) -> int:
        """How many deals a set has, all matches together; 0 if only playing shows it."""
        return self.game.goal[1] * len(self.seatings)

    def play(self, number: int, on_deal: OnDeal = lambda: None) -> PlayedSet:
        """Play one set; all its matches go on side by side.

        Args:
            number: which set, from 0; the decks depend on it and the seed.
            on_deal: called after each deal of each match.
        """
        tables = [
            _Table(self, number, match, seating) for match, seating in enumerate(self.seatings)
        ]
        live = tables
        while live:
            self._decide(live)
            for table in live:
                if table.deal_over:
                    table.end_deal()
                    on_deal()
            live = [table for table in live if not table.match.over]
        return _gather(number, tables, len(self.runners))

    def _decide(self, tables: Sequence[_Table]) -> None:
        """Ask each bot once for all tables that wait for it."""
        waiting: dict[int, list[_Table]] = {}
        for table in tables:
            waiting.setdefault(table.player, []).append(table)
        for player, asked in waiting.items():
            views = [table.view() for table in asked]
            answers = self.runners[player].decide(views)
            for table, answer in zip(asked, answers, strict=True):
                table.take(answer)

    def deck(self, number: int, half: int, deal: int) -> tuple[list[str], str | None]:
        """Return the deck of a deal of a set, and its cut card if it has one."""
        context = f"{self.seed}:{number}:{half}:{deal}"
        return shuffle(self.game, context), cut(self.game, deal, context)


class _Table:
    """A match in progress."""

    def __init__(self, contest: Contest, number: int, index: int, seating: Seating) -> None:
        self.contest, self.number, self.index, self.seating = contest, number, index, seating
        self.id = f"{number}.{index}"
        self.seats = range(contest.game.seats)
        self.match = contest.game.new_match([contest.players[p] for p in seating.order])
        self.faults: list[Fault] = []
        self._begin()

    def _begin(self) -> None:
        deck, card = self.contest.deck(self.number, self.seating.half, self.match.number)
        self.deal = self.match.new_deal(deck, card)
        self.forfeited = False
        self._acted = 0
        self._remarks: dict[int, Remark] = {}
        for seat in self.seats:
            self._runner(seat).start(self.deal.view(seat).at_table(self.id))

    def _runner(self, seat: int) -> BotRunner:
        return self.contest.runners[self.seating.order[seat]]

    @property
    def turn(self) -> int:
        """The seat that decides."""
        turn = self.deal.turn
        if turn is None:
            raise ValueError("the deal is over")
        return turn

    @property
    def player(self) -> int:
        """Whose decision it is."""
        return self.seating.order[self.turn]

    @property
    def deal_over(self) -> bool:
        """Whether the deal was played out or forfeited."""
        return self.forfeited or self.deal.over

    def view(self) -> View:
        """What the seat knows that decides."""
        return self.deal.view(self.turn)

    def take(self, answer: Decided) -> None:
        """Play what the bot answered, or forfeit the deal if it failed."""
        if isinstance(answer, Choice):
            self._remarks[self._acted] = answer.remark
            answer = answer.number
        if not isinstance(answer, BotError):
            self.deal.apply(answer)
            self._acted += 1
            return
        seat = self.turn
        self.faults.append(
            Fault(self.number, self.index, self.deal.number, seat, self.player, answer)
        )
        self.match.forfeit(self.deal, seat, answer.reason, **written(self._remarks))
        self.forfeited = True

    def end_deal(self) -> None:
        """Score the deal, tell the bots, and begin the next one if there is one."""
        if not self.forfeited:
            self.match.finish(self.deal, **written(self._remarks))
        scores = self.match.results[-1]
        for seat in self.seats:
            view = self.deal.view(seat)
            view.scores = scores  # a forfeited deal has none of its own
            self._runner(seat).end(view)
        if not self.match.over:
            self._begin()
            return
        for seat in self.seats:
            self._runner(seat).leave(self.id, seat)


def _gather(number: int, tables: Sequence[_Table], players: int) -> PlayedSet:
    scores, margins, returns = [0.0] * players, [0.0] * players, [0.0] * players
    forfeits, deals = [0] * players, 0
    for table in tables:
        order = table.seating.order
        share = [1 / order.count(player) for player in range(players)]
        for result in table.match.results:
            mean = sum(result) / len(result)
            deals += 1
            for player, score in zip(order, result, strict=True):
                scores[player] += score * share[player]
                margins[player] += (score - mean) * share[player]
        for player, value in zip(order, table.match.returns or (), strict=False):
            returns[player] += value * share[player]
        for fault in table.faults:
            forfeits[fault.player] += 1
    return PlayedSet(
        number,
        SetScores(deals, tuple(scores), tuple(margins), tuple(returns), tuple(forfeits)),
        tuple(
            table.match.record(set=number, half=table.seating.half, lane=table.seating.lane)
            for table in tables
        ),
        tuple(fault for table in tables for fault in table.faults),
    )


def _distinct(names: Sequence[str]) -> tuple[str, ...]:
    """Number the names that come more than once: random, random#2."""
    return tuple(
        name if (before := names[:place].count(name)) == 0 else f"{name}#{before + 1}"
        for place, name in enumerate(names)
    )

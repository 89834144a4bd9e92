"""Par: what the reference bot scores in every seat of a deal, playing against itself.

Raw scores of a single deal say more about its cards than about who played them. The difference to
par takes much of that luck away, as the datum does at duplicate bridge tables.
"""

from __future__ import annotations

from collections.abc import Sequence

import kibitz
from kibitz.bot import BotRunner
from kibitz.fair import Luck
from kibitz.game import Game
from kibitz.loading import load_bot
from kibitz.match import whole

from kibitz_worker.errors import InvalidError

REFERENCE = "careful"


def par_of(game: Game, decks: Sequence[Luck], seed: str) -> list[list[float]]:
    """Return for each deal of a match what the reference bot scores in each seat.

    The same decks and seed always give the same par. Raises InvalidError (PAR_NOT_PLAYED) should
    the reference bot fail.
    """
    match = game.new_match()
    runners = [
        BotRunner(load_bot(REFERENCE), seed=f"par:{seed}:{seat}") for seat in range(game.seats)
    ]
    scores = []
    for luck in decks:
        if match.over:
            break
        deal = match.new_deal(luck["deck"], luck["cut"])
        _play(deal, runners, f"par-{seed}")
        scores.append(list(whole(match.finish(deal))))
    return scores


def _play(deal: kibitz.Deal, runners: Sequence[BotRunner], table: str) -> None:
    for seat, runner in enumerate(runners):
        runner.start(deal.view(seat).at_table(table))
    while deal.turn is not None:
        (answer,) = runners[deal.turn].decide([deal.view(deal.turn).at_table(table)])
        if not isinstance(answer, int):
            raise InvalidError(
                f"the bot {REFERENCE} cannot play this deal: {answer}", reason="PAR_NOT_PLAYED"
            )
        deal.apply(answer)

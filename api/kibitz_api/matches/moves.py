"""A deal in words, for readers without the viewer: calls, then trick by trick."""

from dataclasses import dataclass, field

from kibitz import What

from kibitz_api.matches.replay_models import ReplayDeal, ReplayStep
from kibitz_api.words import action_words


@dataclass
class Move:
    """One action: the step it leads to, by which place, as people write it."""

    step: int
    place: int
    text: str
    suit: str | None


@dataclass
class Chapter:
    """A part of a deal: the calls, or a trick and who took it."""

    title: str
    moves: list[Move] = field(default_factory=list)
    won: int | None = None


def move_list(deal: ReplayDeal) -> list[Chapter]:
    """The chapters of a deal in order."""
    chapters: list[Chapter] = []
    tricks = 0
    for step in deal.steps[1:]:
        played = any(event.what == What.PLAYED.name for event in step.events)
        trick_over = not _is_trick(chapters) or chapters[-1].won is not None
        if played and trick_over:
            tricks += 1
            chapters.append(Chapter(f"Trick {tricks}"))
        elif not played and (not chapters or (_is_trick(chapters) and trick_over)):
            chapters.append(Chapter("Calls"))
        chapters[-1].moves.append(_move(step))
        chapters[-1].won = _winner(step)
    return chapters


def _is_trick(chapters: list[Chapter]) -> bool:
    return bool(chapters) and chapters[-1].title.startswith("Trick")


def _move(step: ReplayStep) -> Move:
    text, suit = action_words(step.action or "")
    return Move(step.step, step.acted or 0, text, suit)


def _winner(step: ReplayStep) -> int | None:
    won = (event.place for event in step.events if event.what == What.WON.name)
    return next(won, None)

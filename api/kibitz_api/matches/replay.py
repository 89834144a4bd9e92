"""From a record to what the viewer steps through, by playing it again."""

from typing import Any

from kibitz import Deal, Event, Record, What
from kibitz.events import ACTIONS
from kibitz.remark import clean

from kibitz_api.games.queries import title
from kibitz_api.matches.models import MatchAnswer
from kibitz_api.matches.replay_models import (
    Replay,
    ReplayDeal,
    ReplayEvent,
    ReplayForfeit,
    ReplaySeat,
    ReplaySeating,
    ReplayStep,
)

CARDS = frozenset({What.DEALT, What.TURNED, What.SHOWN, What.CUT, What.GIVEN, What.REVEALED})


def replay(match: MatchAnswer, record: Record) -> Replay:
    """Play a whole record again and tell every step of it.

    Raises kibitz.RecordError when the record does not hold.
    """
    game = record.game
    return Replay(
        match=match.id,
        set=match.set,
        tournament=match.tournament,
        game=game.name,
        title=title(game.name),
        options=game.options(),
        places=game.places,
        seats=[
            ReplaySeat(
                seat=seat.seat,
                name=record.seats[seat.seat],
                bot=seat.bot,
                version=seat.version,
                version_id=seat.version_id,
            )
            for seat in match.seats
        ],
        deals=replay_deals(record),
        totals=record.totals,
        returns=record.returns,
        seatings=_seatings(match),
    )


def replay_deals(record: Record) -> list[ReplayDeal]:
    """All deals of a record, each with its steps."""
    match = record.verify()
    deals = []
    for written, played in zip(record.deals, match.played, strict=True):
        steps = replay_steps(played.deal)
        add_remarks(steps, written)
        forfeit = played.forfeit
        deals.append(
            ReplayDeal(
                number=written["number"],
                dealer=written["dealer"],
                deck=written["deck"],
                cut=written["cut"],
                steps=steps,
                scores=list(played.scores),
                forfeit=ReplayForfeit(**forfeit) if forfeit else None,
                tricks=[s.step for s in steps if any(e.what == What.WON.name for e in s.events)],
            )
        )
    return deals


def add_remarks(steps: list[ReplayStep], deal: dict[str, Any]) -> None:
    """Put what bots said of their actions to the steps of a recorded deal."""
    for number, comment in deal.get("comments", ()):
        steps[number + 1].comment = clean(comment) or None
    for number, policy in deal.get("policies", ()):
        steps[number + 1].policy = policy


def replay_steps(played: Deal) -> list[ReplayStep]:
    """The steps of a deal that was played: dealt anew, then action by action."""
    deal = played.game.new_deal(
        played.deck,
        played.dealer,
        played.number,
        played.cut,
        totals=played.totals,
        points=played.points,
    )
    told = deal.events
    steps = [_step(deal, 0, None, told)]
    for number, (seat, action) in enumerate(played.history, 1):
        deal.apply(action)
        events = deal.events
        steps.append(_step(deal, number, seat, events[len(told) :]))
        told = events
    return steps


def _step(deal: Deal, number: int, seat: int | None, events: list[Event]) -> ReplayStep:
    acted = next((event for event in events if event.what in ACTIONS), None)
    names = deal.game.actions.names
    # What lies on the table, who took how much and what is trump is known to every seat.
    public = deal.view(0)
    return ReplayStep(
        step=number,
        seat=seat,
        acted=acted.place if acted else None,
        action=names[acted.detail] if acted else None,
        events=[_event(deal, event) for event in events],
        hands=[[names[card] for card in deal.hand(place)] for place in range(deal.game.places)],
        trick=[(place, card.code) for place, card in public.trick],
        taken=public.taken,
        trump=public.trump,
        turn=deal.turn,
        place=None if deal.turn is None else deal.place,
        legal=deal.codes(),
    )


def _event(deal: Deal, event: Event) -> ReplayEvent:
    return ReplayEvent(
        what=event.what.name,
        place=event.place,
        code=event_code(deal, event),
        detail=event.detail,
        to=event.to,
    )


def event_code(deal: Deal, event: Event) -> str | None:
    """The text of an event's detail: a card, an action, a suit or a seat; None without one."""
    game, detail = deal.game, event.detail
    if event.what is What.TRUMP:
        return game.cards.suits[detail] if 0 <= detail < len(game.cards.suits) else "NT"
    if detail < 0:
        return None
    if event.what is What.PARTNER:
        return str(detail)
    if event.what in CARDS or event.what in ACTIONS or event.what is What.CONTRACT:
        return game.actions.names[detail]
    return None


def _seatings(match: MatchAnswer) -> list[ReplaySeating]:
    return [
        ReplaySeating(
            match=other.id,
            half=other.half,
            lane=other.lane,
            same_decks=other.half == match.half,
            seats=[f"{seat.bot}/{seat.version}" for seat in other.seats],
            returns=other.returns,
            state=other.state,
        )
        for other in match.seatings
    ]

"""The rounds of a tournament: who met whom, who goes on, how a test stands, what was decided."""

from typing import Any

from kibitz_worker.ratings import RatingError, estimate_pair
from kibitz_worker.ratings.sequential import pair_counts
from kibitz_worker.schedule.formats import Bout, Knockout, Meeting, Situation, Versus
from kibitz_worker.schedule.formats.scores import totals
from kibitz_worker.schedule.formats.versus import counted
from kibitz_worker.store.models import Tournament
from kibitz_worker.store.notes import notes_of
from kibitz_worker.store.planning import format_of, situation
from sqlalchemy.orm import Session

from kibitz_api.tournaments.models import LogEntry, RoundAnswer, TableAnswer, TestAnswer

Labels = dict[int, str]


def seen(session: Session, tournament: Tournament) -> Situation | None:
    """What has been played, where the format looks at rounds; else None, as it is much to read."""
    chosen = format_of(tournament)
    if chosen.looks == "never" or chosen.name == "ladder":
        return None
    return situation(session, tournament)


def told(session: Session, tournament: Tournament, now: Situation | None) -> dict[str, Any]:
    """Rounds, test and log of a tournament, as fields of its answer; its entrants are loaded."""
    chosen = format_of(tournament)
    log = [
        LogEntry(at=note.at, kind=note.kind, reason=note.reason)
        for note in notes_of(session, tournament.id)
    ]
    if now is None:
        return {"rounds": [], "test": None, "log": log}
    labels = {entrant.number: entrant.version.label for entrant in tournament.entrants}
    if isinstance(chosen, Versus):
        test = _test(chosen, now)
        return {"rounds": [], "test": test, "log": log}
    if isinstance(chosen, Knockout):
        rounds = [[_bout(bout, labels, now) for bout in row] for row in chosen.bracket(now)]
    else:
        rounds = [_round(now, number, labels) for number in range(now.rounds)]
    answers = [RoundAnswer(number=n, tables=tables) for n, tables in enumerate(rounds, 1)]
    return {"rounds": answers, "test": None, "log": log}


def _test(chosen: Versus, now: Situation) -> TestAnswer:
    progress = chosen.progress(now)
    counts = pair_counts([kind for kind, _ in counted(now)[: progress.sets]])
    try:
        estimate = estimate_pair(counts)
    except RatingError:  # one kind of result alone says nothing of the scatter
        estimate = None
    told = {
        key: value for key, value in progress.to_json().items() if key in TestAnswer.model_fields
    }
    return TestAnswer(
        **told,
        pairs=list(counts) if now.players == 2 else None,
        normalized=estimate.normalized if estimate else None,
        normalized_error=estimate.normalized_error if estimate else None,
    )


def _bout(bout: Bout, labels: Labels, now: Situation) -> TableAnswer:
    meeting = bout.meeting or Meeting(0, bout.entrants)
    table = _table(meeting, labels, bout.winners, bout.by)
    return table.model_copy(update={"tie_breaks": max(0, len(meeting.sets) - now.sets)})


def _round(now: Situation, number: int, labels: Labels) -> list[TableAnswer]:
    found = now.of_round(number)
    tables = [_table(meeting, labels, _most(meeting), "") for meeting in found]
    seated = {entrant for meeting in found for entrant in meeting.entrants}
    resting = [n for n in range(now.entrants) if n not in seated]
    if 0 < len(resting) < now.players:
        tables += [_table(Meeting(number, (n,)), labels, (n,), "bye") for n in resting]
    return tables


def _most(meeting: Meeting) -> tuple[int, ...]:
    """Who has most of a table that is over; nobody while it is played, or when it is shared."""
    if meeting.open or not meeting.done:
        return ()
    returns = [value for value, _ in totals(meeting)]
    places = [place for place, value in enumerate(returns) if value == max(returns)]
    return tuple(meeting.entrants[place] for place in places) if len(places) == 1 else ()


def _table(meeting: Meeting, labels: Labels, winners: tuple[int, ...], decided: str) -> TableAnswer:
    done = meeting.done
    return TableAnswer(
        players=[labels[number] for number in meeting.entrants],
        seeds=[number + 1 for number in meeting.entrants],
        winners=[labels[number] for number in winners],
        by=decided,
        points=[value for value, _ in totals(meeting)] if done else None,
        done=len(done),
        sets=len(meeting.sets),
        tie_breaks=0,
    )

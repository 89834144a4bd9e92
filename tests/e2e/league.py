"""Leagues really played in this process, checked and stored as a worker stores them.

`python -m tests.e2e.league FOLDER` makes such a data folder to look at with a browser.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import kibitz
from kibitz import Bot, View
from kibitz.bot import Answer, BotRunner
from kibitz.loading import load_bot
from kibitz_worker.live import Live
from kibitz_worker.refit import Refit
from kibitz_worker.settings import load_settings
from kibitz_worker.store import Store, open_store
from kibitz_worker.store.accounts import create_user
from kibitz_worker.store.bots import add_house_bot, submit_version
from kibitz_worker.store.models import (
    Admission,
    DealSet,
    SetState,
    Tournament,
    User,
    Version,
    VersionState,
)
from kibitz_worker.store.tournaments import create_tournament
from kibitz_worker.valkey import open_queue_server
from kibitz_worker.work.attempts import Failure, Retry, fail_set
from kibitz_worker.work.holder import Holder
from kibitz_worker.work.leases import lease_sets
from kibitz_worker.work.plan import PlannedMatch, SetPlan, plan_set
from kibitz_worker.work.reports import finish_set, store_match
from kibitz_worker.work.verify import Reported, check
from sqlalchemy import select
from sqlalchemy.orm import Session

GAMES = ("german_whist", "whist", "whiskey")
FORFEIT = "TIME_OUT"
COMMENT = "<b>My longest</b> suit & the like"


class Tipsy(Bot):
    """Plays like `careful`, but some of the cards at random: a ladder of known strengths."""

    def __init__(self, sober: float) -> None:
        self.sober = sober
        self.careful = load_bot("careful")
        self.random = load_bot("random")

    def start(self, view: View) -> None:
        for bot in (self.careful, self.random):
            bot.rng = self.rng
            bot.start(view)

    def play(self, view: View) -> Answer:
        bot = self.careful if self.rng.random() < self.sober else self.random
        return bot.play(view)


STRENGTHS = {
    "careful": 1.0,
    "random": 0.0,
    "ana/otter/1": 0.35,
    "ana/otter/2": 0.75,
    "ben/heron/1": 0.55,
    "ana/vole/1": 0.2,
}


@dataclass(frozen=True)
class League:
    """A tournament to play: `played` of its sets are finished when the browser comes."""

    game: str
    name: str
    end: str
    sets: int
    entrants: tuple[str, ...]
    played: float = 1.0


FIELD = tuple(STRENGTHS)
LEAGUES = (
    League("german_whist", "German Whist, autumn league", "hands:4", 6, FIELD),
    League("whist", "Whist, autumn league", "deals:4", 4, FIELD[:5]),
    League("whiskey", "Whiskey, autumn league", "deals:3", 2, FIELD[:4]),
    League("whist", "Whist in the evening", "deals:4", 3, FIELD[:4], played=0.4),
)


def fill(store: Store, live: Live, leagues: Sequence[League] = LEAGUES) -> list[str]:
    """Play and rate the leagues in an empty store; return the ids of the tournaments."""
    with store.write() as session:
        owner = add_bots(session)
        ids = [add_tournament(session, owner, league) for league in leagues]
    for key, league in zip(ids, leagues, strict=True):
        play(store, key, league.played)
    Refit(store, live).refresh()
    return ids


def add_bots(session: Session) -> User:
    """The house's bots, two authors with theirs, and one version that was refused."""
    ana, ben = create_user(session, "ana"), create_user(session, "ben")
    for name in ("careful", "random"):
        add_house_bot(session, name, name, f"{name}-content", GAMES)
    for owner, name, content in (
        (ana, "otter", 1),
        (ana, "otter", 2),
        (ben, "heron", 1),
        (ana, "vole", 1),
    ):
        admit(session, owner, name, content)
    refused, _ = submit_version(
        session, ben, "heron", content_hash="ff" * 32, path="versions/ff", games=["whist"]
    )
    refused.state = VersionState.REFUSED
    refused.reason = "bot.py line 12: NameError: name 'veiw' is not defined"
    settle_admission(session, refused)
    return ana


def admit(session: Session, owner: User, name: str, content: int) -> None:
    version, _ = submit_version(
        session,
        owner,
        name,
        content_hash=f"{content:02x}" * 32,
        path=f"versions/{name}-{content}",
        games=GAMES,
        description="Counts the trumps, forgets the rest.",
    )
    version.state = VersionState.ADMITTED
    version.admitted = datetime.now(UTC)
    settle_admission(session, version)


def settle_admission(session: Session, version: Version) -> None:
    admission = session.get_one(Admission, version.id)
    admission.state = SetState.DONE
    admission.finished = datetime.now(UTC)


def add_tournament(session: Session, owner: User, league: League) -> str:
    versions = [
        version for version in session.scalars(select(Version)) if version.label in labels(league)
    ]
    tournament = create_tournament(
        session,
        owner,
        league.game,
        versions,
        name=league.name,
        options={"end": league.end},
        sets_per_pairing=league.sets,
    )
    return tournament.id


def labels(league: League) -> set[str]:
    return {label if label.count("/") == 2 else f"{label}/1" for label in league.entrants}


def play(store: Store, tournament: str, share: float) -> None:
    """Play the first sets of a tournament; of an unfinished one the last of them is made void."""
    with store.read() as session:
        query = (
            select(DealSet.id).where(DealSet.tournament_id == tournament).order_by(DealSet.number)
        )
        sets = list(session.scalars(query))
    count = round(share * len(sets))
    for number, key in enumerate(sets[:count]):
        play_set(store, key, forfeit=number == 1, void=share < 1 and number == count - 1)
    if share >= 1:
        with store.write() as session:
            finish(session, tournament)


def finish(session: Session, tournament: str) -> None:
    row = session.get_one(Tournament, tournament)
    row.state = type(row.state).FINISHED
    row.finished = datetime.now(UTC)


def play_set(store: Store, key: str, *, forfeit: bool, void: bool) -> None:
    holder = Holder("house:1", None, 60)
    now = datetime.now(UTC)
    with store.write() as session:
        deal_set = session.get_one(DealSet, key)
        assert lease_sets(session, now, holder, {key: deal_set.attempts + 1})
        if void:
            retry = Retry(max_attempts=1, backoff_seconds=1, quarantine_after=9)
            fail_set(
                session, now, deal_set, Failure("REFEREE_LOST", "the referee was killed"), retry
            )
            return
        plan = plan_set(session, deal_set)
    for match in plan.matches:
        checked = check(plan, report(plan, match, forfeit=forfeit and match.lane == 0))
        with store.write() as session:
            store_match(session, now + timedelta(seconds=1), holder, checked)
    with store.write() as session:
        assert finish_set(session, now + timedelta(seconds=2), holder, key)


def report(plan: SetPlan, planned: PlannedMatch, *, forfeit: bool) -> Reported:
    """Play a match; with `forfeit` seat 1 runs out of time in its second deal."""
    names = [plan.names[player] for player in planned.seating]
    match = plan.game.new_match(names)
    runners = [runner(name, f"{planned.id}:{seat}") for seat, name in enumerate(names)]
    forfeits = []
    for luck in planned.decks:
        deal = match.new_deal(luck["deck"], luck["cut"])
        late = 17 if forfeit and match.number == 1 else None
        play_deal(deal, runners, planned.id, late)
        if deal.over:
            match.finish(deal, comments=[[0, COMMENT]], policies=[[0, even(deal)]])
        else:
            times = {"limit_ms": 1_000, "used_ms": 1_060, "said_ms": 3, "latency_ms": 1_057}
            forfeits.append({"deal": match.number, "seat": 1, "reason": FORFEIT, **times})
            match.forfeit(deal, 1, FORFEIT)
    record = match.record().to_json()
    return Reported(planned.id, record, tuple(match.returns or ()), tuple(forfeits))


def even(deal: kibitz.Deal) -> list[float]:
    """The same probability for every action of a deal's first decision."""
    first = deal.game.new_deal(deal.deck, deal.dealer, deal.number, deal.cut, totals=deal.totals)
    return [1 / len(first.legal())] * len(first.legal())


def runner(name: str, seed: str) -> BotRunner:
    label = name.removesuffix("/1") if name.count("/") == 1 else name
    return BotRunner(Tipsy(STRENGTHS[label]), seed=seed)


def play_deal(
    deal: kibitz.Deal, runners: Sequence[BotRunner], table: str, late: int | None
) -> None:
    for seat, each in enumerate(runners):
        each.start(deal.view(seat).at_table(table))
    while deal.turn is not None and (late is None or len(deal.history) < late):
        (answer,) = runners[deal.turn].decide([deal.view(deal.turn).at_table(table)])
        assert isinstance(answer, int), answer
        deal.apply(answer)


def small(leagues: Sequence[League] = LEAGUES) -> list[League]:
    """The same leagues with one set a pairing, for tests."""
    return [replace(league, sets=1) for league in leagues]


if __name__ == "__main__":
    settings = load_settings(data_dir=Path(sys.argv[1]))
    with open_queue_server(settings) as queue:
        print(*fill(open_store(settings.database), Live(queue.connect())), sep="\n")

"""The trial of a submitted version: it plays every game it claims before it may enter anything."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections.abc import Coroutine
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

import kibitz
import structlog
from kibitz.errors import OptionError
from kibitz.fair import SECRET_BYTES, Draw
from kibitz.game import Game
from sqlalchemy.orm import Session

from kibitz_worker.errors import RefereeError, ReportError, StoreError
from kibitz_worker.play.context import Job
from kibitz_worker.play.endings import why_ended
from kibitz_worker.play.lanes import lanes_of
from kibitz_worker.play.processes import Processes
from kibitz_worker.play.referee import Referee, set_request
from kibitz_worker.play.trial import Trial, in_short, summary, without_folder
from kibitz_worker.play.versions import Runnable, check_folders, load_versions
from kibitz_worker.sandbox import SandboxError
from kibitz_worker.store.clocks import DEFAULT_CLOCK
from kibitz_worker.store.models import Admission, BotKind, SetState, Version, VersionState
from kibitz_worker.store.texts import storable
from kibitz_worker.work.attempts import LOG_LIMIT, give_back
from kibitz_worker.work.leases import lease_admission, let_go, settle
from kibitz_worker.work.plan import PlannedMatch, SetPlan

DEALS_EACH_SEAT = 2
GAME_SECONDS = 180.0
"""A version that needs longer for the few deals of a trial would hold up every tournament."""

LOOK_SECONDS = 0.5
CLOCK = DEFAULT_CLOCK | {"bank_ms": 60_000, "cap_ms": 10_000}
SPARRING = ("careful", "random", "random")

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Verdict:
    """How a trial ended; `retry` says that the platform failed and nothing is known."""

    admitted: bool
    reason: str = ""
    log: str = ""
    retry: bool = False


async def admit(job: Job, version_id: int, attempt: int) -> bool:
    """Hold the trial of a version and write down the verdict; False if it was not to be had."""

    def lease(session: Session, now: datetime) -> tuple[Runnable, list[str]] | None:
        if lease_admission(session, now, job.holder, version_id, attempt) is None:
            return None
        runnable = load_versions(session, [version_id], job.settings.data_dir)[version_id]
        return runnable, session.get_one(Version, version_id).games

    leased = await job.write(lease)
    if leased is None:
        return False
    async with job.beating(), job.listening():
        verdict = await _stoppable(job, try_out(job, *leased))
    await job.write(lambda session, now: _write(job, session, now, version_id, verdict))
    job.live.publish("version", version=version_id, label=leased[0].label)
    return True


async def _stoppable(job: Job, trial: Coroutine[None, None, Verdict]) -> Verdict | None:
    """Return the verdict, or None when the worker is asked to stop before there is one."""
    task = asyncio.ensure_future(trial)
    stop = asyncio.ensure_future(job.stopping.wait())
    await asyncio.wait({task, stop}, return_when=asyncio.FIRST_COMPLETED)
    stop.cancel()
    if task.done():
        return task.result()
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    return None


async def try_out(job: Job, version: Runnable, games: list[str]) -> Verdict:
    """Play all games with a version against bots of the house."""
    house = [Runnable(-n, spec, BotKind.HOUSE, spec=spec) for n, spec in enumerate(SPARRING, 1)]
    plans = [plan_trial(name, version, house) for name in games]
    versions = {each.id: each for each in (version, *house)}
    processes = Processes(lanes_of(plans), versions, job.given)
    try:
        async with Referee(job.settings.control_socket) as referee:
            await asyncio.to_thread(check_folders, [version])
            await referee.admit(dict.fromkeys(processes.tokens, version.label))
            await asyncio.to_thread(processes.start)
            found = [await _play_watched(referee, plan, processes) for plan in plans]
            await referee.dismiss(processes.tokens)
    except RefereeError as error:
        return Verdict(False, f"{error.reason}: {error}", retry=True)
    except StoreError as error:
        return Verdict(False, f"{error.reason}: {error}")
    except SandboxError as error:
        return Verdict(False, f"{error.reason}: {error}", retry=error.reason == "NO_SOCKET")
    finally:
        tail = processes.tail(version.id)
        await asyncio.to_thread(processes.stop)
    return _judge(found, tail, version.folder)


async def _play_watched(referee: Referee, plan: SetPlan, processes: Processes) -> Trial:
    """Play a game, but wait no longer once a process of the version on trial has ended."""
    trial = Trial(plan)
    task = asyncio.ensure_future(_play(referee, trial, processes))
    while not (await asyncio.wait({task}, timeout=LOOK_SECONDS))[0]:
        status = processes.ended(plan.players[0])
        if status is not None:
            trial.blame(*why_ended(status, processes.tail(plan.players[0])))
            task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    return trial


async def _play(referee: Referee, trial: Trial, processes: Processes) -> None:
    try:
        async with asyncio.timeout(GAME_SECONDS):
            async for event in referee.run_set(set_request(trial.plan, processes)):
                trial.take(event)
    except TimeoutError:
        trial.blame("TOO_SLOW", f"a few deals took longer than {GAME_SECONDS:.0f} seconds")
    except ReportError as error:
        trial.fail(error.reason, str(error))


def _judge(trials: list[Trial], tail: str, folder: Path | None) -> Verdict:
    faults = [without_folder(fault, folder) for trial in trials for fault in trial.faults]
    broken = [failure for trial in trials for failure in trial.failures]
    told = "\n".join([*summary(faults), *broken])
    text = f"{told}\n\n{without_folder(tail, folder)}".strip()
    if faults:
        return Verdict(False, in_short(faults[0])[:500], text)
    if broken:
        return Verdict(False, broken[0][:500], text, retry=True)
    return Verdict(True, log=text)


def plan_trial(name: str, version: Runnable, house: list[Runnable]) -> SetPlan:
    """Return a few deals of a game in which the version sits in every seat once."""
    game = short_game(name)
    decks = Draw(game, secrets.token_bytes(SECRET_BYTES), "admission", 0).half(0)
    players = (version, *house[: game.players - 1])
    return SetPlan(
        id=f"admission-{version.id}-{name}",
        tournament="",
        game=game,
        clock=CLOCK,
        policy="forfeit_match",
        players=tuple(player.id for player in players),
        names=tuple(player.label for player in players),
        matches=tuple(
            PlannedMatch(
                f"{name}-{seating.lane}", seating.half, seating.lane, seating.order, tuple(decks)
            )
            for seating in kibitz.seatings(game)
            if seating.half == 0
        ),
    )


def short_game(name: str, deals_each_seat: int = DEALS_EACH_SEAT) -> Game:
    """Return a game with default options and few deals, as far as its rules let one choose."""
    deals = deals_each_seat * kibitz.game(name).seats
    for end in (f"deals:{deals}", f"hands:{deals}", "full"):
        with contextlib.suppress(OptionError):
            game = kibitz.game(name, end=end)
            if game.duplicable:
                return game
    return kibitz.game(name)


def _write(
    job: Job, session: Session, now: datetime, version_id: int, verdict: Verdict | None
) -> None:
    admission = session.get_one(Admission, version_id, with_for_update=True)
    if admission.state is not SetState.LEASED or admission.lease_token != job.holder.token:
        return
    if verdict is None:
        let_go(admission, due=None, reason="the worker was asked to stop")
        return
    if verdict.retry:
        if not give_back(now, admission, verdict.reason, job.retry, admission.attempts):
            return
    else:
        settle(admission, SetState.DONE, now)
    version = session.get_one(Version, version_id)
    version.state = VersionState.ADMITTED if verdict.admitted else VersionState.REFUSED
    version.admitted = now if verdict.admitted else None
    version.reason = storable(verdict.reason) or None
    version.log = storable(verdict.log[-LOG_LIMIT:]) or None
    log.info("version judged", version=version.label, state=str(version.state))

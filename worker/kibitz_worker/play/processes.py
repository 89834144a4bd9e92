"""The bot processes of a job: started, watched, restarted when they die, all dead at the end."""

from __future__ import annotations

import secrets
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import structlog

from kibitz_worker.play.lanes import Lane
from kibitz_worker.play.versions import Runnable
from kibitz_worker.sandbox import Layer, Limits, Process, launch
from kibitz_worker.store.ids import sha256_hex
from kibitz_worker.store.models import BotKind

RESTARTS = 5
"""A lane whose process has died so often in one job is given up."""

TAIL = 4_000
BARE = Layer("none", "a bot the operator trusts")

log = structlog.get_logger(__name__)


@dataclass(frozen=True)
class Given:
    """What every process of a job gets.

    `socket` is where the referee listens for bots, `folder` where their output goes meanwhile.
    """

    socket: Path
    folder: Path
    layer: Layer
    trust: bool
    limits: Limits


class Processes:
    """One process a lane, each with a token of its own that nobody else knows."""

    def __init__(
        self,
        lanes: Iterable[Lane],
        versions: Mapping[int, Runnable],
        given: Given,
        seeds: Mapping[int, str] | None = None,
    ) -> None:
        self._versions: dict[int, Runnable] = {}
        self._seeds: dict[int, str] = {}
        self._given = given
        self._folder = Path(tempfile.mkdtemp(prefix="job-", dir=given.folder))
        self._secrets: dict[Lane, str] = {}
        self._running: dict[Lane, Process] = {}
        self._deaths: dict[Lane, int] = {}
        self.join(lanes, versions, seeds or {})

    def join(
        self, lanes: Iterable[Lane], versions: Mapping[int, Runnable], seeds: Mapping[int, str]
    ) -> dict[str, Lane]:
        """Add lanes; return those that are new and start here, by the SHA-256 of their tokens.

        Who is there already plays on in the same process: sets have decks of their own.
        """
        self._versions.update(versions)
        self._seeds.update(seeds)
        new = {}
        for lane in lanes:
            if lane in self._secrets or versions[lane.version].kind is BotKind.SELF_HOSTED:
                continue
            secret = self._secrets[lane] = secrets.token_urlsafe(32)
            new[sha256_hex(secret)] = lane
        return new

    @property
    def tokens(self) -> dict[str, Lane]:
        """The lanes started here by the SHA-256 of their tokens."""
        return {sha256_hex(secret): lane for lane, secret in self._secrets.items()}

    def token_sha256(self, lane: Lane) -> str:
        """Return by what the referee knows the process of a lane, also one that runs elsewhere."""
        if lane in self._secrets:
            return sha256_hex(self._secrets[lane])
        return self._versions[lane.version].token_sha256

    def of_the_house(self, lane: Lane) -> bool:
        """Whether it is a bot of the house that plays in a lane."""
        return self._versions[lane.version].kind is BotKind.HOUSE

    def label(self, lane: Lane) -> str:
        """Return the label of the version that plays in a lane."""
        return self._versions[lane.version].label

    def start(self, lanes: Iterable[Lane] | None = None) -> None:
        """Start all of them, or these. Raises SandboxError."""
        for lane in list(self._secrets if lanes is None else lanes):
            self._launch(lane)

    def restart_dead(self) -> list[Lane]:
        """Start again what has died; return the lanes that died too often and stay dead."""
        given_up = []
        for lane, process in list(self._running.items()):
            status = process.poll()
            if status is None:
                continue
            deaths = self._deaths[lane] = self._deaths.get(lane, 0) + 1
            if deaths > RESTARTS:
                given_up.append(lane)
                continue
            label = self._versions[lane.version].label
            log.info("bot process ended", bot=label, status=status, deaths=deaths)
            self._launch(lane)
        return given_up

    def ended(self, version: int) -> int | None:
        """Return the exit status of a process of a version that has ended, None while all run."""
        for lane, process in list(self._running.items()):
            if lane.version == version and (status := process.poll()) is not None:
                return status
        return None

    def tail(self, version: int) -> str:
        """Return the end of what the processes of a version wrote, those with most of it first."""
        texts = []
        for lane in list(self._secrets):
            if lane.version == version:
                try:
                    texts.append(self._output(lane).read_text(errors="replace"))
                except OSError:
                    continue
        return max(texts, key=len, default="")[-TAIL:]

    def stop(self) -> None:
        """Kill all of them with everything they started, and wait until they are gone."""
        for process in self._running.values():  # all die at the same time, not one by one
            process.strike()
        for process in self._running.values():
            process.kill()
        self._running.clear()
        shutil.rmtree(self._folder, ignore_errors=True)

    def _output(self, lane: Lane) -> Path:
        return self._folder / f"{lane.version}-{lane.lane}-{lane.seat}.log"

    def _environment(self, lane: Lane) -> dict[str, str]:
        seed = self._seeds.get(lane.version)
        return {"KIBITZ_TOKEN": self._secrets[lane], **({"KIBITZ_SEED": seed} if seed else {})}

    def _launch(self, lane: Lane) -> None:
        version = self._versions[lane.version]
        trusted = version.kind is BotKind.HOUSE
        bare = trusted or (self._given.trust and not self._given.layer.safe)
        self._running[lane] = launch(
            version.command,
            layer=BARE if bare else self._given.layer,
            bot_dir=version.folder,
            referee_socket=self._given.socket,
            env=self._environment(lane),
            limits=self._given.limits,
            stderr_path=self._output(lane),
            bare=bare,
        )

"""The formats of tournaments: one file each, all of one shape (see `shape.py`)."""

from kibitz_worker.schedule.formats.gauntlet import Gauntlet
from kibitz_worker.schedule.formats.halving import Halving, climbers
from kibitz_worker.schedule.formats.individual import Individual
from kibitz_worker.schedule.formats.knockout import Bout, Knockout
from kibitz_worker.schedule.formats.ladder import Ladder
from kibitz_worker.schedule.formats.naming import FORMATS, format_named, format_options
from kibitz_worker.schedule.formats.placings import Placing, Stop, placings
from kibitz_worker.schedule.formats.round_robin import RoundRobin
from kibitz_worker.schedule.formats.shape import (
    Format,
    FormatError,
    Meeting,
    Over,
    Play,
    SetResult,
    Situation,
    Size,
    Step,
    Table,
    Wait,
)
from kibitz_worker.schedule.formats.swiss import Swiss, byes, swiss_points
from kibitz_worker.schedule.formats.versus import Versus, comparisons

__all__ = [
    "FORMATS",
    "Bout",
    "Format",
    "FormatError",
    "Gauntlet",
    "Halving",
    "Individual",
    "Knockout",
    "Ladder",
    "Meeting",
    "Over",
    "Placing",
    "Play",
    "RoundRobin",
    "SetResult",
    "Situation",
    "Size",
    "Step",
    "Stop",
    "Swiss",
    "Table",
    "Versus",
    "Wait",
    "byes",
    "climbers",
    "comparisons",
    "format_named",
    "format_options",
    "placings",
    "swiss_points",
]

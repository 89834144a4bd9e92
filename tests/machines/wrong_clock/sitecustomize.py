"""Sets the clock of every Python process that finds this folder on its path, and no stopwatch.

Ahead, never behind: gRPC reckons its deadlines by this clock and keeps them by that of the system.
"""

import os
from datetime import UTC, datetime, timedelta

import time_machine

ahead = timedelta(seconds=int(os.environ["SECONDS_AHEAD"]))
time_machine.travel(datetime.now(UTC) + ahead, tick=True).start()

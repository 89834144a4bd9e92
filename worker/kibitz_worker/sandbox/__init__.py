"""Running bots of strangers without danger.

    layer = probe()                       # once when the worker starts: really attacks, takes a
    second if not layer.safe: ...                # submitted bots are refused, `layer.reason` says
    why bot = launch(
        [sys.executable, "-m", "kibitz.bots", str(folder)],
        layer=layer, bot_dir=folder, referee_socket=settings.referee_socket,
        env={"KIBITZ_TOKEN": token}, stderr_path=attempt_folder / "lane-0.log",
    )
    bot.poll(); bot.kill(); bot.output.read_text(errors="replace")

`probe` finds the best layer: `strict` (bubblewrap with a system call filter) or `landlock` (the
same filter without namespaces); both work as root, who gives each bot a user of its own, and as an
ordinary user. A bot is one process with threads; it reads the system, Python and its own folder,
writes to a small private /tmp (nowhere in `landlock`) and talks to the referee's socket and nobody
else. `launch` may be called from any thread. All bots die with the process that launched them, even
by kill -9, so launch where the match is awaited. With the layer `none`, `launch(..., bare=True)`
runs bots that the operator has named himself or that ship with `kibitz`. A `Layer` is JSON
(`to_json`, `from_json`): probe in the parent, hand it to jobs.
"""

from kibitz_worker.sandbox.errors import SandboxError
from kibitz_worker.sandbox.launch import launch
from kibitz_worker.sandbox.layer import Layer
from kibitz_worker.sandbox.limits import MEBIBYTE, Limits
from kibitz_worker.sandbox.probe import probe
from kibitz_worker.sandbox.process import Process
from kibitz_worker.sandbox.siege import Outcome, besiege

__all__ = [
    "MEBIBYTE",
    "Layer",
    "Limits",
    "Outcome",
    "Process",
    "SandboxError",
    "besiege",
    "launch",
    "probe",
]

"""``python -m kibitz.bots BOT`` plays a bot as a process of its own, for a referee or right here.

``BOT`` is anything ``kibitz.loading.load_bot`` takes; ``KIBITZ_ADDRESS`` and ``KIBITZ_TOKEN`` say
where the referee is and who the bot is.
"""

import os
import sys
from collections.abc import Callable
from pathlib import Path

from kibitz.bot import run
from kibitz.errors import BotError, KibitzError
from kibitz.loading import load_bot
from kibitz.manifest import FILE, Manifest


def main(arguments: list[str], found: Callable[[], object] = lambda: None) -> int:
    """Play the bot named by the only argument, of which `found` is told; return the exit code."""
    if len(arguments) != 1:
        print("usage: python -m kibitz.bots BOT", file=sys.stderr)
        return 2
    try:
        folder = Path(arguments[0])
        command = Manifest.read(folder).command if (folder / FILE).is_file() else ()
        if command:
            found()
            os.chdir(folder)
            os.execvp(command[0], command)  # noqa: S606 (the author's own program, no shell)
        bot = load_bot(arguments[0])
        found()
        run(bot)
    except KibitzError as error:
        if isinstance(error, BotError) and error.traceback:
            print(error.traceback, end="", file=sys.stderr)
        print(f"kibitz: {error}", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"kibitz: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

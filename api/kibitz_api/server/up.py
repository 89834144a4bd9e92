"""`kibitz-server up`: everything in one process tree."""

from collections.abc import Callable

from kibitz_worker.settings import Settings

from kibitz_api.server.choices import say
from kibitz_api.server.installation import Installation
from kibitz_api.server.owner import how_to_log_in


def run(settings: Settings) -> None:
    """Run until Ctrl-C or SIGTERM. Raises ServerError or WorkerError when it cannot."""
    server = Installation(settings, say, move=False)
    say(f"Starting Kibitz on {settings.data_dir} ...")
    server.run(lambda: ready(server))
    say("Stopped. Start again to go on where this stopped.")


def ready(server: Installation) -> Callable[[], None]:
    """Say where everything is."""
    settings = server.settings
    say(f"Dashboard:\n\n  {server.url}\n")
    if settings.referee_listen:
        say(f"Bots that run elsewhere connect to {settings.referee_listen}")
    say(how_to_log_in(server.url, settings.data_dir))
    say(f"Logs are in {settings.data_dir / 'logs'}")
    say("Ctrl-C stops it.")
    return lambda: None

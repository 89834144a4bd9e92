"""`kibitz-server`: a whole server in one process tree, a demo of it, and each part alone."""

from kibitz_api.server.commands import app

__all__ = ["app"]

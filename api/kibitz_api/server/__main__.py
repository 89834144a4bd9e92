"""`python -m kibitz_api.server`: the same as `kibitz-server`."""

from kibitz_api.server.commands import app

app(prog_name="kibitz-server")

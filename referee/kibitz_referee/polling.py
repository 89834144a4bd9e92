"""How gRPC waits for what comes in. Nothing here may load gRPC: it reads its settings once."""

import os

EXPERIMENTS = "-event_engine_listener"
"""gRPC's polling by the thread that reads costs half of what its own threads for events do; a
version of gRPC without this switch ignores it."""


def choose() -> None:
    """Have gRPC poll in the way that costs least, unless the environment says how it should."""
    os.environ.setdefault("GRPC_EXPERIMENTS", EXPERIMENTS)

"""What both ends of a connection must agree on: versions, keepalive, sizes."""

PROTOCOL = 1
"""Version of the protocol; it changes when old bots could no longer play."""

RULES = 1
"""Version of the rules; it changes when a game's actions or events change their meaning."""

MAX_REQUEST_BYTES = 1 << 20
"""The largest message the referee takes from a bot."""

MAX_RESPONSE_BYTES = 16 << 20
"""The largest message a bot takes from the referee."""

REASON_KEY = "kibitz-reason"
"""The trailing metadata key that holds the machine-readable reason of a refusal."""

CHANNEL: list[tuple[str, int]] = [
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    ("grpc.max_receive_message_length", MAX_RESPONSE_BYTES),
    ("grpc.initial_reconnect_backoff_ms", 100),
    ("grpc.max_reconnect_backoff_ms", 2_000),
    ("grpc.enable_retries", 0),
]
"""Options of a bot's channel."""

SERVER: list[tuple[str, int]] = [
    ("grpc.keepalive_time_ms", 20_000),
    ("grpc.keepalive_timeout_ms", 10_000),
    ("grpc.keepalive_permit_without_calls", 1),
    ("grpc.http2.max_pings_without_data", 0),
    # The channel pings every 20 s; a server that thinks 10 s too often would send it away.
    ("grpc.http2.min_ping_interval_without_data_ms", 10_000),
    ("grpc.http2.max_ping_strikes", 3),
    ("grpc.max_receive_message_length", MAX_REQUEST_BYTES),
    ("grpc.so_reuseport", 0),
]
"""Options of the referee's server for bots."""

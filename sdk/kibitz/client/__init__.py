"""Connect a bot to a referee: :func:`serve`.

Importing this module imports grpc; ``import kibitz`` alone does not.
"""

import os

# Before gRPC is loaded. What it logs by itself holds bytes of the server as they came, and says
# nothing that the client does not say.
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

from kibitz.client.errors import ClientError, NonsenseError, RefusedError, UnreachableError
from kibitz.client.serving import serve

__all__ = ["ClientError", "NonsenseError", "RefusedError", "UnreachableError", "serve"]

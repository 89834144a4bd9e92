"""Connect a bot to a referee: :func:`serve`.

Importing this module imports grpc; ``import kibitz`` alone does not.
"""

from kibitz.client.errors import ClientError, RefusedError, UnreachableError
from kibitz.client.serving import serve

__all__ = ["ClientError", "RefusedError", "UnreachableError", "serve"]

import os

from kibitz_referee import polling

# Both before gRPC is loaded. What it logs itself holds bytes of strangers as they came, who could
# forge lines of the log.
polling.choose()
os.environ.setdefault("GRPC_VERBOSITY", "NONE")

from kibitz_referee.main import main  # noqa: E402

if __name__ == "__main__":
    main()

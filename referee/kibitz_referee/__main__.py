import os

# Before gRPC is loaded. Its polling by the thread that reads costs half of what its own threads
# for events do; a version of gRPC without this switch ignores it.
os.environ.setdefault("GRPC_EXPERIMENTS", "-event_engine_listener")

from kibitz_referee.main import main

if __name__ == "__main__":
    main()

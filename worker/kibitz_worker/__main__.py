"""Runs a worker: ``python -m kibitz_worker``, settings from the environment."""

from kibitz_worker.main import main

if __name__ == "__main__":
    main()

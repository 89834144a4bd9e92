"""The store: tables, engine and the functions that keep its rules."""

from kibitz_worker.store.store import Store, open_store, prepare_folder

__all__ = ["Store", "open_store", "prepare_folder"]

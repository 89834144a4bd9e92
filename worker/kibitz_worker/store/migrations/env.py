"""Runs the steps on the connection that the caller hands over."""

from alembic import context
from kibitz_worker.store.models import Table

connection = context.config.attributes["connection"]
context.configure(
    connection=connection,
    target_metadata=Table.metadata,
    render_as_batch=True,
    compare_type=True,
    user_module_prefix="types.",
)
with context.begin_transaction():
    context.run_migrations()

"""The life of a unit of work in the database: due, leased, reported or given back."""

"""Rating results from files: CSV tables, records of matches, archives of both.

`kibitz rate FILE ...` (or `python -m kibitz_worker.ratings FILE ...`) does it from the shell;
`read_results` gives the sets to whoever wants them otherwise.
"""

from kibitz_worker.ratings.files.picture import draw
from kibitz_worker.ratings.files.reading import Results, read_results

__all__ = ["Results", "draw", "read_results"]

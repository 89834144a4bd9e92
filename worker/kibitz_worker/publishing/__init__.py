"""Publishing ratings: finished sets are read, rated, and written as snapshots with a history."""

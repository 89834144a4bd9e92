"""What happens inside a job: bots are started, a referee plays the sets, results are checked in."""

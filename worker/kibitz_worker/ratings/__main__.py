"""`python -m kibitz_worker.ratings FILE ...`: what `kibitz rate` runs."""

from kibitz_worker.ratings.files.command import main

if __name__ == "__main__":
    main()

from kibitz_referee.main import main

if __name__ == "__main__":
    main()

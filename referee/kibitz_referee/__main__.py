from kibitz_referee import polling

polling.choose()  # before gRPC is loaded

from kibitz_referee.main import main  # noqa: E402

if __name__ == "__main__":
    main()

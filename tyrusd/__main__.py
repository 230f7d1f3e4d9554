"""`python -m tyrusd` is the command `tyrusd`."""

from tyrusd.commands import main

if __name__ == "__main__":
    main()

"""`python -m tyrusd` and the command `tyrusd`; Ctrl-C is no traceback even while the commands are read."""


def main() -> None:
    """Run what was typed."""
    try:
        from tyrusd.commands import main as commands

        commands()
    except KeyboardInterrupt:
        raise SystemExit(130) from None


if __name__ == "__main__":
    main()

"""The bundled line-mode client for people."""


def main() -> None:
    """Run the command `tyrus`."""
    # The package is also imported for its parts, which need no command line.
    from tyrus_client.program import command

    command()

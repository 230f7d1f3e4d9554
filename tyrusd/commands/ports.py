"""Opens what `tyrusd serve` offers beside its own port: encrypted connections, metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tyrusd.commands.listening import open_port

if TYPE_CHECKING:
    from tyrusd.host.configuration.reading import Configuration
    from tyrusd.host.ports import Ports


def open_ports(config: Configuration) -> Ports:
    """The ports that a configuration asks for, which was checked."""
    from tyrusd.commands.running import usage
    from tyrusd.host.ports import Ports
    from tyrusd.host.tls import CertificateError, TlsPort

    metrics, tls = config["metrics.listen"], config["tls.listen"]
    port = None
    if tls is not None:
        try:
            # Secrets are safe there, so any address will do.
            port = TlsPort(open_port(tls, True, "--tls"), config["tls.certificate"], config["tls.key"])
        except CertificateError as error:  # it was another one when the configuration was checked
            usage(str(error))
    shown = [] if metrics is None else open_port(metrics, config["server.allow-plaintext"], "--metrics")
    return Ports(shown, port)

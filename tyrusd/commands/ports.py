"""Opens what `tyrusd serve` offers beside its own port: encrypted connections, metrics."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tyrusd.commands.listening import open_port

if TYPE_CHECKING:
    from tyrusd.host.configuration.reading import Configuration
    from tyrusd.host.ports import Ports


def open_ports(config: Configuration) -> Ports:
    """The ports that the configuration asks for; bad certificates and missing extras are told."""
    from tyrusd.commands.running import Missing, usage
    from tyrusd.host.ports import Ports
    from tyrusd.host.tls import CertificateError, TlsPort, server_context

    metrics, tls = config["metrics.listen"], config["tls.listen"]
    if metrics is not None:
        try:
            import prometheus_client  # noqa: F401 -- to know before a port is opened
        except ImportError as error:
            raise Missing("--metrics wants prometheus-client; install: pip install 'tyrusd[web]'") from error
    port = None
    if tls is not None:
        files = (config["tls.certificate"], config["tls.key"])
        try:
            server_context(*files)
            # Secrets are safe there, so any address will do.
            port = TlsPort(open_port(tls, True, "--tls"), *files)
        except CertificateError as error:
            usage(str(error))
    shown = [] if metrics is None else open_port(metrics, config["server.allow-plaintext"], "--metrics")
    return Ports(shown, port)

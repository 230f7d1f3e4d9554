"""Authorities, certificates and keys for tests, as files."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import trustme


class Files(NamedTuple):
    """certificate and key are those of the server; authority is what clients trust."""

    certificate: Path
    key: Path
    authority: Path

    def options(self) -> tuple[str, ...]:
        return ("--tls-cert", str(self.certificate), "--tls-key", str(self.key))


def issue(folder: Path, *names: str) -> Files:
    """Write files of a new authority and a certificate for these names, in place of older ones."""
    folder.mkdir(exist_ok=True)
    files = Files(folder / "chain.pem", folder / "key.pem", folder / "authority.pem")
    authority = trustme.CA()
    issued = authority.issue_cert(*(names or ("127.0.0.1", "localhost")))
    files.certificate.write_bytes(b"".join(blob.bytes() for blob in issued.cert_chain_pems))
    issued.private_key_pem.write_to_path(str(files.key))
    authority.cert_pem.write_to_path(str(files.authority))
    return files

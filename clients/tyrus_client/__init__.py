"""The bundled line-mode client for people."""

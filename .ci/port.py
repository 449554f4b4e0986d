"""Say so, and fail, unless the port given can be served on: port.py PORT."""

from __future__ import annotations

import os
import socket
import sys


def fault(port: str) -> str:
    """Return what stands against serving on *port*, or an empty string."""
    if not port.isascii() or not port.isdigit() or not 0 < int(port) < 65536:
        return f"PORT={port} is no port: 1 to 65535."
    try:
        socket.create_server(("127.0.0.1", int(port))).close()
    except OSError as error:
        return f"Port {port} cannot be used ({os.strerror(error.errno or 0)}): make run PORT=8001"
    return ""


if __name__ == "__main__":
    sys.exit(fault(sys.argv[1]) or None)

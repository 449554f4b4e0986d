"""Runs the measurements: ``python -m bench [assembly|page]``."""

from __future__ import annotations

import sys


def main(arguments: list[str]) -> int:
    """Measure what *arguments* name, or everything; return the exit status."""
    known = ("assembly", "page")
    if unknown := [name for name in arguments if name not in known]:
        sys.stderr.write(f"Unknown: {', '.join(unknown)}. Known: assembly, page.\n")
        return 2
    status = 0
    for name in arguments or known:
        if name == "assembly":
            from bench import assembly

            status |= assembly.main()
        else:
            from bench import page

            status |= page.main()
    return status


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

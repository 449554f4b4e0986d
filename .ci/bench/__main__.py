"""Runs the measurements: ``python -m bench [assembly|page|report]``."""

from __future__ import annotations

import sys


def main(arguments: list[str]) -> int:
    """Do what *arguments* name, or measure all; return the exit status."""
    from bench import assembly, page

    known = {
        "assembly": assembly.main,
        "page": page.main,
        # With the figures measured last, for a new explanation of them.
        "report": assembly.report,
    }
    if unknown := [name for name in arguments if name not in known]:
        sys.stderr.write(f"Unknown: {', '.join(unknown)}. Known: {', '.join(known)}.\n")
        return 2
    return max([known[name]() for name in arguments or ("assembly", "page")])


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))

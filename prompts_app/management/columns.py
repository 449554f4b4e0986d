"""Text in columns, for terminals."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from prompts_app.validation import in_a_line


def columns(rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """Yield *rows*, all of one length, with their cells one under another."""
    # Rows that somebody wrote by hand may have keys with line feeds and escapes.
    cells = [[in_a_line(str(cell)) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    for row in cells:
        padded = (cell.ljust(width) for cell, width in zip(row, widths, strict=True))
        yield "  ".join(padded).rstrip()

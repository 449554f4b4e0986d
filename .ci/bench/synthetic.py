"""Catalogues of any size, a tenth of each admitted; texts of any length."""

from __future__ import annotations

from prompts_app import Fragment, Group, Variable
from prompts_app.syntax import CLOSING_MARKER, OPENING_MARKER

GROUP = Group("many", label="Many", order=10, role="preamble")
VARIABLES = (
    *(Variable(name, label=name) for name in ("given", "absent", "blank")),
    *(Variable(f"value{number}", label="A value") for number in range(10)),
    Variable("foreign", label="A stranger's", untrusted=True),
)
VALUES = {
    "given": "yes",
    "absent": "",
    **{f"value{number}": f"value number {number}" for number in range(10)},
}
FAMILIES = ("offered",)
SENTENCE = (
    "Name the source of every figure, say how old it is, and who vouches for it.\n"
)


def fragments(count: int) -> list[Fragment]:
    """Return *count* fragments of 400 characters, a tenth of which are admitted."""
    return [
        Fragment(
            f"many.f{number}",
            label=f"Text {number}",
            group="many",
            order=number,
            default=f"Text {number}, {{{{value{number % 10}}}}}.\n{SENTENCE * 5}",
            families=_families(number),
            requires=_requires(number),
        )
        for number in range(count)
    ]


def _families(number: int) -> tuple[str, ...]:
    """Return the gate of every other ten; the first fragment has none."""
    if number % 20 > 9 or not number:
        return ()
    return FAMILIES if number % 10 == 0 else ("other",)


def _requires(number: int) -> tuple[str, ...]:
    if number % 20 < 10:
        return ()
    return ("given",) if number % 10 == 0 else ("absent",)


def plain(length: int) -> str:
    """Return *length* characters of lines, with a reference in every third."""
    block = (
        f"{SENTENCE}{SENTENCE}Ask {{{{value3}}}} or {{{{value7}}}} where in doubt.\n"
    )
    return _cut(block, length)


def _cut(block: str, length: int) -> str:
    return (block * (length // len(block) + 1))[:length]


def fences(length: int) -> str:
    """Return fences inside fences inside fences."""
    depth = length // (len(OPENING_MARKER) + len(CLOSING_MARKER) + 2)
    return (
        f"{OPENING_MARKER}\n" * depth
        + "in the middle\n"
        + f"{CLOSING_MARKER}\n" * depth
    )


HOSTILE = {
    "`{{` again and again": lambda length: "x" + _cut("{{", length),
    "`{{{` again and again": lambda length: "x" + _cut("{{{", length),
    "`{{` and white space": lambda length: "x{{" + " " * length + "x",
    "references that nothing closes": lambda length: "x" + _cut("{{value1 {", length),
    "fences inside fences": fences,
    "a reference in every line": lambda length: _cut("{{value1}}\n", length),
    "a line that goes, again and again": lambda length: (
        "x" + _cut("\n{{blank}}", length)
    ),
    "a list": lambda length: _cut("- one\n", length),
}
"""Texts, by what is wrong with them."""
HOSTILE_VALUES = {
    "a value of backticks": lambda length: "`" * length,
    "a value of control characters": lambda length: "x" + "\x00\u202e" * (length // 2),
    "a value of references": lambda length: _cut("{{value1}}", length),
}
"""Values of an untrusted variable."""

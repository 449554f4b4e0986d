"""The tree of `translating` in the words of each template language, and as Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from bench.conditions import Condition, words
from bench.translating import If, Node, Ref, Text

Run = Sequence[Text | Ref]
Token = tuple[str, str]


def jinja(nodes: Iterable[Node]) -> str:
    """Return one Jinja2 template; it also serves where blocks are trimmed."""
    out = []
    for node in nodes:
        if isinstance(node, If):
            inner = jinja(node.nodes)
            out.append(f"{{% if {words(node.condition)} %}}{inner}{{% endif %}}")
        elif isinstance(node, Ref):
            out.append(f"{{{{ {node.name} }}}}")
        else:
            rest = node.text.lstrip("\n")
            # A constant is made one with the text when the template is compiled.
            feeds = r"\n" * (len(node.text) - len(rest))
            out.append((f'{{{{ "{feeds}" }}}}' if feeds else "") + rest)
    return "".join(out)


def django(nodes: Iterable[Node]) -> str:
    """Return one Django template."""
    out = []
    for node in nodes:
        if isinstance(node, If):
            inner = django(node.nodes)
            out.append(f"{{% if {words(node.condition)} %}}{inner}{{% endif %}}")
        else:
            out.append(
                node.text if isinstance(node, Text) else f"{{{{ {node.name} }}}}"
            )
    return "".join(out)


def mako(nodes: Iterable[Node]) -> str:
    """Return one Mako template."""
    out = []
    for node in nodes:
        if isinstance(node, If):
            inner = mako(node.nodes)
            out.append(f"\\\n% if {words(node.condition)}:\n{inner}\\\n% endif\n")
        elif isinstance(node, Ref):
            out.append(f"${{{node.name}}}")
        else:
            out.append(f"<%text>{node.text}</%text>")
    return "".join(out)


def mustache(nodes: Iterable[Node], flags: dict[Condition, str]) -> Iterator[Token]:
    """Return the tokens of one mustache template; *flags* names its conditions."""
    for node in nodes:
        if isinstance(node, If):
            name = flags.setdefault(node.condition, f"flag{len(flags)}")
            yield "section", name
            yield from mustache(node.nodes, flags)
            yield "end", name
        elif isinstance(node, Ref):
            yield "no escape", node.name
        else:
            yield "literal", node.text


def python(nodes: Iterable[Node], add: Callable[[Run], str], indent: int = 1) -> str:
    """Return statements: an ``if`` for each condition, what *add* gives for the rest."""
    lines: list[str] = []
    run: list[Text | Ref] = []
    space = "    " * indent
    for node in [*nodes, None]:
        if run and (node is None or isinstance(node, If)):
            lines.append(f"{space}{add(tuple(run))}")
            run = []
        if isinstance(node, If):
            lines.append(f"{space}if {words(node.condition)}:")
            lines.append(python(node.nodes, add, indent + 1))
        elif node is not None:
            run.append(node)
    return "\n".join(lines)


def f_string(run: Run) -> str:
    """Return the statement that adds *run* as an f-string."""
    return f"add(f{braces(run)!r})"


def braces(run: Run) -> str:
    """Return *run* with names in single braces."""
    return "".join(
        f"{{{node.name}}}"
        if isinstance(node, Ref)
        else node.text.replace("{", "{{").replace("}", "}}")
        for node in run
    )


def double_braces(run: Run) -> str:
    """Return *run* with names in double braces."""
    return "".join(
        f"{{{{{node.name}}}}}" if isinstance(node, Ref) else node.text for node in run
    )


def names_in(run: Run) -> list[str]:
    """Return the variables that *run* uses, once each."""
    return list(dict.fromkeys(node.name for node in run if isinstance(node, Ref)))

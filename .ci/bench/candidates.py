"""
Every other way to the same prompt: ``given -> text``, compiled here, outside of measures.

Where a library has no conditions, the generated function round it has the gates.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from bench import plainly, writing
from bench.conditions import Condition, words
from bench.translating import Node, translate
from prompts_app import Fragment

Render = Callable[[Mapping[str, Any]], str]
Parts = Sequence[tuple[Fragment, str]]
FACTS = ("families", "has_tools", "level")


@dataclass(frozen=True, slots=True)
class Other:
    """Another way to make the prompt, and where it decides what is in it."""

    name: str
    gates: str
    render: Render


def others(parts: Parts, names: Sequence[str]) -> list[Other]:
    """Return every candidate beside ours for *parts*; *names* are all variables."""
    nodes = translate(parts)
    return [
        Other("Jinja2, one template", "in the template", jinja(nodes)),
        Other("hand-written ifs and f-strings", "Python", by_hand(nodes, names)),
        Other("Mako", "in the template", mako(nodes)),
        Other("Django templates", "in the template", django(nodes)),
        Other("chevron", "Python, as flags", chevron(nodes, names)),
        Other("langchain-core", "Python", langchain(nodes, names)),
        Other("langfuse's compile", "Python", langfuse(nodes, names)),
        Other("banks, its cache empty", "in the template", banks(nodes, cache=False)),
        Other("banks, from its cache", "in the template", banks(nodes, cache=True)),
        Other("regular expression, per line", "Python", regular(parts)),
    ]


def environment() -> Any:
    """Return a Jinja2 that puts values in as they are."""
    from jinja2 import Environment

    return Environment(autoescape=False)  # noqa: S701  # a model reads a prompt, no browser does, and escaping would change its bytes


def jinja(nodes: Sequence[Node]) -> Render:
    """Return Jinja2's: one template, compiled, without escaping."""
    render: Render = environment().from_string(writing.jinja(nodes)).render
    return render


def compiled_anew(parts: Parts) -> Render:
    """Return Jinja2's way with texts that it has no template of: it compiles one."""
    source, compiler = writing.jinja(translate(parts)), environment()
    return lambda given: str(compiler.from_string(source).render(given))


def by_hand(nodes: Sequence[Node], names: Sequence[str]) -> Render:
    """Return what somebody would write without any library."""
    written = compiled(nodes, writing.f_string, (*names, *FACTS), {})
    return lambda given: written(**given)


def mako(nodes: Sequence[Node]) -> Render:
    """Return Mako's: one template, compiled, whose values are texts already."""
    from mako.template import Template

    template = Template(writing.mako(nodes), default_filters=[], enable_loop=False)  # noqa: S702  # Mako cannot know that a prompt is no page, and its filters would change the bytes
    return lambda given: str(template.render(**given))


def django(nodes: Sequence[Node]) -> Render:
    """Return Django's: one template, parsed, without escaping."""
    from django.template import Context, Engine

    template = Engine(autoescape=False).from_string(writing.django(nodes))
    return lambda given: str(template.render(Context(given, autoescape=False)))


def chevron(nodes: Sequence[Node], names: Sequence[str]) -> Render:
    """Return chevron's: tokens with a section for each flag that Python works out."""
    from chevron import render

    named: dict[Condition, str] = {}
    tokens = list(writing.mustache(nodes, named))
    told = ", ".join(f'"{name}": bool({words(c)})' for c, name in named.items())
    flags = function((*names, *FACTS), [f"    return {{{told}}}"], {})
    return lambda given: str(render(tokens, {**given, **flags(**given)}))


def langchain(nodes: Sequence[Node], names: Sequence[str]) -> Render:
    """Return langchain-core's: a prompt template for each run of text."""
    from langchain_core.prompts import PromptTemplate

    scope: dict[str, Any] = {}

    def add(run: writing.Run) -> str:
        name = f"template{len(scope)}"
        scope[name] = PromptTemplate.from_template(writing.braces(run))
        values = ", ".join(f"{used}={used}" for used in writing.names_in(run))
        return f"add({name}.format({values}))"

    written = compiled(nodes, add, (*names, *FACTS), scope)
    return lambda given: written(**given)


def langfuse(nodes: Sequence[Node], names: Sequence[str]) -> Render:
    """Return langfuse's: its own compile for each run of text."""
    from langfuse.model import TemplateParser

    scope: dict[str, Any] = {"compile_template": TemplateParser.compile_template}

    def add(run: writing.Run) -> str:
        name = f"text{len(scope)}"
        scope[name] = writing.double_braces(run)
        values = ", ".join(f'"{used}": {used}' for used in writing.names_in(run))
        return f"add(compile_template({name}, {{{values}}}))"

    written = compiled(nodes, add, (*names, *FACTS), scope)
    return lambda given: written(**given)


class NoCache:
    """A cache for banks that holds nothing."""

    def get(self, context: object) -> None:
        """Return that nothing is known of *context*."""

    def set(self, context: object, prompt: str) -> None:
        """Keep nothing."""

    def clear(self) -> None:
        """Do nothing."""


def banks(nodes: Sequence[Node], *, cache: bool) -> Render:
    """Return banks': one template, compiled; its cache knows whole prompts by values."""
    from banks import Prompt

    prompt = Prompt(writing.jinja(nodes), render_cache=None if cache else NoCache())
    return lambda given: prompt.text(dict(given))


def regular(parts: Parts) -> Render:
    """Return the plain reference, which prepares nothing."""
    return lambda given: plainly.prompt(parts, given)


def compiled(
    nodes: Sequence[Node],
    add: Callable[[writing.Run], str],
    names: Sequence[str],
    scope: dict[str, Any],
) -> Callable[..., str]:
    """Return a function of *names* with an ``if`` for each gate."""
    body = ["    parts = []", "    add = parts.append", writing.python(nodes, add)]
    return function(names, [*body, '    return "".join(parts)'], scope)


def function(
    names: Sequence[str], body: Sequence[str], scope: dict[str, Any]
) -> Callable[..., Any]:
    """Return a function with the parameters *names* and the lines of *body*."""
    source = "\n".join([f"def made(*, {', '.join(dict.fromkeys(names))}):", *body])
    exec(source, scope)  # noqa: S102  # the source is put together above, of the catalogue in this repository
    made: Callable[..., Any] = scope["made"]
    return made

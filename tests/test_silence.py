"""No text and no value shows where people look for something else."""

from __future__ import annotations

import logging

import pytest

from prompts_app.assembly import (
    Context,
    Draft,
    DraftSection,
    Entry,
    Lane,
    Origin,
    Section,
    Snapshot,
    build,
)
from prompts_app.assembly.forms import Weld
from prompts_app.assembly.shapes import Shape
from prompts_app.declarations import (
    Fragment,
    Group,
    Lifetime,
    Scenario,
    Tool,
    ToolSet,
    Variable,
)
from prompts_app.registry import Registry
from prompts_app.syntax import parse

SECRET = "tall grass"

fragment = Fragment(
    "core.a",
    label="A",
    group="core",
    default=f"{SECRET} {{{{who}}}}",
    hint=SECRET,
    requires=["who"],
)
scoped = Fragment("core.b", label="B", group="core", default=SECRET, provides="note")
group = Group("core", label="Core", order=1, role="preamble", description=SECRET)
tool = Tool("read", description=SECRET, parameters={"description": SECRET})
scenario = Scenario(
    "chat",
    label="Chat",
    variables={"who": SECRET},
    tools=[tool],
    authored=SECRET,
)


def provide(context):
    """Return a value that nobody but the prompt may see."""
    return SECRET


variable = Variable(
    "who", label="Who", description=SECRET, example=SECRET, provider=provide
)
snapshot = Snapshot({("", "core.a"): f"{SECRET} {{{{who}}}}"}, [("", scoped)])
context = Context(variables={"more": SECRET}, user=SECRET, extra=SECRET)


def registered():
    """Return a registry of all that has a text in it."""
    registry = Registry()
    registry.register(fragment, group, variable, scenario)
    registry.register_tools(lambda context: [tool])
    registry.register_hook(lambda draft, context: None)
    return registry


def made():
    """Return an assembly of all that has a text in it."""
    registry = registered()
    return build(registry.view((), snapshot.declarations), snapshot, context)


def inner_parts(assembly):
    """Return what an assembly is made of, as a debugger would show it."""
    plan, layout, account = assembly.frame.plan, assembly.layout, assembly._account
    patterns = [plan.pattern(number) for number in layout.forms]
    return [
        *(assembly.frame, assembly.frame.offer, plan, plan.first, layout, layout.text),
        *(account, account.values, account.clauses, account.lanes),
        *(*plan.pieces, *patterns, *layout.forms.values()),
        Shape(plan, assembly.frame.offer, {"who": SECRET}),
        Weld(0, 0, SECRET, 0, SECRET, SECRET, flat=None),
    ]


def shown():
    """Return everything whose repr somebody may see in a log or a traceback."""
    registry, assembly = registered(), made()
    section = DraftSection("core.a", SECRET, fragment=fragment)
    return [
        *(fragment, scoped, group, variable, tool, ToolSet([tool]), scenario),
        *(snapshot, snapshot.replace({"core.b": SECRET}), context, section),
        Draft([section], [tool], {"who": SECRET}),
        Section("core.a", SECRET, "core", Lifetime.CALL),
        Entry("core.a", "included", None, Origin("default"), SECRET, 9, Lifetime.CALL),
        Lane(SECRET, "0" * 16),
        *(registry, registry.view(), *registry.records("fragment")),
        *(*registry.records("scenario"), *registry.view().fragments),
        *(assembly, assembly.trace, assembly.sections, assembly.lanes),
        *(inner_parts(assembly), parse(f"a\n{SECRET} {{{{who}}}}")[1]),
    ]


def test_no_repr_shows_a_text_or_a_value():
    """Of declarations, texts in force, values, results and what is between them."""
    assert SECRET in made().text

    for one in shown():
        assert SECRET not in repr(one), type(one)


def test_an_assembly_shows_counts_only():
    """So that it can be logged by mistake."""
    assert repr(made()) == "<Assembly: 1 of 2 fragments, 21 characters, 1 tools>"


@pytest.mark.covers("W47")
def test_no_record_of_a_log_shows_a_value(caplog):
    """Neither its message nor anything it carries, whatever a provider raised."""

    def fail(context):
        raise ValueError(SECRET)

    registry = Registry()
    registry.register(fragment, group, Variable("who", label="Who", provider=fail))

    with caplog.at_level(logging.DEBUG):
        build(registry.view(), snapshot, context)

    (record,) = caplog.records
    for value in vars(record).values():
        assert SECRET not in repr(value)

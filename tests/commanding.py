"""What the tests of the command share: a small catalogue, and reading tables."""

from __future__ import annotations

import io

from django.core.management import call_command

from prompts_app import (
    Fragment,
    Group,
    Level,
    Lifetime,
    Scenario,
    Tool,
    Variable,
)

SEARCH = Tool("search", description="Searches.", parameters={}, family="web")
DECLARED = (
    Group("main", label="Main", order=2, role="preamble"),
    Group("first", label="First", order=1, role="task"),
    Group("seam", label="Seam", order=3, role="seam"),
    Variable(
        "name",
        label="The person",
        example="Ines",
        lifetime=Lifetime.CONVERSATION,
        untrusted=True,
    ),
    Variable("place", label="The place", example="Quay 4"),
    Fragment(
        "main.hello", label="Hello", group="main", default="Hello {{name}}{{at}}!"
    ),
    Fragment(
        "main.at", label="At", group="main", default=" at {{place}}", provides="at"
    ),
    Fragment(
        "main.search",
        label="Search",
        group="main",
        order=2,
        default="Use {{tool_names}}.",
        when_tools=True,
        families=("web",),
    ),
    Fragment("main.fixed", label="Fixed", group="main", default="Fixed.", order=3),
    Fragment(
        "main.lock", label="Lock", group="main", default="Safe.", order=4, locked=True
    ),
    Fragment(
        "first.task",
        label="Task",
        group="first",
        hint="The whole request.",
        default="About {{what}}.",
        order=9,
        level=Level.LEAN,
        lean_reason="It is short.",
        requires=("name",),
        must_mention=("what",),
        former_keys=("old.task",),
        priority=7,
    ),
    Fragment("seam.lead", label="Lead", group="seam", default="Mind this:"),
    Fragment("loose.end", label="Loose", group="loose", default="Loose."),
    Scenario("chat", label="Chat", variables={"name": "Jo"}, tools=(SEARCH,)),
    Scenario("own", label="Own", variables={}, authored="I am Acme."),
    Scenario("acme", label="Acme", scope="tenant.acme", level=Level.LEAN),
)


def run(*arguments):
    """Return what the command prints, and what it says beside it."""
    out, err = io.StringIO(), io.StringIO()
    call_command("prompts", *arguments, stdout=out, stderr=err)
    return out.getvalue(), err.getvalue()


def cells(text):
    """Return the cells of each line of a table."""
    return [
        [cell.strip() for cell in line.split("  ") if cell.strip()]
        for line in text.splitlines()
        if line
    ]


def row(text, key):
    """Return the cells beside *key*, in the first line that has any."""
    return next(line[1:] for line in cells(text) if line[0] == key)


def facts(text):
    """Return a table of two columns as a dict."""
    return {line[0]: line[1] for line in cells(text) if len(line) == 2}

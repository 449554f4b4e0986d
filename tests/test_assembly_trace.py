"""The account that an assembly gives of itself."""

from __future__ import annotations

import pytest

from prompts_app.assembly import DraftSection, Origin, Reason
from prompts_app.declarations import Lifetime
from tests.assembling import assemble, entry, fragment, hooked, registry_of


@pytest.mark.parametrize(
    ("reason", "sentence"),
    [
        (Reason("off"), "Switched off"),
        (Reason("when_tools", ("with",)), "Only with tools"),
        (Reason("when_tools", ("without",)), "Only without tools"),
        (
            Reason("families", ("web", "db")),
            "None of these tool families is offered: web, db",
        ),
        (Reason("level", ("lean",)), "Only at level lean"),
        (Reason("requires", ("a", "b")), "Blank: a, b"),
        (Reason("unless", ("a",)), "Not blank: a"),
        (Reason("empty"), "Rendered empty"),
        (Reason("limit", ("100",)), "Over the limit of 100"),
        (Reason("hook"), "Taken out by a hook"),
        (Reason("provider_failed", ("who",)), "The provider failed: who"),
    ],
)
def test_a_reason_is_a_sentence_in_english(reason, sentence):
    """Page and command translate it by its code and names."""
    assert str(reason) == sentence


@pytest.mark.covers("W37")
def test_the_trace_tells_of_every_fragment_that_was_asked_for():
    """In order, seam included, with what it contributes and how long that is."""
    registry = registry_of(
        fragment("core.a", " in {{x}} ", order=1),
        fragment("seam.s", "between", group="seam", order=2),
        fragment("core.b", "gated", when_tools=True, order=3),
        fragment("core.c", "clause", provides="note", order=4),
        fragment("core.d", "{{x}}", order=5),
        fragment("task.t", "another", group="tasks", order=6),
    )

    built = assemble(registry, variables={"x": ""}, overrides={"core.c": "mine"})

    assert [(one.key, one.outcome, one.text, one.length) for one in built.trace] == [
        ("core.a", "included", "in", 2),
        ("seam.s", "seam", "between", 7),
        ("core.b", "gated", "", 0),
        ("core.c", "provided", "mine", 4),
        ("core.d", "empty", "", 0),
    ]
    assert [tuple(one.origin) for one in built.trace if one.outcome == "provided"] == [
        ("override", "")
    ]
    assert [one.reason and one.reason.code for one in built.trace] == [
        *(None, None, "when_tools", None, "empty"),
    ]


def test_sections_are_what_is_in_the_text():
    """With group and lane, in order, and never blank."""
    registry = registry_of(
        fragment("core.a", "a{{x}}"),
        fragment("seam.s", "S", group="seam"),
        fragment("core.z", "{{x}}"),
    )

    (section,) = assemble(registry, variables={"x": ""}).sections

    assert (section.key, section.text, section.group) == ("core.a", "a", "core")
    assert section.lane is Lifetime.CALL


def test_trace_and_lanes_are_made_once():
    """Whoever looks twice sees the same objects."""
    built = assemble(registry_of(fragment()))

    assert built.trace is built.trace
    assert built.lanes is built.lanes
    assert built.sections is built.sections
    assert built.fingerprint == built.fingerprint


def test_notes_of_what_a_hook_rewrote_are_gone():
    """They were about a text that nobody sends."""
    registry = registry_of(fragment(former_keys=["core.old"]))
    hooked(registry, lambda draft: setattr(draft.sections[0], "text", "x"))

    built = assemble(registry, overrides={"core.old": "mine"})

    assert entry(built, "core.a").notes == ()
    assert entry(built, "core.a").origin == Origin("hook", "")


def test_a_hook_may_name_a_section_as_often_as_it_likes():
    """Each is told on its own."""
    registry = registry_of(fragment())
    hooked(
        registry,
        lambda draft: draft.sections.extend(
            [DraftSection("core.x", "1"), DraftSection("core.x", "2")]
        ),
    )

    built = assemble(registry)

    assert [(one.key, one.text) for one in built.trace] == [
        ("core.a", "A"),
        ("core.x", "1"),
        ("core.x", "2"),
    ]

"""The words in which people are told of fragments, reasons and faults."""

from __future__ import annotations

import pytest
from django.utils import translation

from prompts_app import Fragment, Level, Lifetime, wording
from prompts_app.assembly import Origin, Reason
from prompts_app.exceptions import Fault

REASONS = {
    Reason("off"): "Switched off",
    Reason("when_tools", ("with",)): "No tools",
    Reason("when_tools", ("without",)): "Tools are offered",
    Reason("families", ("agent",)): "No agent tools",
    Reason("families", ("agent", "web", "files")): "No agent, web or files tools",
    Reason("level", ("lean",)): "At the lean level only",
    Reason("level", ("detailed",)): "At the detailed level only",
    Reason("requires", ("plan", "day")): "Variable is blank: {{plan}}, {{day}}",
    Reason("unless", ("plan",)): "Variable has a value: {{plan}}",
    Reason("empty"): "Rendered empty",
    Reason("limit", ("12000",)): "Over the limit of 12,000",
    Reason("hook"): "Taken out by a hook",
    Reason("unbalanced_fence", ("3",)): "The level marker in line 3 has no partner",
    Reason("clause_in_clause", ("who",)): "A clause cannot hold a clause: {{who}}",
    Reason("provider_failed", ("x",)): "The value could not be found out: {{x}}",
    Reason("former_key", ("old.key",)): "Saved under an earlier key: old.key",
}
HEADINGS = {
    Reason("level", ("lean",)): "Other level",
    Reason("requires", ("plan", "day")): "Variable is blank",
    Reason("unless", ("plan",)): "Variable has a value",
    Reason("families", ("agent",)): "No agent tools",
    Reason("limit", ("12000",)): "Over the limit of 12,000",
    Reason("when_tools", ("with",)): "No tools",
}
FAULTS = {
    Fault(
        "unknown_fragment", "", "tool.foo", ""
    ): "There is no fragment tool.foo any more. Your text is below.",
    Fault(
        "locked", "", "core.a", ""
    ): "Locked by the software. You can read it, but not change it or switch it off.",
    Fault(
        "too_long", "", "core.a", "", {"length": 8412, "limit": 8000, "over": 412}
    ): "8,412 characters; at most 8,000 are allowed. Shorten it by 412.",
    Fault(
        "total_too_long", "", "", "", {"length": 61020, "limit": 60000}
    ): "All texts together would be 61,020 characters; at most 60,000 are allowed."
    " Nothing was saved.",
    Fault(
        "nul", "", "core.a", "", {"line": 3}
    ): "This text holds a character that cannot be stored (NUL, line 3).",
    Fault(
        "surrogate", "", "core.a", "", {"line": 1}
    ): "This text holds a character that cannot be stored (lone surrogate, line 1).",
    Fault(
        "unbalanced_fence", "", "core.a", "", {"line": 2, "opened": True}
    ): "The level marker in line 2 has no partner.",
    Fault(
        "must_mention", "", "core.a", "", {"variable": "question"}
    ): "The text no longer mentions {{question}}.",
    Fault(
        "conflict", "", "core.a", "", {"etag": "0123456789abcdef"}
    ): "Somebody else has saved this text since you opened it.",
}


@pytest.mark.parametrize(("reason", "text"), REASONS.items(), ids=str)
def test_a_reason_in_words(reason, text):
    """Each reason is a phrase that names what it is about."""
    assert wording.reason_text(reason) == text


@pytest.mark.parametrize(("reason", "heading"), HEADINGS.items(), ids=str)
def test_a_reason_as_a_heading(reason, heading):
    """What differs from fragment to fragment is left out, so that many share it."""
    assert wording.reason_heading(reason) == heading


def _fragment(**gates):
    return Fragment("core.a", label="A", group="core", default="Text.", **gates)


def test_a_fragment_without_gates_appears_always():
    """No condition is a phrase as well."""
    assert wording.gates_text(_fragment()) == ["Always"]


def test_every_gate_is_a_phrase_of_its_own():
    """The phrases follow the order in which gates are judged."""
    fragment = _fragment(
        when_tools=True,
        families=("agent", "web"),
        level=Level.DETAILED,
        requires=("plan", "user_name"),
        unless=("today",),
    )

    assert wording.gates_text(fragment) == [
        "When a tool is offered",
        "With agent or web tools",
        "At the detailed level only",
        "When {{plan}} has a value",
        "When {{user_name}} has a value",
        "When {{today}} is blank",
    ]


def test_a_clause_appears_where_it_is_named():
    """Its first condition is that a text uses its variable."""
    clause = _fragment(provides="who", when_tools=False)

    assert wording.gates_text(clause) == [
        "Where a text names {{who}}",
        "When no tool is offered",
    ]


def test_outcomes_origins_and_levels_in_words():
    """What became of a fragment, where its text is from, and how much coaching."""
    assert wording.outcome_text("gated") == "Left out"
    assert wording.origin_text(Origin("default")) == "Built-in"
    assert wording.origin_text(Origin("override", "tenant.a")) == "Changed for tenant.a"
    assert [wording.level_text(level) for level in Level] == ["Lean", "Detailed"]


def test_lifetimes_and_lanes_in_words():
    """From what never changes to what is new in every call."""
    assert [wording.lifetime_text(one) for one in Lifetime] == [
        "Never",
        "Per chat",
        "Every turn",
        "Every call",
    ]
    assert [wording.lane_text(one) for one in Lifetime] == [
        "same in every chat",
        "same within a chat",
        "new every turn",
        "new every call",
    ]


@pytest.mark.parametrize(
    ("fault", "text"), FAULTS.items(), ids=[fault.code for fault in FAULTS]
)
def test_a_fault_in_words(fault, text):
    """Each fault is a sentence with its figures, separated as the language does."""
    assert wording.fault_text(fault) == text


def test_numbers_follow_the_active_language():
    """The thousands are set apart as the reader expects."""
    with translation.override("de"):
        assert wording.number(12000) == "12.000"


def test_a_difference_bears_its_sign():
    """None is not worth a word."""
    assert [wording.signed(value) for value in (1200, -21, 0)] == [
        "+1,200",
        "\N{MINUS SIGN}21",
        "",
    ]

"""Which fragments a call asks for, and which text of each is in force."""

from __future__ import annotations

import pytest

from prompts_app.assembly import Snapshot, weld
from prompts_app.declarations import Group
from prompts_app.exceptions import UnknownFragment
from prompts_app.registry import Registry
from tests.assembling import (
    assemble,
    entry,
    fragment,
    outcomes,
    registry_of,
    text_of,
)

TENANT, AGENT = "tenant.acme", "agent.support"


def everything():
    """Return a registry with a fragment or two of each role."""
    return registry_of(
        fragment("core.a", "A", order=20),
        fragment("ctx.b", "B", group="core", order=10),
        fragment("seam.s", "S", group="seam"),
        fragment("seam.t", "T", group="seam", order=1),
        fragment("task.m", "M", group="tasks"),
        fragment("lost.x", "X", group="nowhere"),
    )


@pytest.mark.covers("L2", "L3", "L55", "L60")
@pytest.mark.parametrize(
    ("include", "text", "seam"),
    [
        (None, "B\n\nA", "S\n\nT"),
        ((), "", "S\n\nT"),
        (("core",), "B\n\nA", "S\n\nT"),
        (("core.a",), "A", "S\n\nT"),
        (("core.a", "core", "task.m"), "M\n\nB\n\nA", "S\n\nT"),
        (("tasks",), "M", "S\n\nT"),
        (("unknown",), "", "S\n\nT"),
        (("nowhere",), "X", "S\n\nT"),
        (("lost.x",), "X", "S\n\nT"),
        (("seam",), "S\n\nT", ""),
        (("seam.t",), "T", "S"),
    ],
)
def test_a_call_names_groups_and_fragments(include, text, seam):
    """All preamble groups without a word; a seam that is named goes into the text."""
    built = assemble(everything(), include=include)

    assert (built.text, built.seam) == (text, seam)
    assert str(built) == text


@pytest.mark.case(94)
def test_an_unknown_key_is_refused_with_near_misses():
    """Of what the chain of scopes sees."""
    registry = registry_of(fragment("core.style"))
    registry.register(fragment("core.stile"), scope=TENANT)

    with pytest.raises(UnknownFragment) as caught:
        assemble(registry, include=("core", "core.stil"))
    assert caught.value.near == ("core.style",)
    with pytest.raises(UnknownFragment) as caught:
        assemble(registry, include=("core.stil",), scope=TENANT)
    assert caught.value.near == ("core.stile", "core.style")


@pytest.mark.covers("L3")
@pytest.mark.parametrize(
    ("text", "seam", "authored", "joined"),
    [
        ("A", "S", "Mine.", "A\n\nS\n\nMine."),
        ("A", "", "Mine.", "A\n\nMine."),
        ("A", "S", "", "A"),
        ("A", "S", " \n", "A"),
        ("", "S", "Mine.", "Mine."),
        ("", "S", "", ""),
        ("- a", "- s", "- mine", "- a\n\n- s\n\n- mine"),
        ("A", "S", "  Mine.\n", "A\n\nS\n\n  Mine.\n"),
    ],
)
def test_the_seam_stands_between_the_prompt_and_an_authored_one(
    text, seam, authored, joined
):
    """It leads over from one to the other, so it needs both."""
    registry = registry_of(
        fragment(default=text), fragment("seam.s", seam, group="seam")
    )

    assert assemble(registry).join(authored) == joined


@pytest.mark.covers("D32", "L6", "W32")
def test_the_order_of_registration_does_not_matter():
    """Number, then key by code point."""
    some = [fragment(f"core.{key}", key, order=1) for key in ("a-b", "a0", "a_b", "ab")]

    texts = {text_of(*some), text_of(*reversed(some)), text_of(*some[2:], *some[:2])}

    assert texts == {"a-b\n\na0\n\na_b\n\nab"}


@pytest.mark.covers("L5", "L8")
def test_prefix_hint_and_label_are_for_people():
    """Only the group decides what is asked for, and only the text is sent."""
    one = fragment("task.a", "A", hint="A hint.", label="A label")

    assert text_of(one) == "A"


@pytest.mark.covers("L7")
def test_a_text_may_use_any_variable():
    """The documented ones restrict nothing, in a default or an override."""
    one = fragment(default="{{a}}", variables=["b"])
    given = {"a": "1", "b": "2", "c": "3"}

    assert text_of(one, variables=given) == "1"
    assert text_of(one, variables=given, overrides={"core.a": "{{c}}"}) == "3"


def layered(texts, **options):
    """Return text and origin of one fragment that two scopes declare anew."""
    registry = registry_of(fragment(default="g", **options))
    registry.register(fragment(default="a", **options), scope=AGENT)
    built = assemble(registry, overrides=Snapshot(texts), scope=(TENANT, AGENT))
    told = entry(built, "core.a")
    return told.text, tuple(told.origin), told.outcome


@pytest.mark.covers("W19")
@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ({}, ("a", ("default", AGENT), "included")),
        ({("", "core.a"): "G"}, ("a", ("default", AGENT), "included")),
        ({(TENANT, "core.a"): "T"}, ("a", ("default", AGENT), "included")),
        ({(AGENT, "core.a"): "N"}, ("N", ("override", AGENT), "included")),
        ({(AGENT, "core.a"): " "}, ("", ("override", AGENT), "off")),
        ({(AGENT, "core.old"): "O"}, ("O", ("override", AGENT), "included")),
        (
            {(AGENT, "core.old"): "O", (AGENT, "core.a"): "N"},
            ("N", ("override", AGENT), "included"),
        ),
    ],
)
def test_the_nearest_layer_with_a_text_counts(texts, expected):
    """In each layer the override, that of a former key, then the declaration."""
    assert layered(texts, former_keys=["core.old"]) == expected


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        ({}, ("g", ("default", ""))),
        ({("", "core.a"): "G"}, ("G", ("override", ""))),
        ({("", "core.a"): "G", (TENANT, "core.a"): "T"}, ("T", ("override", TENANT))),
        ({("", "core.a"): "G", (TENANT, "core.a"): ""}, ("", ("override", TENANT))),
        ({("", "core.a"): "", (TENANT, "core.a"): "T"}, ("T", ("override", TENANT))),
        ({("", "core.a"): "G", (TENANT, "core.old"): "O"}, ("O", ("override", TENANT))),
        ({("other.x", "core.a"): "X"}, ("g", ("default", ""))),
    ],
)
@pytest.mark.covers("L35", "W19")
def test_a_scope_need_not_declare_anything_to_have_a_text(texts, expected):
    """Its override is nearer than what stands beneath, a blank one included."""
    registry = registry_of(fragment(default="g", former_keys=["core.old"]))
    built = assemble(registry, overrides=Snapshot(texts), scope=(TENANT, AGENT))
    told = entry(built, "core.a")

    assert (told.text, tuple(told.origin)) == expected


def test_gates_order_and_group_are_those_of_the_nearest_declaration():
    """Also where the text is an override of it, or a farther layer's."""
    registry = registry_of(fragment(default="g", when_tools=True), fragment("core.b"))
    registry.register(fragment(default="t", order=5), scope=TENANT)
    texts = Snapshot({("", "core.a"): "G", (TENANT, "core.a"): "T"})

    assert assemble(registry, overrides=texts).text == "A"
    assert assemble(registry, overrides=texts, scope=TENANT).text == "A\n\nT"


def test_a_former_key_is_told_and_one_that_is_declared_again_does_not_count():
    """A rename and a reuse would otherwise share one text."""
    renamed = fragment(former_keys=["core.old", "core.older"])
    stored = {"core.older": "1", "core.old": "2"}
    registry = registry_of(renamed)

    built = assemble(registry, overrides=stored)
    assert built.text == "2"
    (note,) = entry(built, "core.a").notes
    assert str(note) == "The override is stored under core.old"
    registry.register(fragment("core.old", "own"))
    assert assemble(registry, overrides=stored).text == "1\n\n2"


@pytest.mark.covers("L32")
def test_a_sources_default_may_be_overridden_like_any_other():
    """The override outlives the row that the default came from."""
    source = Snapshot({("", "custom.x"): "mine"}, (("", fragment("custom.x", "row")),))
    registry = registry_of()

    assert assemble(registry, overrides=source).text == "mine"
    assert (
        assemble(registry, overrides=source.replace({"custom.x": None})).text == "row"
    )
    assert assemble(registry, overrides={"custom.x": "mine"}).text == ""


@pytest.mark.covers("L37")
def test_a_snapshot_is_a_value():
    """A changed copy leaves the first as it is, and what it was made of too."""
    texts = {("", "core.a"): "1"}
    first = Snapshot(texts, [("", fragment("core.c"))], version="v", degraded=True)
    texts["", "core.a"] = "2"

    second = first.replace({"core.b": "3", "core.a": None, "core.none": None})
    third = second.replace({"core.b": ""}, scope=TENANT)

    assert first.texts == {("", "core.a"): "1"}
    assert second.texts == {("", "core.b"): "3"}
    assert third.texts == {("", "core.b"): "3", (TENANT, "core.b"): ""}
    assert third.declarations == first.declarations
    assert (third.version, third.degraded) == ("", True)
    with pytest.raises(TypeError):
        first.texts["", "core.a"] = "2"
    assert hash(first) != hash(second)


def test_an_assembly_says_what_it_was_made_of():
    """The snapshot's version and state, the chain, and how much there is."""
    registry = registry_of(fragment("core.a", "one"), fragment("core.b", "{{x}}"))
    snapshot = Snapshot(version="v1", degraded=True)

    built = assemble(registry, overrides=snapshot, scope=(TENANT, AGENT))

    assert (built.version, built.degraded) == ("v1", True)
    assert built.scope == (TENANT, AGENT)
    assert repr(built) == "<Assembly: 2 of 2 fragments, 10 characters, 0 tools>"


@pytest.mark.covers("L57", "L58", "W13")
@pytest.mark.parametrize(
    ("texts", "welded"),
    [
        (["- a", "- b"], "- a\n- b"),
        (["a\n- b", "- c\nd", "- e"], "a\n- b\n- c\nd\n\n- e"),
        (["- a", "b", "- c"], "- a\n\nb\n\n- c"),
        (["  - a", "\t- b"], "  - a\n\t- b"),
        (["- - -", "- b"], "- - -\n- b"),
        (["---", "- b"], "---\n\n- b"),
        (["* a", "* b"], "* a\n\n* b"),
        (["1. a", "2. b"], "1. a\n\n2. b"),
        (["- a\n  wrapped", "- b"], "- a\n  wrapped\n\n- b"),
        (["-\ta", "- b"], "-\ta\n\n- b"),
        ([], ""),
        (["a"], "a"),
    ],
)
def test_list_items_meet_without_a_blank_line(texts, welded):
    """A line that begins with hyphen and space is an item, nothing else is."""
    assert weld(texts) == welded


@pytest.mark.covers("L57")
def test_a_list_goes_on_over_groups():
    """Trimmed texts are welded whatever their groups, kept-out ones left out."""
    registry = Registry()
    for key in ("core", "other"):
        registry.register(Group(key, label=key, order=1, role="preamble"))
    registry.register(
        fragment("core.a", "\n- a\n\n"),
        fragment("core.b", "gone", when_tools=True),
        fragment("other.c", "  - c", group="other"),
    )

    built = assemble(registry)

    assert built.text == "- a\n- c"
    assert outcomes(built)["core.b"] == "gated"

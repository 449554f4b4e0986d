"""What hooks may not change, and where it stands afterwards."""

from __future__ import annotations

import pytest
from hypothesis import given, strategies as st

from prompts_app.assembly import DraftSection, Snapshot, restore
from tests.assembling import (
    assemble,
    entry,
    fragment,
    hooked,
    outcomes,
    registry_of,
    tool,
)
from tests.reference_view import put_back

TENANT = "tenant.acme"


def letters(count):
    """Return so many fragments of one letter each."""
    return [fragment(f"core.{one}", one.upper()) for one in "abcdefgh"[:count]]


def shown(assembly):
    """Return the letters of the prompt, in order."""
    return assembly.text.replace("\n", "")


@pytest.mark.covers("D52", "D53", "W38")
@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (lambda s: s.pop(1), "ABCD"),
        (lambda s: setattr(s[1], "text", "x"), "ABCD"),
        (lambda s: s.append(DraftSection("core.b", "x")), "ABCD"),
        (lambda s: s.clear(), "B"),
        (lambda s: s.reverse(), "BDCA"),
        (lambda s: s.append(s.pop(1)), "ABCD"),
        (lambda s: s.__delitem__(slice(1, None)), "AB"),
        (lambda s: s.insert(2, DraftSection("core.x", "X")), "AXBCD"),
        (lambda s: (s.pop(2), s.pop(2), s.insert(0, DraftSection("x.x", "X"))), "XAB"),
    ],
)
def test_a_protected_section_is_as_it_was(change, expected):
    """Text, presence and place, whatever else a hook did."""
    registry = registry_of(*letters(4))
    registry.protect(["core.b"])
    hooked(registry, lambda draft: change(draft.sections))

    built = assemble(registry)

    assert shown(built) == expected
    assert entry(built, "core.b").origin == ("default", "")


@pytest.mark.covers("D52")
def test_absence_is_protected_too():
    """A name that nobody declared, or that is off, cannot be put in by a hook."""
    registry = registry_of(fragment("core.a"), fragment("core.off"))
    registry.protect(["core.off", "core.ghost"])
    hooked(
        registry,
        lambda draft: draft.sections.extend(
            [DraftSection("core.off", "X"), DraftSection("core.ghost", "Y")]
        ),
    )

    built = assemble(registry, overrides={"core.off": ""})

    assert built.text == "A"
    assert outcomes(built) == {"core.a": "included", "core.off": "off"}


@pytest.mark.covers("D51")
def test_a_scopes_protection_counts_in_its_chains_only():
    """Elsewhere hooks may do as they like."""
    registry = registry_of(*letters(2))
    registry.protect(["core.b"], scope=TENANT)
    hooked(registry, lambda draft: draft.sections.pop())

    assert shown(assemble(registry)) == "A"
    assert shown(assemble(registry, scope=TENANT)) == "AB"


@pytest.mark.covers("D52", "D80")
def test_a_locked_fragment_is_protected_and_reads_no_override():
    """In no scope, and not by a former key."""
    registry = registry_of(fragment(locked=True, former_keys=["core.old"]))
    hooked(registry, lambda draft: setattr(draft.sections[0], "text", "x"))
    stored = {("", "core.a"): "o", (TENANT, "core.a"): "", ("", "core.old"): "o"}
    snapshot = Snapshot(stored)

    for scope in ((), TENANT):
        built = assemble(registry, overrides=snapshot, scope=scope)
        assert built.text == "A"
        assert entry(built, "core.a").origin == ("default", "")


SCOPES = ((), TENANT, (), TENANT)


@pytest.mark.covers("D52", "D53")
def test_protected_tools_come_back_before_gates_look_at_them():
    """Definition, presence and place; what was never offered stays away."""
    registry = registry_of(fragment(families=["web"]))
    registry.protect(tools=["search", "ghost"])
    offered = [tool("read"), tool("search", "web"), tool("zoom")]
    hooked(
        registry,
        lambda draft: draft.tools.__setitem__(
            slice(None), [tool("zoom"), tool("ghost"), tool("search", "x")]
        ),
    )

    built = assemble(registry, tools=offered)

    assert built.tools == (offered[1], offered[2])
    assert built.text == "A"


@pytest.mark.covers("D52")
@pytest.mark.parametrize("with_hook", [False, True])
def test_doubles_of_a_protected_tool_are_one(with_hook):
    """Whether or not a hook is registered, one that does nothing included."""
    registry = registry_of()
    registry.protect(tools=["read"])
    if with_hook:
        hooked(registry, lambda draft: None)
    offered = [tool("read", "a"), tool("read", "b"), tool("zoom"), tool("zoom")]

    built = assemble(registry, tools=offered)

    assert built.tools == (offered[0], offered[2], offered[3])


def test_a_protection_of_one_scope_leaves_the_offers_of_others_alone():
    """Also where they offer the very same tools."""
    registry = registry_of()
    registry.protect(tools=["read"], scope=TENANT)
    offered = (tool("read", "a"), tool("read", "b"))

    counts = [len(assemble(registry, tools=offered, scope=s).tools) for s in SCOPES]

    assert counts == [2, 1, 2, 1]


class Item:
    """Something with a name, told from others of it by identity."""

    def __init__(self, name):
        self.name = name


some = st.lists(st.sampled_from("abcdef").map(Item), max_size=8)


@given(some, some, st.sets(st.sampled_from("abcdef")))
@pytest.mark.covers("D52", "D53")
def test_restoring_is_what_moving_one_by_one_gives(before, after, names):
    """For any lists, doubles included, protected names are as before, once."""
    after = after + before[::2]

    restored = restore(before, after, names, lambda item: item.name)

    assert restored == put_back(before, after, names, "name")
    kept = [item.name for item in restored if item.name in names]
    assert kept == list(dict.fromkeys(i.name for i in before if i.name in names))

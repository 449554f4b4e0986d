"""What protections take, and what they shut out."""

from __future__ import annotations

import pytest

from prompts_app import exceptions as errors
from prompts_app.assembly import Snapshot
from prompts_app.registry import Registry
from tests.assembling import assemble, fragment, registry_of, variable

TENANT, AGENT = "tenant.acme", "agent.support"


@pytest.mark.covers("D50", "D51")
def test_protections_add_up_and_a_scopes_counts_there_only():
    """A locked fragment is protected without a word, of the layer that is seen."""
    registry = registry_of(fragment("core.locked", locked=True), fragment("core.b"))
    registry.register(fragment("core.b", locked=True), scope=AGENT)
    registry.protect(["core.a", "core.a"], ["read"])
    registry.protect(["core.a", "core.unborn"])
    scoped = registry.protect(["core.t"], ["zoom"], scope=TENANT)

    plain = {"core.locked", "core.a", "core.unborn"}
    assert registry.view().protected == plain
    assert registry.view((AGENT,)).protected == plain | {"core.b"}
    assert registry.view((TENANT,)).protected == plain | {"core.t"}
    assert registry.view().protected_tools == {"read"}
    assert registry.view((TENANT,)).protected_tools == {"read", "zoom"}
    scoped.remove()
    assert registry.view((TENANT,)).protected == plain


@pytest.mark.covers("D54")
@pytest.mark.parametrize("locked", [False, True])
def test_a_global_protection_and_a_scopes_replacement_exclude_each_other(locked):
    """Whichever comes second is refused, and names every conflict."""

    def guard(registry):
        if locked:
            return registry.register(fragment(locked=True))
        return registry.protect(["core.a"])

    registry = Registry()
    registry.register(fragment(), scope=TENANT)
    registry.register(fragment(), scope=AGENT)
    with pytest.raises(errors.ProtectedFragment) as caught:
        guard(registry)
    assert caught.value.conflicts == ((AGENT, "core.a"), (TENANT, "core.a"))
    assert "core.a in scope 'agent.support', core.a in scope" in str(caught.value)

    registry = Registry()
    protection = guard(registry)
    with pytest.raises(errors.ProtectedFragment):
        registry.register(fragment(), scope=TENANT)
    protection.remove()
    registry.register(fragment(), scope=TENANT)


def test_every_global_protection_holds_in_every_scope():
    """One that was made earlier, for another fragment, holds as well as the last."""
    registry = Registry()
    registry.protect(["core.a"])
    registry.protect(["core.b"])

    with pytest.raises(errors.ProtectedFragment):
        registry.register(fragment("core.a"), scope=TENANT)


@pytest.mark.covers("D54")
def test_a_scopes_own_protection_and_tools_reserve_nothing():
    """A nearer scope may replace what a scope protects, and offer such a tool."""
    registry = registry_of(fragment())
    registry.protect(["core.a"], scope=TENANT)
    registry.protect(tools=["read"])

    registry.register(fragment(), scope=AGENT)
    registry.register(fragment(), scope=TENANT)
    registry.register_tools(lambda context: [], AGENT)

    assert "core.a" in registry.view((TENANT, AGENT)).protected


GLOBAL = ("", fragment(default="Locked", locked=True))
NEAR = (TENANT, fragment(default="Near"))


def seen_by(registry, declarations, scope=TENANT):
    """Return the text of *scope* and why claims of a source were lost."""
    snapshot = Snapshot({(TENANT, "core.a"): "Saved"}, declarations)
    view = registry.view((scope,), declarations)
    text = assemble(registry, overrides=snapshot, scope=scope).text
    return text, [(one.scope, one.reason) for one in view.lost_claims]


@pytest.mark.covers("D54")
@pytest.mark.parametrize("declarations", [(GLOBAL, NEAR), (NEAR, GLOBAL)])
def test_a_lock_of_a_source_holds_in_every_scope(declarations):
    """Whichever source is asked first; the scope's claim is lost, not the lock."""
    registry = registry_of()

    assert seen_by(registry, declarations) == ("Locked", [(TENANT, "protected")])
    assert seen_by(registry, declarations, AGENT)[0] == "Locked"
    assert "core.a" in registry.view((TENANT,), declarations).protected


def test_every_lock_of_a_source_holds():
    """The first of two as well as the last."""
    second = ("", fragment("core.b", locked=True))

    assert seen_by(registry_of(), (GLOBAL, second, NEAR))[1] == [(TENANT, "protected")]


def test_a_source_may_lock_beside_what_an_app_replaces():
    """That an app replaces another fragment in a scope is no hindrance."""
    registry = registry_of()
    registry.register(fragment("core.b"), scope=TENANT)

    assert seen_by(registry, (GLOBAL,)) == ("Locked\n\nA", [])


@pytest.mark.covers("D54")
def test_a_source_cannot_lock_what_an_app_replaces_in_a_scope():
    """The app was first: the lock is lost for everybody, and said so."""
    registry = registry_of()
    registration = registry.register(fragment(default="App"), scope=TENANT)
    plain = ("", fragment(default="Plain"))

    assert seen_by(registry, (GLOBAL,)) == ("Saved", [("", "replaced")])
    assert seen_by(registry, (GLOBAL,), AGENT)[0] == ""
    assert seen_by(registry, (GLOBAL, plain), AGENT) == ("Plain", [("", "replaced")])
    registration.remove()
    assert seen_by(registry, (GLOBAL,)) == ("Locked", [])


@pytest.mark.covers("D54")
def test_a_lock_that_is_lost_itself_protects_nothing():
    """Only the fragment that stands can be protected."""
    registry = registry_of(fragment(default="App"))

    text, lost = seen_by(registry, (GLOBAL, NEAR))

    assert (text, lost) == ("Saved", [("", "registered")])
    assert registry.view((), (GLOBAL, NEAR)).protected == set()


@pytest.mark.covers("D54")
def test_a_source_may_lock_for_one_scope():
    """Its lock counts there alone, and other kinds of declarations know none."""
    registry = registry_of()
    registry.register(variable("who"), scope=TENANT)
    registry.register(fragment(), scope=AGENT)
    own = (TENANT, fragment(default="Own", locked=True))
    declarations = (("", fragment()), own, ("", variable("who")))

    assert seen_by(registry, declarations) == ("Own", [])
    assert seen_by(registry, declarations, AGENT)[0] == "A"


@pytest.mark.covers("D50")
@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        ({}, errors.InvalidDeclaration, "protect: name at least one fragment or tool"),
        (
            {"fragments": [], "tools": ()},
            errors.InvalidDeclaration,
            "protect: name at least one fragment or tool",
        ),
        (
            {"fragments": ["core"]},
            errors.InvalidDeclaration,
            "protect: fragment 'core'",
        ),
        (
            {"fragments": [f"core.{'a' * 96}"]},
            errors.InvalidDeclaration,
            "protect: fragment has 101 characters; at most 100 are allowed",
        ),
        ({"tools": ["*"]}, errors.InvalidDeclaration, "protect: tool '*'"),
        ({"tools": ["a b"]}, errors.InvalidDeclaration, "protect: tool 'a b'"),
        ({"fragments": "core.a"}, TypeError, "fragments has to be a collection"),
        ({"tools": "read"}, TypeError, "tools has to be a collection"),
        ({"fragments": [None]}, TypeError, "fragments holds a NoneType"),
    ],
)
def test_a_protection_names_what_could_exist(arguments, error, message):
    """At least one name, and collections of texts only; the error says which."""
    with pytest.raises(error) as caught:
        Registry().protect(**arguments)

    assert str(caught.value).startswith(message)

"""What a chain of scopes sees of a registry, and what sources may claim."""

from __future__ import annotations

import pytest

from prompts_app.declarations import Group, Lifetime, Scenario, Scope
from prompts_app.registry import LostClaim, Registry
from tests.assembling import fragment, registry_of, variable

TENANT, AGENT = "tenant.acme", "agent.support"


def keys(view):
    """Return the keys a view sees, in order."""
    return [layered.key for layered in view.fragments]


@pytest.mark.covers("D21", "D22", "D25", "W19")
@pytest.mark.parametrize("scope_first", [False, True])
def test_a_scopes_declaration_replaces_the_global_one(scope_first):
    """Whatever was registered first; others never see it, and it leaves no trace."""
    registry = Registry()
    layers = ["", TENANT]
    for layer in reversed(layers) if scope_first else layers:
        registered = registry.register(
            fragment(default=f"of {layer}"),
            variable("who", lifetime=Lifetime.FIXED, description=layer),
            Group("core", label=layer or "global", order=1),
            scope=layer,
        )
        if layer:
            scoped = registered
    registry.register(fragment("core.z"), scope=TENANT)

    near, other = registry.view((TENANT,)), registry.view((AGENT,))

    assert near.by_key["core.a"].fragment.default == "of tenant.acme"
    assert near.variables["who"].description == TENANT
    assert near.groups["core"].label == TENANT
    assert keys(near) == ["core.a", "core.z"]
    assert other.by_key["core.a"].fragment.default == "of "
    assert keys(other) == ["core.a"]
    scoped.remove()
    assert registry.view((TENANT,)).by_key["core.a"].fragment.default == "of "


@pytest.mark.covers("D21", "D73")
def test_the_nearest_scope_of_a_chain_counts():
    """A chain goes from far to near, and every layer stays known."""
    registry = registry_of(fragment(default="g"))
    registry.register(fragment(default="t"), scope=TENANT)
    registry.register(fragment(default="a"), scope=AGENT)

    def seen(chain):
        layered = registry.view(chain).by_key["core.a"]
        return layered.fragment.default, [
            (scope, declared and declared.default) for scope, declared in layered.layers
        ]

    near = [(AGENT, "a"), (TENANT, "t"), ("", "g")]
    assert seen((TENANT, AGENT)) == ("a", near)
    assert seen((AGENT, TENANT)) == ("t", [near[1], near[0], near[2]])
    assert seen(("x.y",)) == ("g", [("x.y", None), ("", "g")])


def test_overrides_count_down_to_the_layer_that_declares_the_text():
    """What lies beneath it is another text's."""
    registry = registry_of(fragment(), fragment("core.b"))
    registry.register(fragment(), scope=TENANT)

    view = registry.view((TENANT, AGENT))

    assert view.by_key["core.a"].scopes == (AGENT, TENANT)
    assert view.by_key["core.b"].scopes == (AGENT, TENANT, "")


@pytest.mark.covers("D24", "D32", "L6")
def test_fragments_are_in_order_of_number_then_key():
    """Over all groups, with gaps to fit in, and a replacement by its own number."""
    registry = registry_of(
        fragment("core.b", order=10),
        fragment("ctx.a", order=430, group="context"),
        fragment("core.a_b", order=10),
        fragment("core.a-b", order=10),
        fragment("core.z", order=-100),
        fragment("task.mid", order=10.5, group="tasks"),
    )
    registry.register(fragment("core.z", order=500), scope=TENANT)

    assert keys(registry.view()) == [
        *("core.z", "core.a-b", "core.a_b", "core.b", "task.mid", "ctx.a"),
    ]
    assert keys(registry.view((TENANT,)))[-1] == "core.z"


@pytest.mark.covers("L2", "L33")
def test_groups_are_in_page_order_and_have_roles():
    """By number, then key; a group that nobody declares is a task."""
    registry = Registry()
    for key, order in (("tasks", 9), ("core", 1), ("b", 5), ("a", 5)):
        role = "preamble" if key == "core" else "task"
        registry.register(Group(key, label=key, order=order, role=role))
    registry.register(Group("core", label="core", order=20), scope=TENANT)

    assert list(registry.view().groups) == ["core", "a", "b", "tasks"]
    assert list(registry.view((TENANT,)).groups) == ["a", "b", "tasks", "core"]
    assert registry.view().role("core") == "preamble"
    assert registry.view((TENANT,)).role("core") == "task"
    assert registry.view().role("nobody") == "task"


def test_hooks_and_tool_providers_are_global_first_then_far_to_near():
    """Inside a layer in order of registration; other scopes' are left out."""
    registry = Registry()
    made = {}
    for scope in (AGENT, "", TENANT, "other.x", ""):
        made.setdefault(scope, []).append(lambda *call: None)
        registry.register_hook(made[scope][-1], scope)
        registry.register_tools(made[scope][-1], scope)

    view = registry.view((TENANT, AGENT))

    expected = [
        *(("", one) for one in made[""]),
        (TENANT, made[TENANT][0]),
        (AGENT, made[AGENT][0]),
    ]
    assert list(view.hooks) == list(view.tool_providers) == expected


def test_scopes_and_scenarios_are_seen_by_every_chain():
    """In order of registration."""
    registry = Registry()
    registry.register(Scope(TENANT, label="Acme"))
    registry.register(Scenario("b", label="B"), Scenario("a", label="A"))

    assert list(registry.view((AGENT,)).scenarios) == ["b", "a"]
    assert registry.view().scopes[TENANT].label == "Acme"


def test_a_view_is_remembered_until_something_changes():
    """The same object for the same chain and declarations, else a new one."""
    registry = registry_of(fragment())
    declared = (("", fragment("core.b")),)

    view = registry.view((TENANT,))
    assert registry.view((TENANT,)) is view
    assert registry.view((AGENT,)) is not view
    assert registry.view((TENANT,), declared) is not view
    assert registry.view((TENANT,), declared) is registry.view((TENANT,), declared)
    registry.register(variable("who"))
    assert registry.view((TENANT,)) is not view
    assert registry.view((TENANT,)).generation == registry.generation


def test_views_of_endless_scopes_do_not_pile_up():
    """Tenants come and go, memory stays."""
    registry = registry_of(fragment())

    for number in range(1000):
        assert registry.view((f"tenant.t{number}",)).chain == (f"tenant.t{number}",)

    assert len(registry._views) <= 256


@pytest.mark.case(56)
def test_equal_names_of_different_kinds_share_nothing():
    """Language 1, tenant 1 and fragment 1 are three things."""
    registry = registry_of(fragment("core.1"))
    registry.register(fragment("core.1", default="L"), scope="language.1")
    registry.register(fragment("core.1", default="T"), scope="tenant.1")

    seen = [
        registry.view(chain).by_key["core.1"].fragment.default
        for chain in ((), ("language.1",), ("tenant.1",))
    ]

    assert seen == ["A", "L", "T"]


def test_a_view_cannot_be_changed():
    """Its mappings are read-only."""
    view = registry_of(fragment()).view()

    for mapping in (view.by_key, view.variables, view.groups, view.clauses):
        with pytest.raises(TypeError):
            mapping["x"] = None


@pytest.mark.covers("L30", "L31")
def test_a_source_adds_what_nobody_else_declares():
    """A registered key beats it, the first claim stands, and each loss is noted."""
    registry = registry_of(fragment(default="registered"))
    registry.protect(["core.safe"])
    first, second = fragment("core.b", "first"), fragment("core.b", "second")
    declared = (
        ("", fragment(default="source")),
        ("", first),
        ("", second),
        (TENANT, fragment(default="of a tenant")),
        (TENANT, fragment("core.safe")),
        ("", fragment("core.safe")),
        ("", variable("lb")),
        ("", variable("who")),
        (TENANT, Scope(AGENT, label="A")),
        (TENANT, Scenario("chat", label="Chat")),
    )

    view = registry.view((TENANT,), declared)

    assert view.by_key["core.a"].fragment.default == "of a tenant"
    assert registry.view((), declared).by_key["core.a"].fragment.default == "registered"
    assert view.by_key["core.b"].fragment is first
    assert "who" in view.variables
    assert view.variables["lb"].lifetime is Lifetime.FIXED
    assert view.scopes == view.scenarios == {}
    assert view.lost_claims == (
        LostClaim("fragment", "", "core.a", "registered"),
        LostClaim("fragment", "", "core.b", "claimed"),
        LostClaim("fragment", TENANT, "core.safe", "protected"),
        LostClaim("variable", "", "lb", "reserved"),
        LostClaim("scope", TENANT, AGENT, "layer"),
        LostClaim("scenario", TENANT, "chat", "layer"),
    )


def test_the_registrys_own_variables_are_told_like_any_other():
    """What each is, what it may be worth, and how long it stays the same."""
    own = registry_of().view().variables

    assert {
        name: (one.label, one.description, one.example, one.lifetime)
        for name, one in own.items()
    } == {
        "lb": (
            "Two opening braces",
            "Writes {{ without starting a reference.",
            "{{",
            Lifetime.FIXED,
        ),
        "tool_names": (
            "Tools of this request",
            "Comma separated; blank without tools.",
            "",
            Lifetime.CONVERSATION,
        ),
    }

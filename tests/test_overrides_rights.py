"""Who may change which text, whichever way the change comes in."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied

from prompts_app import services
from prompts_app.declarations import Group, Scope
from prompts_app.overrides import rights
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory, UserFactory
from tests.storing import everything, rows

pytestmark = pytest.mark.django_db

CHANGE = "prompts_app.change_override"
OF_GROUP = "auth.edit_guarded"
OF_SCOPE = "auth.edit_tenant"


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare a plain and a guarded group, and a guarded scope."""
    registry.register(
        CORE,
        Group("guarded", label="Guarded", order=5, permission=OF_GROUP),
        Scope("tenant.guarded", label="Guarded", permission=OF_SCOPE),
        fragment("core.a", "Alpha"),
        fragment("core.guarded", "Guarded", group="guarded"),
        fragment("core.stray", "Stray", group="nowhere"),
    )
    kind = ContentType.objects.get_for_model(User)
    for name in (OF_GROUP, OF_SCOPE):
        codename = name.removeprefix("auth.")
        Permission.objects.create(codename=codename, content_type=kind, name=codename)
    return registry


def author(*permissions, **options):
    """Return a member of staff who holds just these permissions."""
    return UserFactory(permissions=permissions, **options)


WAYS = {
    "save": lambda key, **options: services.save({key: "Mine"}, **options),
    "save the default": lambda key, **options: services.save({key: "x"}, **options),
    "reset": lambda key, **options: services.reset([key], **options),
    "import": lambda key, scope="", **options: services.import_texts(
        {
            "format": 1,
            "texts": [{"scope": scope, "key": key, "text": "Mine", "default_text": ""}],
        },
        **options,
    ),
}
NOBODY = {
    "without rights": author,
    "who may only look": lambda: author("prompts_app.view_override"),
    "who may delete": lambda: author("prompts_app.delete_override"),
    "who may add": lambda: author("prompts_app.add_override"),
    "inactive": lambda: author(CHANGE, is_active=False),
    "inactive superuser": lambda: author(is_superuser=True, is_active=False),
    "anonymous": AnonymousUser,
}


@pytest.mark.case(74, 77, 81)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("who", NOBODY)
def test_nobody_changes_a_text_without_the_right(way, who):
    """Standard permissions alone decide, and a refusal leaves everything as it was."""
    OverrideFactory(key="core.a", text="Before")
    before = everything()

    with pytest.raises(PermissionDenied, match=CHANGE):
        WAYS[way]("core.a", author=NOBODY[who]())

    assert everything() == before


@pytest.mark.case(77, 81)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    "who",
    [
        lambda: author(CHANGE),
        lambda: author(CHANGE, is_staff=False),
        lambda: author(is_superuser=True),
        lambda: None,
    ],
)
def test_the_right_to_change_is_enough(way, who):
    """One permission lets a user in; code that acts for nobody is trusted."""
    OverrideFactory(key="core.a", text="Before")

    saved = WAYS[way]("core.a", author=who())

    assert saved.revision == 1


@pytest.mark.case(79)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("scope", "key", "permissions", "missing"),
    [
        ("", "core.guarded", (CHANGE,), OF_GROUP),
        ("", "core.guarded", (OF_GROUP,), CHANGE),
        ("", "core.guarded", (CHANGE, OF_SCOPE), OF_GROUP),
        ("", "core.guarded", (CHANGE, OF_GROUP), None),
        ("", "core.stray", (CHANGE,), None),
        ("tenant.guarded", "core.a", (CHANGE,), OF_SCOPE),
        ("tenant.guarded", "core.a", (OF_SCOPE,), CHANGE),
        ("tenant.guarded", "core.a", (CHANGE, OF_SCOPE), None),
        ("tenant.guarded", "core.guarded", (CHANGE, OF_SCOPE), OF_GROUP),
        ("tenant.guarded", "core.guarded", (CHANGE, OF_GROUP), OF_SCOPE),
        ("tenant.guarded", "core.guarded", (CHANGE, OF_GROUP, OF_SCOPE), None),
        ("tenant.undeclared", "core.a", (CHANGE,), None),
        ("tenant.undeclared", "core.guarded", (CHANGE,), OF_GROUP),
    ],
)
def test_groups_and_scopes_may_take_a_right_of_their_own(
    way, scope, key, permissions, missing
):
    """It is needed beside the right to change texts, not instead of it."""
    OverrideFactory(scope=scope, key=key, text="Before")
    user = author(*permissions)

    if missing is None:
        assert WAYS[way](key, scope=scope, author=user).revision == 1
    else:
        with pytest.raises(PermissionDenied, match=f"Missing permission: {missing}$"):
            WAYS[way](key, scope=scope, author=user)


def test_every_right_that_is_missing_is_named():
    """Who grants rights has to be asked once."""
    OverrideFactory(key="core.a", text="Before")

    with pytest.raises(PermissionDenied) as caught:
        services.save({"core.guarded": "Mine"}, scope="tenant.guarded", author=author())

    rights_ = f"{CHANGE}, {OF_SCOPE}, {OF_GROUP}"
    assert str(caught.value) == f"Missing permission: {rights_}"


def test_one_text_that_may_not_be_changed_keeps_the_whole_save_back():
    """A save is stored as a whole or not at all."""
    user = author(CHANGE)

    with pytest.raises(PermissionDenied):
        services.save({"core.a": "Mine", "core.guarded": "Mine"}, author=user)

    assert rows() == {}


@pytest.mark.parametrize(
    "change",
    [
        lambda user: services.save({"core.none": "x"}, author=user),
        lambda user: services.save({"core.a": "\0"}, author=user),
        lambda user: services.save(
            {"core.a": "x"}, based_on={"core.a": "0" * 16}, author=user
        ),
        lambda user: services.save({}, author=user),
        lambda user: services.reset([], author=user),
    ],
)
def test_a_missing_right_is_told_before_anything_else(change):
    """Who may not write learns nothing of what is stored or declared."""
    with pytest.raises(PermissionDenied):
        change(author())


def test_a_scope_may_put_a_fragment_under_another_group(declared):
    """The nearest declaration says whose right it takes."""
    declared.register(
        fragment("core.a", "Near", group="guarded"), scope="tenant.undeclared"
    )
    user = author(CHANGE)

    services.save({"core.a": "Mine"}, author=user)

    with pytest.raises(PermissionDenied, match=OF_GROUP):
        services.save({"core.a": "Mine"}, scope="tenant.undeclared", author=user)


def test_a_page_can_ask_beforehand():
    """The same rule says what to show as editable."""
    view = services.view_of("tenant.guarded")
    user = author(CHANGE, OF_SCOPE)

    assert rights.may_change(user, view, "tenant.guarded", "core.a")
    assert not rights.may_change(user, view, "tenant.guarded", "core.guarded")
    assert not rights.may_change(AnonymousUser(), view, "", "core.a")
    assert not rights.may_change(author(CHANGE), view, "tenant.guarded", "core.a")
    assert rights.needed(view, "", "core.none") == (CHANGE,)


def test_a_page_can_ask_whether_orphans_may_go():
    """Those of a scope take the right of the scope too."""
    view = services.view_of("tenant.guarded")
    pruner = author("prompts_app.delete_override")
    of_scope = author("prompts_app.delete_override", OF_SCOPE)

    assert rights.may_prune(of_scope, view, "tenant.guarded")
    assert rights.may_prune(pruner, services.view_of(), "")
    assert not rights.may_prune(pruner, view, "tenant.guarded")
    assert not rights.may_prune(author(OF_SCOPE), view, "tenant.guarded")

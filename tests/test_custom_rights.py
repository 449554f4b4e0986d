"""Who may see, make, change and delete rows, on every admin site."""

from __future__ import annotations

import pytest
from django.contrib import admin
from django.contrib.auth.models import Permission, User
from django.contrib.contenttypes.models import ContentType
from django.test import Client, RequestFactory
from django.urls import reverse

from prompts_app import Group, Scope, services
from prompts_app.contrib.custom.admin import CustomFragmentAdmin
from prompts_app.contrib.custom.forms import CustomFragmentForm
from prompts_app.contrib.custom.models import CustomFragment
from tests.assembling import CORE, fragment
from tests.factories import CustomFragmentFactory, UserFactory
from tests.test_custom_admin import address, errors_of, fields_of, page_of, values_of

pytestmark = pytest.mark.django_db

APP = "prompts_app_custom"
VIEW, ADD, CHANGE, DELETE = (
    f"{APP}.{verb}_customfragment" for verb in ("view", "add", "change", "delete")
)
OF_GROUP, OF_SCOPE = "auth.edit_guarded", "auth.edit_tenant"
SITES = ("admin", "ops")
NEW = {"label": "New", "key": "custom.new", "group": "core", "text": "New"}
BLANK = {"order": "0", "priority": "0"}


@pytest.fixture(autouse=True)
def declared(with_rows):
    """Declare a plain and a guarded group, a guarded scope, and what stands there."""
    with_rows.register(
        CORE,
        Group("guarded", label="Guarded", order=5, permission=OF_GROUP),
        Scope("tenant.guarded", label="Guarded tenant", permission=OF_SCOPE),
        fragment("guarded.a", group="guarded"),
    )
    kind = ContentType.objects.get_for_model(User)
    for name in (OF_GROUP, OF_SCOPE):
        codename = name.removeprefix("auth.")
        Permission.objects.create(codename=codename, content_type=kind, name=codename)
    return with_rows


def client_of(*permissions):
    """Return a client of a member of staff who holds just these permissions."""
    client = Client()
    client.force_login(UserFactory(permissions=permissions))
    return client


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize(
    ("permissions", "allowed"),
    [
        ((), set()),
        (("prompts_app.view_override", "prompts_app.change_override"), set()),
        ((VIEW,), {"changelist", "change", "history"}),
        ((ADD,), {"add"}),
        ((CHANGE,), {"changelist", "change", "history"}),
        ((VIEW, DELETE), {"changelist", "change", "history", "delete"}),
    ],
)
def test_each_view_takes_djangos_right(site, permissions, allowed):
    """The rights over texts open no row, and those over rows are kept apart."""
    row = CustomFragmentFactory()
    client = client_of(*permissions)
    places = {
        verb: address(
            verb, *(() if verb in ("changelist", "add") else (row.pk,)), site=site
        )
        for verb in ("changelist", "add", "change", "history", "delete")
    }

    found = {verb: client.get(place).status_code for verb, place in places.items()}

    assert found == {verb: 200 if verb in allowed else 403 for verb in places}


@pytest.mark.parametrize("site", SITES)
def test_who_may_only_look_changes_nothing(site):
    """There is no button, and a forged form is refused."""
    row = CustomFragmentFactory(requires=["who"])
    client = client_of(VIEW)

    page = page_of(client.get(address("change", row.pk, site=site)))
    forged = client.post(address("change", row.pk, site=site), NEW | BLANK)
    added = client.post(address("add", site=site), NEW | BLANK)
    deleted = client.post(address("delete", row.pk, site=site), {"post": "yes"})
    chosen = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    client.post(address("changelist", site=site), chosen)

    assert not page.has("textarea")
    assert not page.has("input", name="_save")
    assert [one.status_code for one in (forged, added, deleted)] == [403] * 3
    assert CustomFragment.objects.get().text == "Row"


@pytest.mark.parametrize("site", SITES)
def test_who_may_make_a_row_makes_it_on_any_site(site):
    """The rights are the same, and so is what comes of it."""
    client = client_of(ADD, VIEW)

    answer = client.post(address("add", site=site), NEW | BLANK)

    assert answer.url == address("changelist", site=site)
    assert services.assemble().text == "New"


GUARDED = {
    "group": {"group": "guarded"},
    "scope": {"scope": "tenant.guarded"},
    "key": {"key": "guarded.a", "scope": "tenant.x"},
}


@pytest.mark.parametrize("field", GUARDED)
def test_a_guarded_place_takes_its_own_right(field):
    """For a group, for a scope, and for a fragment that would be replaced."""
    typed = NEW | BLANK | GUARDED[field]
    right = OF_SCOPE if field == "scope" else OF_GROUP

    refused = errors_of(client_of(ADD).post(address("add"), typed))
    taken = client_of(ADD, VIEW, right).post(address("add"), typed)

    assert refused == {
        field: "Texts there may be changed with a right of their own only."
    }
    assert taken.status_code == 302
    assert CustomFragment.objects.count() == 1


@pytest.mark.parametrize("place", [{"group": "guarded"}, {"scope": "tenant.guarded"}])
def test_a_row_in_a_guarded_place_is_read_only_without_the_right(place):
    """It can be looked at, and neither changed, moved out nor deleted."""
    row = CustomFragmentFactory(key="custom.x", **place)
    client = client_of(VIEW, CHANGE, DELETE)
    form = address("change", row.pk)

    page = page_of(client.get(form))
    moved = client.post(form, NEW | BLANK)
    deleted = client.post(address("delete", row.pk), {"post": "yes"})
    chosen = {"action": "delete_selected", "_selected_action": [row.pk], "post": "yes"}
    client.post(address("changelist"), chosen)

    assert not page.has("textarea")
    assert (moved.status_code, deleted.status_code) == (403, 403)
    assert CustomFragment.objects.get().key == "custom.x"


@pytest.mark.parametrize("place", [{"group": "guarded"}, {"scope": "tenant.guarded"}])
def test_a_row_in_a_guarded_place_is_changed_with_the_right(place):
    """Its right comes on top of Django's."""
    row = CustomFragmentFactory(key="custom.x", **place)
    client = client_of(VIEW, CHANGE, DELETE, OF_GROUP, OF_SCOPE)
    form = address("change", row.pk)

    client.post(form, fields_of(page_of(client.get(form))) | {"text": "New"})
    text = CustomFragment.objects.get().text
    client.post(address("delete", row.pk), {"post": "yes"})

    assert text == "New"
    assert not CustomFragment.objects.exists()


@pytest.mark.parametrize("site", SITES)
def test_the_link_to_the_page_is_for_those_who_may_see_it(site):
    """It leads to the fragment's place, on the same site."""
    row = CustomFragmentFactory(key="custom.x", scope="tenant.x")
    changelist = reverse(f"{site}:prompts_app_override_changelist")
    place = f"{changelist}?scope=tenant.x&fragment=custom.x#custom.x"

    for view in (
        address("changelist", site=site),
        address("change", row.pk, site=site),
    ):
        seen = page_of(client_of(VIEW, "prompts_app.view_override").get(view))
        unseen = page_of(client_of(VIEW).get(view))
        assert seen.has("a", href=place)
        assert not unseen.has("a", href=place)


def test_a_site_without_the_page_has_no_link_to_it(superuser):
    """Rows can be registered on a site of their own."""
    alone = CustomFragmentAdmin(CustomFragment, admin.AdminSite(name="alone"))
    CustomFragmentFactory(key="custom.x")
    request = RequestFactory().get("/")
    request.user = superuser

    (row,) = alone.get_changelist_instance(request).result_list

    assert (alone.standing(row), alone.place(row)) == ("Counts", "")


def test_a_form_without_a_user_asks_for_no_right():
    """Other code may use it, and is trusted."""
    form = CustomFragmentForm(NEW | BLANK | GUARDED["group"])

    assert form.is_valid(), form.errors
    form.save()
    assert services.view_of().by_key["custom.new"].fragment.group == "guarded"


def test_a_box_without_a_tick_is_not_submitted():
    """The reader of forms, which the tests stand on, does as a browser does."""
    row = CustomFragmentFactory(locked=False, optional_lines=True)
    page = page_of(client_of(CHANGE).get(address("change", row.pk)))
    boxes = [page.one("input", name=name) for name in ("locked", "optional_lines")]

    assert [values_of(page, box) for box in boxes] == [[], ["on"]]

"""Who sees the page and who may change what on it, on every admin site."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission, User
from django.contrib.contenttypes.models import ContentType
from django.test import Client
from django.urls import reverse

from prompts_app.declarations import Group, Scope
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory, UserFactory
from tests.pages import Visitor, address
from tests.storing import everything, rows

pytestmark = pytest.mark.django_db

SITES = ("admin", "ops")
SEE = "prompts_app.view_override"
CHANGE = "prompts_app.change_override"
OF_GROUP = "auth.edit_guarded"
OF_SCOPE = "auth.edit_tenant"
VIEWS = ("changelist", "compare", "preview", "editors", "export", "import")


@pytest.fixture
def declared(registry):
    """Declare a plain, a guarded and a locked fragment, and a guarded scope."""
    registry.register(
        CORE,
        Group("guarded", label="Guarded", order=5, permission=OF_GROUP),
        Scope("tenant.guarded", label="Guarded tenant", permission=OF_SCOPE),
        fragment("core.a", "Alpha"),
        fragment("core.fixed", "Fixed", locked=True),
        fragment("core.guarded", "Guarded", group="guarded"),
    )
    kind = ContentType.objects.get_for_model(User)
    for name in (OF_GROUP, OF_SCOPE):
        codename = name.removeprefix("auth.")
        Permission.objects.create(codename=codename, content_type=kind, name=codename)
    return registry


def member(*permissions):
    """Return a member of staff who holds just these permissions."""
    return UserFactory(permissions=permissions)


def forge(user, key, text="Forged", scope="", site="admin"):
    """Return the answer to a save that no page offered *user*."""
    fields = {f"text:{key}": text, "scope": scope, "_save": ""}
    return Visitor(user, site).post(fields)


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("verb", VIEWS)
@pytest.mark.parametrize("method", ["get", "post"])
def test_who_is_not_signed_in_is_sent_to_that_sites_login(site, verb, method):
    """Each admin site asks at its own door, and comes back to what was asked for."""
    target = address(verb, site)

    answer = getattr(Client(), method)(target)

    assert answer.status_code == 302
    login, page = reverse(f"{site}:login"), address(site=site)
    assert answer.url.startswith(f"{login}?next={page}")


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("verb", VIEWS)
@pytest.mark.parametrize("method", ["get", "post"])
def test_staff_without_the_right_to_see_texts_is_turned_away(
    site, verb, method, stranger
):
    """Being staff opens no door by itself."""
    client = Client()
    client.force_login(stranger)

    answer = getattr(client, method)(address(verb, site))

    assert answer.status_code == 403


def test_staff_without_the_right_learns_of_no_row(stranger):
    """The address of a row is as closed as the page, whether or not the row is there."""
    row = OverrideFactory(key="core.today")
    client = Client()
    client.force_login(stranger)

    answers = [client.get(address("change", "admin", pk)) for pk in (row.pk, 0)]

    assert [answer.status_code for answer in answers] == [403, 403]


@pytest.mark.case(74, 81)
@pytest.mark.parametrize("site", SITES)
def test_a_viewer_reads_everything_and_is_offered_nothing_to_change(site, viewer):
    """Boxes are read-only, there is no save bar, and the page says so."""
    visitor = Visitor(viewer, site)

    page = visitor.open(fragment="core.today")

    assert page.box("core.today").raw.startswith("Today is {{today}}")
    assert all("readonly" in page.box(key).attributes for key in page.edited())
    assert "You can read these texts but not change them." in page.html
    assert not page.has("button", name="_save")
    assert not page.has("button", name="_restore")
    assert not page.has("button", name="_off")
    assert not page.has("button", data_insert=None)
    assert page.passages()["core.heading"] == "## How to work in this chat"


@pytest.mark.case(74)
@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("text", ["Forged", "", "## How to work in this chat"])
def test_a_forged_save_of_a_viewer_is_refused(site, text, viewer):
    """The right is checked where the write happens, whatever the text."""
    OverrideFactory(key="core.heading", text="Before")
    before = everything()

    answer = forge(viewer, "core.heading", text, site=site)

    assert answer.status_code == 403
    assert everything() == before


def test_a_forged_save_of_nothing_is_refused_too(viewer):
    """Who may not save may not press the button either."""
    assert Visitor(viewer).post({"_save": ""}).status_code == 403


def test_a_viewer_may_try_a_text_in_the_preview(viewer):
    """The preview asks for the right to see, since it stores nothing."""
    before = everything()

    page = Visitor(viewer).preview({"text:core.heading": "Mine"})

    assert page.passages()["core.heading"] == "Mine"
    assert everything() == before


@pytest.mark.case(81)
@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize(
    "make",
    [
        lambda: member(CHANGE),
        lambda: member(SEE, CHANGE),
        lambda: UserFactory(is_superuser=True),
    ],
)
def test_the_right_to_change_is_enough_to_see_and_to_save(site, make):
    """Standard permissions alone decide, on whichever site the page stands."""
    visitor = Visitor(make(), site)
    page = visitor.open(fragment="core.heading")

    page = visitor.save(page, {"text:core.heading": "## Mine"})

    assert rows() == {("", "core.heading"): "## Mine"}
    view = "fragment=core.heading&scenario=plain_chat&level=detailed#core.heading"
    assert visitor.answer.redirect_chain == [(f"{address(site=site)}?{view}", 302)]
    assert page.box("core.heading").raw == "## Mine"


@pytest.mark.case(79)
@pytest.mark.parametrize(
    ("user", "key", "scope", "may"),
    [
        ((SEE, CHANGE), "core.a", "", True),
        ((SEE, CHANGE), "core.guarded", "", False),
        ((SEE, OF_GROUP), "core.guarded", "", False),
        ((SEE, CHANGE, OF_GROUP), "core.guarded", "", True),
        ((SEE, CHANGE), "core.a", "tenant.guarded", False),
        ((SEE, CHANGE, OF_SCOPE), "core.a", "tenant.guarded", True),
        ((SEE, CHANGE, OF_SCOPE), "core.guarded", "tenant.guarded", False),
        ((SEE, CHANGE, OF_SCOPE, OF_GROUP), "core.guarded", "tenant.guarded", True),
        ((SEE, CHANGE), "core.a", "tenant.undeclared", True),
    ],
)
def test_groups_and_scopes_may_ask_for_a_right_of_their_own(
    user, key, scope, may, declared
):
    """Without it the text is read-only on the page, and a forged save is refused."""
    user = member(*user)

    page = Visitor(user).open(fragment=key, scope=scope)
    answer = forge(user, key, scope=scope)

    assert ("readonly" not in page.box(key).attributes) is may
    assert page.has("button", name="_off", value=key) is may
    assert ("You can read this text but not change it." in page.html) is not may
    assert (answer.status_code == 200) is may
    assert rows() == ({(scope, key): "Forged"} if may else {})


@pytest.mark.case(79)
def test_the_buttons_of_a_guarded_text_are_not_offered_elsewhere_either(declared):
    """The legend of a text that may not be changed offers no insertion."""
    declared.register(fragment("core.words", "{{tool_names}}", group="guarded"))

    page = Visitor(member(SEE, CHANGE)).open(fragment="core.words")
    editor = page.editor("core.words")
    assert page.one("code", editor, class_="prompts-variable").text == "{{tool_names}}"
    assert page.all("button", editor, data_insert=None) == []


def test_a_locked_text_is_read_only_for_everybody(declared, superuser):
    """The software keeps it; a forged save is answered with the reason."""
    page = Visitor(superuser).open(fragment="core.fixed")
    answer = forge(superuser, "core.fixed")

    said = (
        "Locked by the software. You can read it, but not change it or switch it off."
    )
    assert "readonly" in page.box("core.fixed").attributes
    assert said in page.editor("core.fixed").text
    assert "Locked" in page.row("core.fixed").text
    assert said in answer.content.decode()
    assert rows() == {}


@pytest.mark.parametrize("site", SITES)
def test_rows_can_neither_be_added_nor_deleted_singly(site, superuser):
    """Even a superuser is offered neither page: a text is saved and taken back here."""
    row = OverrideFactory(key="core.today")
    client = Client()
    client.force_login(superuser)

    add = client.get(address("add", site))
    delete = client.post(address("delete", site, row.pk), {"post": "yes"})
    action = client.post(
        address(site=site),
        {"action": "delete_selected", "_selected_action": row.pk, "post": "yes"},
    )

    assert (add.status_code, delete.status_code) == (403, 403)
    assert action.status_code == 200
    assert rows() == {("", "core.today"): "Stored"}

"""Who may review, decide and discard: those who may save, on every admin site."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Permission, User
from django.contrib.contenttypes.models import ContentType
from django.test import Client
from django.urls import reverse

from prompts_app import services
from prompts_app.declarations import Group, Scope
from tests.assembling import CORE, fragment
from tests.factories import UserFactory
from tests.pages import Visitor, address
from tests.storing import everything

pytestmark = pytest.mark.django_db

SITES = ("admin", "ops")
VERBS = ("review", "decide", "discard", "adopt")
SEE = "prompts_app.view_override"
CHANGE = "prompts_app.change_override"
OF_GROUP = "auth.edit_guarded"
OF_SCOPE = "auth.edit_tenant"


@pytest.fixture(autouse=True)
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


def client_of(user, **options):
    """Return a client that *user* is signed in with."""
    client = Client(**options)
    client.force_login(user)
    return client


TYPED = {"text:core.a": "Mine", "_decided": "core.a", "choice": "mine"}


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("verb", VERBS)
def test_who_is_not_signed_in_is_sent_to_that_sites_login(site, verb):
    """Each admin site asks at its own door."""
    target = address(verb, site)

    answer = Client().get(target)

    assert answer.status_code == 302
    assert answer.url == f"{reverse(f'{site}:login')}?next={target}"


@pytest.mark.case(74, 77)
@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("who", ["viewer", "stranger"])
def test_who_may_not_save_may_not_come_here(site, verb, who, request):
    """Seeing the texts is not enough, being staff even less."""
    client = client_of(request.getfixturevalue(who))
    before = everything()

    answer = client.post(address(verb, site), TYPED)

    assert answer.status_code == 403
    assert everything() == before


@pytest.mark.case(81)
@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("verb", VERBS)
def test_the_right_to_change_is_enough(site, verb):
    """Standard permissions alone decide, and every link stays on the site."""
    visitor = Visitor(UserFactory(permissions=[CHANGE]), site)

    answer = visitor.post(TYPED, verb)

    assert answer.status_code == 200
    (other,) = set(SITES) - {site}
    assert address(site=site) in answer.text
    assert address(site=other) not in answer.text


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("method", ["put", "patch", "delete", "options"])
def test_only_links_and_forms_are_answered(site, verb, method, editor):
    """Nothing else leads anywhere, and whoever tries is told what does."""
    answer = getattr(client_of(editor), method)(address(verb, site))

    assert answer.status_code == 405
    assert answer.headers["Allow"] == "GET, HEAD, POST"


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("verb", [*VERBS, "remove", "reload"])
@pytest.mark.parametrize("method", ["get", "head"])
@pytest.mark.parametrize("who", ["editor", "viewer"])
def test_a_link_to_a_step_leads_to_the_page(site, verb, method, who, request):
    """A page loaded anew by its address is no dead end; texts come by a form alone."""
    client = client_of(request.getfixturevalue(who))
    query = {"fragment": "core.a", "level": "lean", **TYPED}
    before = everything()

    answer = getattr(client, method)(address(verb, site), query)

    assert answer.status_code == 302
    assert answer.url == f"{address(site=site)}?fragment=core.a&level=lean#core.a"
    assert everything() == before


@pytest.mark.parametrize("verb", [*VERBS, "remove", "reload"])
def test_a_link_to_a_step_shows_nothing_to_a_stranger(verb, stranger):
    """Whoever may not see the page is not led there."""
    assert client_of(stranger).get(address(verb)).status_code == 403


@pytest.mark.parametrize("site", SITES)
@pytest.mark.parametrize("verb", VERBS)
def test_a_post_from_elsewhere_is_refused(site, verb, editor):
    """Without the token of the page nothing is answered."""
    client = client_of(editor, enforce_csrf_checks=True)

    assert client.post(address(verb, site), TYPED).status_code == 403


@pytest.mark.parametrize("site", SITES)
def test_every_page_between_typing_and_saving_carries_the_token(site, editor):
    """From one form to the next, with another's save in between."""
    visitor = Visitor(editor, site, enforce_csrf_checks=True)
    page = visitor.open(fragment="core.a")
    page = visitor.send(page, {"text:core.a": "Mine"}, "Discard changes…")
    page = visitor.send(page, press="Keep editing")
    services.save({"core.a": "Theirs"})
    page = visitor.review(page)
    page = visitor.send(page, {"choice": "mine"}, "Continue to review")

    visitor.send(page, press=("_save", ""))

    assert services.resolve("core.a") == "Mine"


@pytest.mark.case(79)
@pytest.mark.parametrize("verb", ["review", "decide"])
@pytest.mark.parametrize(
    ("permissions", "key", "scope", "may"),
    [
        ((SEE, CHANGE), "core.a", "", True),
        ((SEE, CHANGE), "core.guarded", "", False),
        ((SEE, OF_GROUP), "core.guarded", "", False),
        ((SEE, CHANGE, OF_GROUP), "core.guarded", "", True),
        ((SEE, CHANGE), "core.a", "tenant.guarded", False),
        ((SEE, CHANGE, OF_SCOPE), "core.a", "tenant.guarded", True),
        ((SEE, CHANGE, OF_GROUP), "core.guarded", "tenant.guarded", False),
        ((SEE, CHANGE, OF_SCOPE, OF_GROUP), "core.guarded", "tenant.guarded", True),
    ],
)
def test_groups_and_scopes_may_ask_for_a_right_of_their_own(
    verb, permissions, key, scope, may
):
    """One text that may not be changed is enough to refuse them all."""
    visitor = Visitor(UserFactory(permissions=permissions))
    texts = {f"text:{key}": "Mine", "text:core.a": "Mine"}

    answer = visitor.post({**texts, "scope": scope, "_decided": key}, verb)

    assert answer.status_code == (200 if may else 403)


@pytest.mark.case(77, 79)
def test_a_right_that_is_taken_during_the_review_stops_the_save(editor):
    """It is checked again where the write happens."""
    visitor = Visitor(editor)
    page = visitor.review(visitor.open(fragment="core.a"), {"text:core.a": "Mine"})
    editor.user_permissions.remove(Permission.objects.get(codename="change_override"))
    before = everything()

    answer = visitor.post({**page.fields(), "_save": ""})

    assert answer.status_code == 403
    assert everything() == before


def test_a_locked_text_leads_back_to_the_page_with_its_reason(editor):
    """A forged form is told why; the software keeps the text."""
    visitor = Visitor(editor)

    answer = visitor.post({"text:core.fixed": "Mine"}, "review")

    assert answer.status_code == 200
    assert "Locked by the software." in answer.text
    assert "1 text has to be corrected before it can be saved." in answer.text


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("scope", ["acme", "../x", "tenant.\0"])
def test_what_is_no_scope_is_a_bad_request(verb, scope, editor):
    """Guessing another would change the texts of the wrong layer."""
    answer = Visitor(editor).post({**TYPED, "scope": scope}, verb)

    assert answer.status_code == 400


GARBAGE = {
    "text:": "x",
    "text:core.a": "{{",
    "text:no such key": "x",
    "etag:core.a": "zz",
    "shown:core.a": "\ud7ff",
    "value:name": "\0",
    "level": "extreme",
    "scenario": "\0",
    "fragment": "../../etc",
    "state": "?",
    "confirm:core.a": "\0",
    "take": "\0",
    "reviewed": "?",
    "choice": "?",
    "settles": "?",
    "result": "\0",
    "_decided": "\0",
    "values_of": "?",
    "parts": "?",
}


@pytest.mark.parametrize("verb", VERBS)
@pytest.mark.parametrize("left_out", [(), ("text:", "text:no such key")])
def test_garbage_is_no_error(verb, left_out, editor):
    """Whatever is posted is answered, and nothing is written."""
    fields = {name: text for name, text in GARBAGE.items() if name not in left_out}
    before = everything()

    answer = Visitor(editor).post(fields, verb)

    assert answer.status_code == 200
    assert everything() == before

"""What nobody means to send, to every address: refused in words, and nothing done."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from hypothesis import HealthCheck, given, settings, strategies as st

from prompts_app import services
from prompts_app.contrib.custom.models import CustomFragment
from prompts_app.declarations import Group, Scenario, Variable
from tests.addresses import OF_APP, SITES, addresses
from tests.assembling import CORE, fragment
from tests.factories import CustomFragmentFactory, OverrideFactory, UserFactory
from tests.hostile import (
    BUTTONS,
    FORM,
    IDS,
    KEY,
    PLAIN,
    SECRET,
    VALUES,
    as_query,
    bodies,
    everything_at_once,
    giants,
    queries,
)
from tests.storing import everything
from tests.urls import ops

pytestmark = pytest.mark.django_db

SAFE, UNSAFE = ("GET", "HEAD", "OPTIONS", "TRACE"), ("POST", "PUT", "PATCH", "DELETE")
ADDRESSES = addresses()
OF_ONE_SITE = [one for one in ADDRESSES if one.site == "admin"]
QUERIES, BODIES = queries(), bodies()
FILTERS = (
    *(f"{name}=%00" for name in ("q", "key", "scope", "person", "kind", "group", "p")),
    *(f"{name}=%FF" for name in ("q", "key", "level", "when_tools", "o", "e", "all")),
    *("created_at__year=9999", "created_at__year=0", "created_at__month=1", "o=9.-9.."),
    "created_at__year=9999&created_at__month=12&created_at__day=31",
    "created_at__year=2026&created_at__month=13&created_at__day=x",
    "created_at__year=" + "9" * 2000,
    *("created_at__gte=9999-99-99", "p=" + "9" * 2000, "p=-1", "all=1&p=2"),
    *("changes__after=x", "author__password__startswith=a", "group__in=a,%00"),
)
TOLD = {400, 403, 404, 413}
"""Answers that say in words why."""
UNDERSTOOD = {200, 302, 405, *TOLD}
ALL = {
    *("prompts_app.view_override", "prompts_app.change_override"),
    *("prompts_app.delete_override", "prompts_app.view_revision"),
    *(
        f"prompts_app_custom.{verb}_customfragment"
        for verb in ("add", "change", "delete")
    ),
}

on_one_site = pytest.mark.parametrize("address", OF_ONE_SITE, ids=str)


@pytest.fixture(autouse=True)
def declared(with_rows):
    """Declare and store texts that hold a secret, in every state that there is."""
    with_rows.register(
        CORE,
        Group("guarded", label="Guarded", order=5, permission="auth.edit_guarded"),
        Variable("name", label="Name", example="Ada"),
        fragment(KEY, f"{SECRET} {{{{name}}}}", must_mention=("name",)),
        fragment("core.b", SECRET, locked=True),
        fragment("core.c", SECRET, group="guarded"),
        Scenario("plain", label="Plain", variables={"name": "Ada"}),
    )
    services.save({KEY: f"{SECRET}! {{{{name}}}}"})
    OverrideFactory(key="core.gone", text=SECRET, default_text=SECRET)
    CustomFragmentFactory(key="custom.row", text=SECRET, hint=SECRET)
    services.touch()


@pytest.fixture
def chief():
    """Return a client of somebody who may do everything."""
    client = Client(raise_request_exception=False)
    client.force_login(UserFactory(username="chief", is_superuser=True))
    return client


def of_site(site):
    """Return the addresses of one admin site."""
    return [one for one in ADDRESSES if one.site == site]


def kept():
    """Return all that could have been written."""
    rows = list(CustomFragment.objects.order_by("pk").values_list("pk", "key", "text"))
    return everything(), rows, LogEntry.objects.count()


def fault_of(answer):
    """Return what is wrong with an answer, whoever asked for what; ``""``: nothing."""
    status, body = answer.status_code, answer.text
    place = answer.headers.get("Location", "/")
    is_told = status in TOLD and answer.request["REQUEST_METHOD"] != "HEAD"
    wrong = {
        f"status {status}": status not in UNDERSTOOD,
        "does not say what is allowed": status == 405 and "Allow" not in answer.headers,
        f"leads to {place}": place[:1] not in "/?." or place[:2] == "//",
        f"{status} without a word": is_told and len(body.split()) < 2,
        "shows a traceback": "Traceback" in body,
    }
    return "; ".join(what for what, is_so in wrong.items() if is_so)


def faults(answers):
    """Return what is wrong with each of *answers*, by what was sent."""
    found = {what: fault_of(answer) for what, answer in answers}
    return {what: fault for what, fault in found.items() if fault}


def send(client, method, path, body="", content_type=FORM, query=""):
    """Return the answer to a request that is as given, whatever the method."""
    return client.generic(method, path, body, content_type, query_string=query)


def test_what_is_looked_for_is_found(client):
    """An error of the server, a way to another site and a refusal without a word."""
    answer = client.get("/favicon.ico")
    assert fault_of(answer) == "status 204"

    answer.status_code = 302
    answer.headers["Location"] = "//example.org"
    assert fault_of(answer) == "leads to //example.org"

    answer.status_code = 404
    answer.headers["Location"] = "/"
    assert fault_of(answer) == "404 without a word"


def test_every_address_of_the_app_is_tried():
    """What an admin site gives an address is found here, without anybody adding it."""
    given_one = {
        (site.name, pattern.name or "")
        for site in SITES
        for model, model_admin in site._registry.items()
        if model._meta.app_label.startswith(OF_APP)
        for pattern in model_admin.get_urls()
    }

    index = {(site.name, "app_list") for site in SITES}
    assert {(one.site, one.name) for one in ADDRESSES} == given_one | index
    assert {one.site for one in ADDRESSES if one.is_own} == {"admin", "ops"}


@pytest.mark.parametrize("site", ["admin", "ops"])
def test_a_method_that_is_not_meant_does_nothing(chief, site):
    """What the app answers itself says what it takes; nothing is written either way."""
    before = kept()

    for address in of_site(site):
        answers = {one: send(chief, one, address.at()) for one in (*SAFE, *UNSAFE[1:])}

        statuses = {method: answer.status_code for method, answer in answers.items()}
        assert faults(answers.items()) == {}, address
        if address.is_own:
            odd = set(statuses) - {"GET", "HEAD"}
            assert {statuses[method] for method in odd} == {405}, address
            assert statuses["HEAD"] == statuses["GET"], address
            assert answers["PUT"].headers["Allow"] == answers["TRACE"].headers["Allow"]
    assert kept() == before


@on_one_site
def test_no_link_fails(chief, address):
    """Whatever stands in it: the answer is a page, or says that there is none."""
    path, before = address.at(), kept()

    answers = [(what, send(chief, "GET", path, query=q)) for what, q in QUERIES.items()]

    assert faults(answers) == {}
    assert kept() == before


@on_one_site
def test_no_form_fails(chief, address):
    """Whatever it holds, and whatever it says of itself."""
    path = address.at()

    answers = [
        (what, send(chief, "POST", path, body.data, body.content_type))
        for what, body in BODIES.items()
    ]

    assert faults(answers) == {}


@on_one_site
def test_a_form_over_the_limits_is_refused(chief, address):
    """Nothing is done; the page says in words which limit it is."""
    path, before = address.at(), kept()

    answers = {
        what: send(chief, "POST", path, body.data, body.content_type)
        for what, body in giants().items()
    }

    assert faults(answers.items()) == {}
    assert kept() == before
    if address.name.startswith("prompts_app_override_") and address.takes_forms:
        assert {answer.status_code for answer in answers.values()} == {413}


@pytest.mark.parametrize("query", FILTERS)
def test_no_filter_of_a_list_fails(chief, query):
    """One at a time, so that none is answered for by another that is wrong."""
    lists = [one for one in OF_ONE_SITE if one.name.endswith("_changelist")]

    answers = [(str(one), send(chief, "GET", one.at(), query=query)) for one in lists]

    assert faults(answers) == {}


@pytest.mark.parametrize(
    "address", [one for one in OF_ONE_SITE if one.has_number], ids=str
)
def test_no_row_is_named_by_anything_else_than_its_number(chief, address):
    """Neither a text, nor a number that no row can have, nor half a character."""
    before = kept()

    answers = [(one, send(chief, "GET", address.at(one))) for one in IDS]

    assert faults(answers) == {}
    assert kept() == before
    if address.is_own:
        assert {answer.status_code for _, answer in answers} == {404}


def everywhere(client, site, methods=(*SAFE, *UNSAFE)):
    """Yield address, method and answer, each to a form that would be right."""
    form = as_query(everything_at_once())
    for address in of_site(site):
        for method in methods:
            path = address.at()
            yield address, method, send(client, method, path, form, query="scope=")


def shown_nothing(answers, site):
    """Return the answers that show something, or lead to another site."""
    home = f"/{site}/"
    return [
        (str(address), method, answer)
        for address, method, answer in answers
        if answer.status_code not in (302, 403, 404, 405)
        or not answer.headers.get("Location", home).startswith(home)
        or SECRET in answer.text + str(answer.headers)
        or fault_of(answer)
    ]


WITHOUT = {
    "nobody": None,
    "no member of staff": {"is_staff": False, "permissions": ALL},
    "inactive": {"is_active": False, "is_superuser": True},
    "no rights": {},
}
"""Those who may see nothing."""


@pytest.mark.parametrize("site", ["admin", "ops"])
@pytest.mark.parametrize("who", WITHOUT)
def test_who_may_see_nothing_is_shown_and_changes_nothing(site, who):
    """By any method, with a form that would be right; the way in is shown instead."""
    client = Client(raise_request_exception=False)
    if WITHOUT[who] is not None:
        client.force_login(UserFactory(**WITHOUT[who]))
    before = kept()

    assert shown_nothing(everywhere(client, site), site) == []
    assert kept() == before


def test_who_may_see_the_texts_changes_nothing():
    """A form that would be right for others is refused, or only shown."""
    client = Client(raise_request_exception=False)
    client.force_login(UserFactory(permissions=["prompts_app.view_override"]))
    before = kept()

    answers = [answer for *_, answer in everywhere(client, "admin")]

    assert [fault for fault in map(fault_of, answers) if fault] == []
    assert any(SECRET in answer.text for answer in answers)
    assert kept() == before


def test_the_same_form_does_much_for_who_may_do_everything(chief):
    """So what is refused above is not refused for another reason."""
    before = kept()

    answers = list(everywhere(chief, "admin", ["POST"]))

    assert [fault_of(answer) for *_, answer in answers if fault_of(answer)] == []
    assert all(one != other for one, other in zip(before, kept(), strict=True))


@pytest.mark.parametrize("site", ["admin", "ops"])
def test_without_the_token_of_a_page_nothing_is_taken(site):
    """Another site cannot have somebody's browser do anything, whoever that is."""
    client = Client(enforce_csrf_checks=True, raise_request_exception=False)
    client.force_login(UserFactory(is_superuser=True))
    before = kept()

    answers = list(everywhere(client, site, UNSAFE))

    assert {answer.status_code for *_, answer in answers} == {403}
    assert not any(SECRET in answer.text for *_, answer in answers)
    assert kept() == before


def is_club(request):
    """Return whether the user may enter the second site: by name, not by rank."""
    return request.user.username == "member"


@pytest.mark.parametrize(
    ("name", "is_staff", "closed"), [("boss", True, "ops"), ("member", False, "admin")]
)
def test_the_admin_of_one_site_is_a_stranger_to_another(
    monkeypatch, name, is_staff, closed
):
    """Every right opens no door; each site asks for itself, at every address."""
    monkeypatch.setattr(ops, "has_permission", is_club)
    client = Client(raise_request_exception=False)
    client.force_login(UserFactory(username=name, is_staff=is_staff, permissions=ALL))
    (opened,) = {"admin", "ops"} - {closed}
    before = kept()

    assert shown_nothing(everywhere(client, closed), closed) == []
    assert kept() == before
    answers = [answer for *_, answer in everywhere(client, opened, ["GET"])]
    assert any(SECRET in answer.text for answer in answers)


PIECES = st.one_of(
    st.sampled_from(
        [value[:200].decode("utf-8", "replace") for value in VALUES.values()]
    ),
    st.text(max_size=9),
)
FORMS = st.tuples(
    st.dictionaries(st.sampled_from(PLAIN), PIECES, max_size=9),
    st.dictionaries(st.sampled_from(BUTTONS), PIECES, max_size=1),
    st.sampled_from(["", "tenant.x", "nonsense"]),
).map(lambda drawn: as_query({"scope": drawn[2], **drawn[0], **drawn[1]}))


@settings(
    max_examples=60,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(st.sampled_from(OF_ONE_SITE), st.booleans(), FORMS)
def test_no_mixture_fails(chief, address, is_form, sent):
    """Fields in any company, one button at most, as a link and as a form."""
    answer = (
        send(chief, "POST", address.at(), sent)
        if is_form
        else send(chief, "GET", address.at(), query=sent)
    )

    assert fault_of(answer) == ""

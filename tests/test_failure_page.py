"""What the pages do while the database is gone, takes no changes or has no tables."""

from __future__ import annotations

import re

import pytest
from django.db import InterfaceError, OperationalError, connection
from django.urls import reverse

from prompts_app import services
from prompts_app.overrides import snapshots
from tests.assembling import CORE, fragment
from tests.failing import gone, not_migrated, read_only, told
from tests.pages import Page, Visitor, address
from tests.storing import Broken, everything, rows

pytestmark = pytest.mark.django_db(transaction=True)

SAYS = (
    "The database did not answer, or takes no changes at present. The log of the"
    " server says more."
)
FAILURES = {"gone": gone, "read only": read_only, "not migrated": not_migrated}
RECORD = r"The database failed \([A-Za-z]+Error[\w, ]*\) at /admin/[a-z_/]+"
KEEPS = "What you sent is still here. Try again in a while"


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two fragments, and know nothing of what earlier tests stored."""
    registry.register(CORE, fragment("core.a", "Alpha"), fragment("core.b", "Beta"))
    snapshots.forget()


@pytest.fixture
def visitor(superuser):
    """Return one who may do everything and is signed in already."""
    return Visitor(superuser)


@pytest.fixture
def review(visitor):
    """Return the review of a text, with another one stored."""
    services.save({"core.b": "Mine"})
    return visitor.review(visitor.open(fragment="core.a"), {"text:core.a": "Ty\nped"})


def failed(answer):
    """Return the page that says so, of *answer*."""
    assert (answer.status_code, answer["Cache-Control"]) == (503, "no-store")
    page = Page(answer.content.decode())
    assert page.one("p", role="alert").text == SAYS
    return page


@pytest.mark.parametrize("failure", FAILURES)
def test_a_save_that_fails_keeps_the_texts(visitor, review, failure, caplog):
    """They can be copied and sent again; nothing is stored, and no text is logged."""
    before = everything()
    fields = review.fields() | {"_save": "", "comment": "Why"}

    with FAILURES[failure]():
        page = failed(visitor.post(fields))

    assert everything() == before
    assert KEEPS in page.html
    assert page.one("textarea", name="text:core.a").raw == "Ty\nped"
    (record,) = (one for one in caplog.records if one.name == "prompts_app")
    assert record.levelname == "ERROR"
    assert re.fullmatch(RECORD, record.getMessage())
    after = visitor.send(page, press="Try again")
    assert "1 change saved." in after.one("li", class_="success").text
    assert rows() == {("", "core.a"): "Ty\nped", ("", "core.b"): "Mine"}


@pytest.mark.parametrize(
    ("failure", "place"),
    [
        ("gone", "override_changelist"),
        ("gone", "override_export"),
        ("gone", "revision_changelist"),
        ("not migrated", "override_changelist"),
        ("not migrated", "override_export"),
    ],
)
def test_a_page_that_cannot_be_read_says_so(visitor, failure, place):
    """With a way to try again, and no traceback."""
    target = reverse(f"admin:prompts_app_{place}")

    with FAILURES[failure]():
        page = failed(visitor.client.get(target))

    (link,) = (one for one in page.all("a") if one.text == "Try again")
    assert link.attributes["href"] == target
    assert visitor.client.get(target).status_code == 200


def test_a_page_that_fails_while_it_is_rendered_says_so(visitor, review, caplog):
    """Some of Django's pages ask the database from their templates."""
    target = reverse("admin:prompts_app_revision_changelist")

    def end(execute, sql, params, many, context):
        if "MIN(" in sql:
            raise OperationalError("canary")
        return execute(sql, params, many, context)

    with connection.execute_wrapper(end):
        page = failed(visitor.client.get(target))

    (link,) = (one for one in page.all("a") if one.text == "Try again")
    assert link.attributes["href"] == target
    assert [level for level, _ in told(caplog)] == ["ERROR"]
    assert visitor.client.get(target).status_code == 200


def test_an_address_cannot_write_a_line_of_the_log(visitor, caplog):
    """Whatever it holds."""
    forged = "/admin/prompts_app/override/1%0DERROR%1B[31m%C2%85/change/"

    with gone():
        assert visitor.client.get(forged).status_code == 503

    ((_, said),) = told(caplog)
    assert said.isprintable()
    assert said.endswith(r"/override/1\rERROR\x1b[31m\x85/change/")


def test_a_read_only_database_is_shown_as_ever(visitor, review):
    """List, editor, review, preview, history and export take no change."""
    with read_only():
        page = visitor.open(fragment="core.b")
        reviewed = visitor.review(page, {"text:core.b": "New"})
        past = visitor.client.get(reverse("admin:prompts_app_revision_changelist"))
        export = visitor.client.get(address("export"))

        assert page.box("core.b").raw == "Mine"
        assert reviewed.one("h1").text == "Review 1 change for the whole installation"
        assert visitor.preview({"text:core.b": "New"}).passages()["core.b"] == "New"
        assert (past.status_code, export.status_code) == (200, 200)


def test_a_restore_that_fails_can_be_sent_again(visitor, review):
    """What was asked for, what was shown and why go along."""
    revision = services.save({"core.b": "Later"}).revision
    target = reverse("admin:prompts_app_revision_restore")
    asked = Page(visitor.client.get(target, {"undo": revision}).content.decode())
    shown = asked.one("textarea", name="based_on").raw
    fields = {"undo": revision, "based_on": shown, "_restore": "", "comment": "Back"}

    with read_only():
        page = failed(visitor.client.post(target, fields))
    assert rows()["", "core.b"] == "Later"

    sent = {
        one.attributes["name"]: one.attributes["value"]
        for one in page.all("input", type="hidden")
    }
    assert visitor.client.post(target, sent).status_code == 302
    assert rows()["", "core.b"] == "Mine"


def test_a_script_is_told_in_a_line(visitor, review):
    """It shows the line above the texts, which stay where they are."""
    headers = {"X-Requested-With": "XMLHttpRequest"}

    with gone():
        answer = visitor.client.post(
            address("preview"), {"parts": "output"}, headers=headers
        )

    assert (answer.status_code, answer["Content-Type"]) == (503, "text/plain")
    assert answer.content.decode() == SAYS


def test_what_another_site_sent_cannot_be_sent_again(superuser, review):
    """The page with the button is for who has the token, as every form is."""
    visitor = Visitor(superuser, enforce_csrf_checks=True)

    with gone():
        answer = visitor.post({"text:core.a": "Theirs", "_save": ""})

    assert answer.status_code == 403
    assert "Theirs" not in answer.content.decode()


@pytest.mark.parametrize("error", [OperationalError, InterfaceError])
def test_a_request_that_is_one_transaction_is_taken_back(visitor, review, error):
    """Nothing that it wrote before is stored."""
    before = everything()
    connection.settings_dict["ATOMIC_REQUESTS"] = True
    try:
        with connection.execute_wrapper(after_writing(error)):
            failed(visitor.post(review.fields() | {"_save": ""}))
    finally:
        connection.settings_dict["ATOMIC_REQUESTS"] = False

    assert everything() == before


def after_writing(error):
    """Return a wrapper that lets statements through until one makes a log entry."""
    broken = Broken(error("canary"))

    def run(execute, sql, *arguments):
        if "INSERT INTO" in sql and "django_admin_log" in sql:
            broken()
        return execute(sql, *arguments)

    return run


def test_a_failure_after_the_save_does_no_harm(visitor, review):
    """The text is stored; sent again, it is one that is stored already."""
    with connection.execute_wrapper(after_writing(OperationalError)):
        page = failed(visitor.post(review.fields() | {"_save": ""}))
    before = everything()

    visitor.send(page, press="Try again")

    assert rows()["", "core.a"] == "Ty\nped"
    assert everything() == before

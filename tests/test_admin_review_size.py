"""The pages between typing and saving at size: a fixed number of statements."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from prompts_app import services
from prompts_app.declarations import Scenario
from tests.assembling import CORE, fragment
from tests.pages import Page, Visitor
from tests.storing import rows

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare as many fragments as a chat has, and a few scenarios."""
    registry.register(
        CORE,
        *(Scenario(f"s{n}", label=f"Scenario {n}") for n in range(3)),
        *texts(range(35)),
    )
    return registry


@pytest.fixture
def visitor(editor):
    """Return an editor whose session is in the cache already."""
    visitor = Visitor(editor)
    visitor.open()
    return visitor


def texts(numbers):
    """Return a fragment for each of *numbers*."""
    return [fragment(f"core.n{n:04}", f"Text {n} {{{{name}}}}") for n in numbers]


def typed(numbers):
    """Return the fields of a changed text for each of *numbers*."""
    return {f"text:core.n{n:04}": f"Mine {n}" for n in numbers}


def statements(visitor, fields, verb):
    """Return how many statements one answer takes."""
    with CaptureQueriesContext(connection) as caught:
        assert visitor.post(fields, verb).status_code == 200
    return len(caught)


@pytest.mark.parametrize(
    ("verb", "more"),
    [
        ("review", {}),
        ("review", {"etag:core.n0000": "0" * 16}),
        ("decide", {"_decided": "core.n0000", "choice": "mine"}),
        ("discard", {}),
    ],
)
def test_the_number_of_statements_does_not_grow(visitor, declared, verb, more):
    """Thirty-five fragments or fifteen hundred, one change or a hundred."""
    services.save({"core.n0001": "Theirs"})
    # The first answer after a save reads the rows once more.
    services.stored()
    few = statements(visitor, typed([0]) | more, verb)

    declared.register(*texts(range(35, 1_500)))
    services.save({f"core.n{n:04}": "Theirs" for n in range(200, 500)})
    services.stored()

    assert statements(visitor, typed(range(100)) | more, verb) == few < 14


@pytest.mark.case(88)
def test_a_hundred_changes_of_fifteen_hundred_texts_are_saved_at_once(
    visitor, declared
):
    """One revision, one message, nothing left."""
    declared.register(*texts(range(35, 1_500)))
    page = Page(visitor.post(typed(range(100)), "review").text)
    assert len(page.all("article", class_="prompts-change")) == 100

    page = visitor.send(page, press=("_save", ""))

    assert len(rows()) == 100
    assert page.one("li", class_="success").text == (
        "100 changes saved. They are in use from the next request on. Undo"
    )

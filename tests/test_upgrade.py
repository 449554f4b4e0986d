"""A package brings other defaults and other keys: what becomes of saved texts."""

from __future__ import annotations

import pytest

from prompts_app import services
from tests import releases
from tests.pages import Visitor
from tests.processes import other_processes
from tests.storing import everything, rows

pytestmark = pytest.mark.django_db(transaction=True)

SAVED = {
    "core.same": "My same",
    "core.moved": "My moved",
    "core.silent": "",
    "core.old": "My renamed",
    "core.gone": "My gone",
    "core.back": "My back",
}
PROMPTS = {
    1: ["My same", "My moved", "My renamed", "My gone", "My back"],
    2: ["My same", "My moved", "My renamed", "Plain two"],
    3: ["My same", "My moved", "My renamed", "My back", "Plain two"],
}
RECORDS = {
    1: [],
    2: [
        (
            "WARNING Stored texts: 6; drifted: 2 (core.moved, core.silent);"
            " orphaned: 2 (core.back, core.gone)"
        )
    ],
    3: [
        (
            "WARNING Stored texts: 6; drifted: 3 (core.back, core.moved, core.silent);"
            " orphaned: 1 (core.gone)"
        )
    ],
}


@pytest.fixture(autouse=True)
def saved(registry):
    """Save texts over the defaults of the first release."""
    releases.declare(1)
    services.save(SAVED)


def states(page):
    """Return the state of each row of the list, by key."""
    return {
        one.attributes["data-row"]: one.attributes["class"].split("is-")[1]
        for one in page.all("li", data_row=None)
    }


@pytest.mark.case(28, 39, 41)
@pytest.mark.parametrize("number", releases.RELEASES)
def test_a_fresh_process_serves_and_tells(process_environ, number):
    """Saved texts stay in force where a fragment reads them; one record names the rest."""
    before = everything()

    with other_processes(process_environ, 1) as (process,):
        seen = process("upgrade", number=number)

    assert seen == {
        "prompts": ["\n\n".join(PROMPTS[number])] * 2,
        "logged": RECORDS[number],
    }
    assert everything() == before


@pytest.mark.case(41)
def test_the_page_shows_what_the_upgrade_left(superuser):
    """A renamed key keeps its text, a lost one is kept aside, a moved one is marked."""
    visitor = Visitor(superuser)
    releases.declare(2)

    second = states(visitor.open())
    releases.declare(3)
    third = states(visitor.open())

    assert second == {
        "core.same": "changed",
        "core.moved": "drifted",
        "core.silent": "drifted",
        "core.new": "changed",
        "core.plain": "built-in",
        "core.back": "orphaned",
        "core.gone": "orphaned",
    }
    assert third == {**second, "core.back": "drifted"}


def test_all_of_it_can_be_settled_on_the_page(superuser):
    """One review for what has drifted, one answer for what has no fragment."""
    visitor = Visitor(superuser)
    releases.declare(3)
    page = visitor.send(visitor.open(), press="Decide… core.moved")
    for choice in ("theirs", "mine", "mine"):
        review = visitor.send(page, {"choice": choice}, "Continue to review")
        page = visitor.send(review, press="Back to editing")
        left = [
            key
            for key in ("core.silent", "core.back")
            if "data-settled" not in page.box(key).attributes
        ]
        if left:
            page = visitor.send(page, press=("_drift", left[0]))
    page = visitor.save(page)
    page = visitor.send(page, press=("fragment", "core.gone"))
    page = visitor.send(page, {"adopts": "core.plain"}, ("_adopt", "core.gone"))
    page = visitor.send(page, press="Adopt the text")

    assert states(page) == {
        "core.same": "changed",
        "core.moved": "built-in",
        "core.silent": "off",
        "core.new": "changed",
        "core.plain": "drifted",
        "core.back": "changed",
    }
    assert services.stored().texts == rows()


def test_the_process_that_settled_it_all_has_nothing_to_tell(process_environ):
    """The next one that begins logs no record."""
    releases.declare(3)
    services.acknowledge(["core.moved", "core.silent", "core.back"])
    services.prune(["core.gone"])

    with other_processes(process_environ, 1) as (process,):
        seen = process("upgrade", number=3)

    assert seen["logged"] == []

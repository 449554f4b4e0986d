"""What a save and a reset do to the rows."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from prompts_app import services
from prompts_app.models import Override
from prompts_app.overrides.journal import Saved
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory
from tests.storing import announcements, everything, rows

pytestmark = pytest.mark.django_db

MARKDOWN = (
    "# Title\n\n```python\n\tx = {'a': 1}   \n```\n* one \u00a0\n"
    "\u200d\U0001f469\u200d\U0001f4bb {{name}} \\1 %s $x <b>&amp;</b>  end"
)


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two fragments, one of them switched off by its own blank default."""
    registry.register(CORE, fragment("core.a", "Alpha"), fragment("core.blank", ""))
    return registry


@pytest.mark.covers("L32", "L45")
def test_a_save_keeps_text_default_and_author(superuser):
    """A row says what is in force, what it was written over, by whom and when."""
    saved = services.save({"core.a": "Mine"}, author=superuser)

    row = Override.objects.get()
    assert saved == Saved(1, ("core.a",), ())
    assert (row.scope, row.key, row.text) == ("", "core.a", "Mine")
    assert row.default_text == "Alpha"
    assert row.updated_by == superuser
    assert timezone.now() - row.updated_at < timedelta(minutes=1)


def test_the_last_author_stands_at_the_row(superuser, editor):
    """Each save renews author and moment; code that acts for nobody leaves none."""
    services.save({"core.a": "One"}, author=superuser)
    first = Override.objects.get()
    services.save({"core.a": "Two"}, author=editor)
    second = Override.objects.get()
    services.save({"core.a": "Three"})

    assert second.updated_by == editor
    assert second.updated_at > first.updated_at
    assert Override.objects.get().updated_by is None


@pytest.mark.case(47, 50)
@pytest.mark.covers("L42")
@pytest.mark.parametrize(
    ("typed", "stored"),
    [
        ("a\r\nb\r\n\r\nc", "a\nb\n\nc"),
        ("\r\n\n a \n\r\n", " a "),
        ("  two  \n spaces  ", "  two  \n spaces  "),
        ("a\rb", "a\rb"),
        ("\r\na\r", "a\r"),
        (MARKDOWN, MARKDOWN),
    ],
)
def test_only_line_feeds_are_normalised(typed, stored):
    """CRLF becomes LF and outer line feeds go; every other character stays."""
    services.save({"core.a": typed})

    assert rows() == {("", "core.a"): stored}
    assert services.resolve("core.a") == stored


@pytest.mark.case(39, 44)
@pytest.mark.covers("L44")
@pytest.mark.parametrize(
    "typed", ["Alpha", "\r\nAlpha\r\n", "  Alpha\t", "\n\n Alpha \u00a0\n"]
)
@pytest.mark.parametrize("row", [False, True])
def test_a_text_equal_to_the_default_leaves_no_row(typed, row):
    """Line breaks and outer white space aside, the default is nobody's text."""
    if row:
        services.save({"core.a": "Mine"})

    saved = services.save({"core.a": typed})

    assert saved == (Saved(2, (), ("core.a",)) if row else Saved(None))
    assert rows() == {}
    assert services.resolve("core.a") == "Alpha"


@pytest.mark.case(44)
@pytest.mark.parametrize("breaks", ["\n", "\r\n", "\r"])
def test_line_breaks_do_not_make_a_default_differ(declared, breaks):
    """A browser sends CRLF where the code has LF, or the other way round."""
    declared.register(fragment("core.lines", "one\r\ntwo\n\nthree"))

    services.save({"core.lines": breaks.join(["one", "two", "", "three"])})

    assert rows() == {}


@pytest.mark.covers("L46")
@pytest.mark.parametrize("typed", ["", "\n", "  \t"])
def test_a_blank_text_over_a_blank_default_is_no_override(typed):
    """Nothing is switched off that has nothing to say."""
    services.save({"core.blank": "Something"})

    saved = services.save({"core.blank": typed})

    assert saved.removed == ("core.blank",)
    assert rows() == {}


@pytest.mark.case(37, 39)
@pytest.mark.covers("L9", "L35", "L45")
@pytest.mark.parametrize(
    ("typed", "stored"), [("", ""), ("\n\r\n", ""), (" \t", " \t")]
)
def test_a_blank_text_switches_a_fragment_off(declared, typed, stored):
    """The row is kept as typed, and the prompt shows no trace of the fragment."""
    declared.register(fragment("core.b", "Beta"), fragment("core.c", "Gamma"))

    services.save({"core.b": typed})

    assert rows() == {("", "core.b"): stored}
    assert services.resolve("core.b") == ""
    assert services.assemble().text == "Alpha\n\nGamma"


@pytest.mark.parametrize(
    ("own", "beneath", "typed", "stored"),
    [
        ("Near", None, "Near", None),
        ("Near", "Global", "Near", None),
        ("Near", None, "Alpha", "Alpha"),
        ("Near", "Global", "Global", "Global"),
        (None, None, "Alpha", None),
        (None, "Global", " Global ", None),
        (None, "Global", "Alpha", "Alpha"),
        (None, "", "\n", None),
        (None, "", "Alpha", "Alpha"),
        (None, "Global", "", ""),
    ],
)
@pytest.mark.parametrize("row", [False, True])
def test_a_scope_stores_only_what_differs_from_beneath(
    declared, own, beneath, typed, stored, row
):
    """Beneath stands the scope's declaration, else the global override or default."""
    if own is not None:
        declared.register(fragment("core.a", own), scope="tenant.x")
    if beneath is not None:
        OverrideFactory(key="core.a", text=beneath)
    if row:
        OverrideFactory(scope="tenant.x", key="core.a", text="Earlier")

    services.save({"core.a": typed}, scope="tenant.x")

    assert rows().get(("tenant.x", "core.a")) == stored
    assert rows().get(("", "core.a")) == beneath
    assert services.resolve("core.a", scope="tenant.x") == typed.strip()


def test_two_scopes_do_not_see_each_other():
    """The same key holds one text for each scope and one for all."""
    services.save({"core.a": "All"})
    services.save({"core.a": "X"}, scope="tenant.x")
    services.save({"core.a": "Y"}, scope="tenant.y")

    texts = [services.resolve("core.a", scope=s) for s in ("", "tenant.x", "tenant.y")]
    assert texts == ["All", "X", "Y"]
    assert services.resolve("core.a", scope="tenant.unseen") == "All"


@pytest.mark.case(56)
def test_scopes_of_one_name_and_different_kinds_are_different():
    """A tenant 1 and a language 1 share nothing, nor does a fragment 1."""
    services.save({"core.a": "Tenant"}, scope="tenant.1")
    services.save({"core.a": "Language"}, scope="language.1")

    assert services.resolve("core.a", scope="tenant.1") == "Tenant"
    assert services.resolve("core.a", scope="language.1") == "Language"
    assert services.resolve("core.a", scope=("language.1", "tenant.1")) == "Tenant"
    assert services.resolve("core.a") == "Alpha"


@pytest.mark.case(31, 32)
@pytest.mark.covers("L34", "L40", "L48", "L49")
def test_what_was_not_submitted_stays(declared):
    """Other fragments, other scopes and texts of vanished fragments are left alone."""
    declared.register(fragment("core.b", "Beta"))
    OverrideFactory(key="core.b", text="Kept")
    OverrideFactory(key="core.gone", text="Kept too")
    OverrideFactory(scope="tenant.x", key="core.a", text="Elsewhere")
    others = rows()

    services.save({"core.a": "Mine"})
    after_save = rows()
    services.reset(["core.a"])

    assert after_save == others | {("", "core.a"): "Mine"}
    assert rows() == others


@pytest.mark.case(40, 60)
@pytest.mark.covers("L39")
def test_a_reset_brings_back_what_stands_beneath(declared):
    """Each fragment is reset by itself, once however often it is named."""
    declared.register(fragment("core.b", "Beta"))
    services.save({"core.a": "Mine", "core.b": "Mine too"})

    saved = services.reset(["core.a", "core.blank", "core.a"])

    assert saved == Saved(2, (), ("core.a",))
    assert rows() == {("", "core.b"): "Mine too"}
    assert services.resolve("core.a") == "Alpha"


def test_a_reset_in_a_scope_leaves_the_global_text():
    """What the scope falls back to is the override for everybody."""
    services.save({"core.a": "All"})
    services.save({"core.a": "Mine"}, scope="tenant.x")

    services.reset(["core.a"], scope="tenant.x")

    assert rows() == {("", "core.a"): "All"}
    assert services.resolve("core.a", scope="tenant.x") == "All"


@pytest.mark.parametrize(
    "change",
    [
        lambda: services.save({}),
        lambda: services.save({"core.a": "Mine"}),
        lambda: services.save({"core.a": "\nMine\r\n"}, comment="again"),
        lambda: services.save({"core.blank": " "}),
        lambda: services.reset(["core.blank"]),
        lambda: services.reset(["core.a"], scope="tenant.x"),
        lambda: services.reset([]),
    ],
)
def test_a_save_that_changes_nothing_leaves_no_trace(
    change, django_capture_on_commit_callbacks
):
    """No revision is made, the version stays and nobody is told."""
    OverrideFactory(key="core.a", text="Mine", default_text="Alpha")
    OverrideFactory(scope="tenant.x", key="core.blank", text="Some")
    before = everything()

    with announcements() as sent, django_capture_on_commit_callbacks(execute=True):
        saved = change()

    assert saved == Saved(None)
    assert everything() == before
    assert sent == []


def test_many_texts_are_found_however_few_are_asked_for_at_once(declared, monkeypatch):
    """A statement names no more keys than a database takes."""
    declared.register(fragment("core.b", "Beta"))
    monkeypatch.setattr("prompts_app.overrides.planning.CHUNK", 1)
    services.save({"core.a": "One", "core.b": "Two"})

    assert services.reset(["core.a", "core.b"]).removed == ("core.a", "core.b")
    assert rows() == {}


@pytest.mark.parametrize(
    ("verb", "given", "said"),
    [
        ("save", "core.a", "values has to be a collection of texts"),
        ("save", {1: "x"}, "values holds a int, not a text"),
        ("save", {"core.a": 1}, "texts holds a int, not a text"),
        ("reset", "core.a", "keys has to be a collection of texts"),
        ("acknowledge", [1], "keys holds a int, not a text"),
        ("prune", "core.a", "keys has to be a collection of texts"),
    ],
)
def test_what_is_no_collection_of_texts_is_refused_by_its_name(verb, given, said):
    """Before anything is looked up or locked."""
    with pytest.raises(TypeError) as caught:
        getattr(services, verb)(given)

    assert str(caught.value).startswith(said)

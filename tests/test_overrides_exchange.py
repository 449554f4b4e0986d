"""Texts as one document: out of one installation and into another."""

from __future__ import annotations

import json

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from hypothesis import HealthCheck, given, settings, strategies as st

from prompts_app import services
from prompts_app.models import Override, Revision
from prompts_app.overrides.exchange import (
    MOST_BYTES,
    MOST_DIGITS,
    MOST_FAULTS,
    parse,
    written,
)
from prompts_app.overrides.journal import Saved
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory, UserFactory
from tests.storing import everything, history, refused, rows, written_over

pytestmark = pytest.mark.django_db

KEYS = ("core.a", "core.b")


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two texts and a locked one."""
    registry.register(
        CORE,
        fragment("core.a", "Alpha"),
        fragment("core.b", "Beta"),
        fragment("core.fixed", "Fixed", locked=True),
        fragment("core.asks", "Ask {{name}}", must_mention=("name",)),
    )
    return registry


def text_of(key="core.a", text="Mine", default="Alpha", scope=""):
    """Return one member of a document's list."""
    return {"scope": scope, "key": key, "text": text, "default_text": default}


def document(*texts, **members):
    """Return a document of this release."""
    return {"format": 1, "texts": list(texts), **members}


@pytest.mark.case(25)
def test_what_is_exported_is_all_that_is_stored():
    """In an order that two exports share, orphans included."""
    services.save({"core.b": "", "core.a": "Mine"})
    services.save({"core.a": "Near"}, scope="tenant.x")
    OverrideFactory(key="core.gone", text="Kept", default_text="Was")

    assert services.export_texts() == document(
        text_of(),
        text_of("core.b", "", "Beta"),
        text_of("core.gone", "Kept", "Was"),
        text_of(text="Near", scope="tenant.x"),
    )
    assert services.export_texts(scope="tenant.x") == document(
        text_of(text="Near", scope="tenant.x")
    )
    with pytest.raises(ValueError, match="'x' is no scope"):
        services.export_texts(scope="x")


texts = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=20
).map(lambda text: text.strip("\n"))
stored = st.dictionaries(
    st.tuples(st.sampled_from(["", "tenant.x", "tenant.y"]), st.sampled_from(KEYS)),
    st.tuples(texts, texts),
    max_size=5,
).map(lambda held: {at: both for at, both in held.items() if is_override(at, *both)})


def is_override(address, text, _default):
    """Return whether a save could have stored *text*."""
    return text.strip() != {"core.a": "Alpha", "core.b": "Beta"}[address[1]]


@settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(stored)
@pytest.mark.case(25)
@pytest.mark.covers("W24")
def test_a_round_trip_is_exact(held):
    """Through JSON and back, texts and what they were written over, to the byte."""
    Override.objects.all().delete()
    Override.objects.bulk_create(
        Override(scope=scope, key=key, text=text, default_text=default)
        for (scope, key), (text, default) in held.items()
    )
    exported = parse(json.dumps(services.export_texts()).encode())
    before = rows(), written_over()
    Override.objects.all().delete()

    services.import_texts(exported)

    assert (rows(), written_over()) == before
    assert services.import_texts(exported) == Saved(None)


@pytest.mark.case(26)
def test_an_import_is_one_revision(superuser):
    """With author and reason; what the document does not hold stays as it was."""
    services.save({"core.b": "Stays"})

    saved = services.import_texts(
        document(text_of(), text_of(text="Near", scope="tenant.x")),
        author=superuser,
        comment="From staging",
    )

    assert saved == Saved(2, ("core.a", "core.a"), ())
    assert rows() == {
        ("", "core.a"): "Mine",
        ("", "core.b"): "Stays",
        ("tenant.x", "core.a"): "Near",
    }
    revision = Revision.objects.get(number=2)
    assert (revision.kind, revision.comment) == ("import", "From staging")
    assert revision.author == superuser


def test_a_dry_run_says_what_would_be():
    """And writes nothing, not even a version."""
    services.save({"core.b": "Mine"})
    before = everything()
    plan = document(text_of(), text_of("core.b", "Beta", "Beta"))

    assert services.import_texts(plan, dry_run=True) == Saved(
        None, ("core.a",), ("core.b",)
    )
    assert everything() == before
    assert [
        one.code
        for one in refused(
            services.import_texts, document(text_of("core.fixed")), dry_run=True
        )
    ] == ["locked"]


def test_a_drift_comes_along():
    """The default that a text was written over is part of it."""
    services.import_texts(document(text_of(default="Old alpha")))

    assert written_over() == {("", "core.a"): "Old alpha"}
    services.import_texts(document(text_of()), confirm=[("core.a", "default")])
    assert written_over() == {("", "core.a"): "Alpha"}


def test_a_text_equal_to_the_default_is_not_stored(registry):
    """It is no change here, whatever it was where it comes from."""
    registry.register(fragment("core.b", "Near"), scope="tenant.x")

    services.import_texts(
        document(
            text_of(text="Alpha"),
            text_of(text=" Alpha ", scope="tenant.y"),
            text_of("core.b", "Mine"),
            text_of("core.b", "Near", scope="tenant.x"),
        )
    )

    assert rows() == {("", "core.b"): "Mine"}


@pytest.mark.case(25)
def test_a_text_of_a_former_key_is_compared_with_the_one_of_todays(registry):
    """An old file after a rename changes nothing twice, and history says what was."""
    registry.register(fragment("core.now", "Now", former_keys=("core.old",)))
    services.save({"core.now": "Here"})
    old = document(text_of("core.old", "Mine", "Now"))

    assert services.import_texts(old) == Saved(2, ("core.now",))
    assert services.import_texts(old) == Saved(None)
    assert history()[1] == {("", "core.now"): ("Here", "Mine")}
    services.restore(1)
    assert rows() == {("", "core.now"): "Here"}


def test_a_scoped_text_equal_to_the_whole_installations_is_stored():
    """That one may change tomorrow, and this one was meant to stay."""
    both = document(text_of(), text_of(scope="tenant.x"))

    services.import_texts(both)

    assert services.export_texts() == both


@pytest.mark.case(78)
def test_all_faults_are_named_and_nothing_is_written(settings):
    """Unknown and locked keys, long texts and characters that cannot be stored."""
    settings.PROMPTS_APP_MAX_FRAGMENT_CHARS = 10
    faults = refused(
        services.import_texts,
        document(
            text_of("core.gone"),
            text_of("core.fixed"),
            text_of("core.a", "Eleven char"),
            text_of("core.b", "N\0L"),
            text_of("core.asks", "No"),
            text_of("core.a", "\ud800", scope="tenant.x"),
        ),
    )

    assert {(one.scope, one.key, one.code) for one in faults} == {
        ("", "core.gone", "unknown_fragment"),
        ("", "core.fixed", "locked"),
        ("", "core.a", "too_long"),
        ("", "core.b", "nul"),
        ("", "core.asks", "must_mention"),
        ("tenant.x", "core.a", "surrogate"),
    }


@pytest.mark.case(78)
def test_rights_are_those_of_any_save():
    """For each text that would change."""
    user = UserFactory()

    with pytest.raises(PermissionDenied):
        services.import_texts(document(text_of()), author=user)
    assert rows() == {}


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ([], "The document is a list, not an object"),
        (None, "The document is a NoneType"),
        ({}, "format is None; this release reads 1"),
        (document(format=2), "format is 2; this release reads 1"),
        (document(format=True), "format is True; this release reads 1"),
        (document(format=1.0), "format is 1.0; this release reads 1"),
        ({"format": 1}, "^texts has to be a list$"),
        (document(more=1), "'more' is not known"),
        ({**document(), 2: 1, "a": 1}, "'a' is not known; 2 is not known"),
        (document("core.a"), r"texts\[0\]: a str, not an object"),
        (document({"key": "core.a"}), r"texts\[0\]: has to have scope, key, text"),
        (document({**text_of(), "x": 1}), r"texts\[0\]: .*nothing else"),
        (document(text_of(text=1)), r"texts\[0\]: text is a int, not a text"),
        (document(text_of(scope="X")), r"texts\[0\]: 'X' is no scope"),
        (document(text_of("core")), r"texts\[0\]: 'core' is no key"),
        (document(text_of(), text_of()), r"texts\[1\]: core.a stands there twice"),
    ],
)
def test_what_is_no_document_is_refused_by_name(given, said):
    """Before anything is looked up."""
    before = everything()

    with pytest.raises(ValueError, match=said):
        services.import_texts(given)
    assert everything() == before


@pytest.mark.parametrize(
    ("count", "named", "rest"),
    [
        (MOST_FAULTS, MOST_FAULTS, []),
        (MOST_FAULTS + 1, MOST_FAULTS, ["and 1 more"]),
        (MOST_FAULTS + 80, MOST_FAULTS, ["and 80 more"]),
    ],
)
def test_many_faults_of_a_document_are_counted(count, named, rest):
    """A message of ten thousand lines helps nobody."""
    with pytest.raises(ValueError, match="not an object") as caught:
        services.import_texts(document(*[1] * count))

    faults = [f"texts[{place}]: a int, not an object" for place in range(named)]
    assert str(caught.value).split("; ") == [*faults, *rest]


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"\xff", r"not in UTF-8 \(byte 0\)"),
        (b'{"format": 1,\n?}', r"no JSON: .*\(line 2, column 1\)"),
        (b"[" * 200_000, "^The file is nested too deeply$"),
        (b'{"format": 1, "texts": [], "texts": [1]}', "'texts' stands twice in one"),
        (b" " * (MOST_BYTES + 1), f"{MOST_BYTES + 1} bytes; at most {MOST_BYTES}"),
    ],
)
def test_what_is_no_file_of_texts_is_refused(data, said):
    """With the place or the limit."""
    with pytest.raises(ValueError, match=said):
        parse(data)


@pytest.mark.parametrize(
    "version",
    [
        "9" * 5_000,
        "-1e999",
        "[[[[" + '"x", ' * 9_999 + "1]]]]",
        '"' + "x" * 9_999 + '"',
    ],
)
def test_a_message_about_a_file_stays_short(version):
    """However long the number, the list or the text is that stands in a wrong place."""
    document = parse(f'{{"format": {version}, "texts": []}}'.encode())

    with pytest.raises(
        ValueError, match=r"^format is .*; this release reads 1$"
    ) as caught:
        services.import_texts(document)

    assert len(str(caught.value)) < 1_000


@pytest.mark.parametrize(
    ("digits", "kind"), [(MOST_DIGITS, int), (MOST_DIGITS + 1, float)]
)
def test_a_number_of_many_digits_is_read_about(digits, kind):
    """Python would read some of them slowly, and others not at all."""
    assert MOST_DIGITS == 100
    assert type(parse(b"1" * digits)) is kind


def test_a_message_shows_what_is_nested_from_outside():
    """What is in it could be long at every level."""
    with pytest.raises(ValueError, match="this release reads 1") as caught:
        services.import_texts({"format": [["x"], 1], "texts": []})

    assert str(caught.value) == "format is [[...], 1]; this release reads 1"


def test_a_file_may_be_as_long_as_is_said():
    """The limit itself is allowed."""
    assert parse(b" " * (MOST_BYTES - 2) + b"[]") == []


def test_a_file_is_written_to_be_compared():
    """One member a line, indented by two, every letter as it is, a line feed last."""
    assert written({"format": 1, "texts": ["ü"]}) == (
        '{\n  "format": 1,\n  "texts": [\n    "ü"\n  ]\n}\n'
    )


def test_a_byte_order_mark_is_no_fault():
    """Some editors write one."""
    assert parse(b"\xef\xbb\xbf[]") == []


def test_fixtures_work_beside_it(tmp_path):
    """Django's own dumpdata and loaddata give back the same rows."""
    services.save({"core.a": "Mine"})
    services.save({"core.b": ""}, scope="tenant.x")
    before = rows(), written_over()
    path = tmp_path / "texts.json"
    options = {"natural_foreign": True, "natural_primary": True}
    call_command("dumpdata", "prompts_app.override", output=str(path), **options)
    Override.objects.all().delete()

    call_command("loaddata", str(path), verbosity=0)

    assert (rows(), written_over()) == before

"""Why a save is refused, with its figures, and that then nothing happens."""

from __future__ import annotations

import pytest

from prompts_app import services
from prompts_app.exceptions import EditConflict, SaveRefused
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory
from tests.storing import refused, rows

pytestmark = pytest.mark.django_db

LIMIT = "PROMPTS_APP_MAX_FRAGMENT_CHARS"
TOTAL = "PROMPTS_APP_MAX_STORED_CHARS"


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare fragments of several kinds."""
    registry.register(
        CORE,
        fragment("core.a", "Alpha"),
        fragment("core.b", "Beta"),
        fragment("core.asks", "{{name}} and {{place}}", must_mention=("name", "place")),
        fragment("core.locked", "Locked", locked=True),
    )
    return registry


def codes(*arguments, **options):
    """Return code and key of each fault that refuses a save."""
    return [(f.code, f.key) for f in refused(services.save, *arguments, **options)]


@pytest.mark.parametrize(
    ("text", "code", "line"),
    [
        ("\0", "nul", 1),
        ("one\ntwo \0 \0\n", "nul", 2),
        ("\ud800", "surrogate", 1),
        ("one\r\ntwo\r\n\udfff", "surrogate", 3),
    ],
)
def test_a_character_that_cannot_be_stored_is_refused_with_its_line(text, code, line):
    """NUL and lone surrogates never reach the database."""
    (fault,) = refused(services.save, {"core.a": text})

    assert (fault.code, fault.key, fault.params) == (code, "core.a", {"line": line})
    character = {"nul": "NUL", "surrogate": "lone surrogate"}[code]
    assert fault.message == (
        f"core.a holds a character that cannot be stored ({character}, line {line})."
    )


@pytest.mark.parametrize(
    ("text", "line", "opened"),
    [
        ("a\n<!-- detailed -->\nb", 2, True),
        ("a\n<!-- /detailed -->\n<!-- detailed -->", 2, False),
    ],
)
def test_an_unbalanced_fence_is_refused_with_its_line(text, line, opened):
    """A text whose levels cannot be told apart is not stored."""
    (fault,) = refused(services.save, {"core.a": text})

    assert (fault.code, fault.key) == ("unbalanced_fence", "core.a")
    assert fault.params == {"line": line, "opened": opened}
    said = "opens a fence that nothing closes" if opened else "closes no fence"
    assert fault.message == f"core.a: the level marker in line {line} {said}."


@pytest.mark.case(26)
@pytest.mark.covers("L41")
@pytest.mark.parametrize(
    "key", ["core.none", "nodot", "", "../../settings", "core.a\0", "core.\ud800", "É"]
)
@pytest.mark.parametrize("scope", ["", "tenant.x"])
def test_an_unknown_key_is_refused(key, scope):
    """A text that nothing would ever read is not taken in silence."""
    (saving,) = refused(services.save, {key: "x"}, scope=scope)
    (resetting,) = refused(services.reset, [key], scope=scope)

    assert (saving.code, saving.scope, saving.key) == ("unknown_fragment", scope, key)
    assert saving == resetting


def test_a_key_of_another_scope_is_unknown(declared):
    """A fragment that one scope declares exists for that scope alone."""
    declared.register(fragment("core.near", "Near"), scope="tenant.x")

    services.save({"core.near": "Mine"}, scope="tenant.x")

    assert codes({"core.near": "Mine"}) == [("unknown_fragment", "core.near")]


@pytest.mark.parametrize("scope", ["", "tenant.x"])
def test_a_locked_fragment_is_refused(scope):
    """Neither its text nor its default can be saved, and nothing reset."""
    (fault,) = refused(services.save, {"core.locked": "Mine"}, scope=scope)
    same = refused(services.save, {"core.locked": "Locked"}, scope=scope)
    resetting = refused(services.reset, ["core.locked"], scope=scope)

    assert (fault.code, fault.key) == ("locked", "core.locked")
    assert (fault,) == same == resetting


@pytest.mark.case(34)
def test_losing_a_variable_that_must_be_mentioned_takes_a_confirmation():
    """Each lost variable is named, and confirmed by itself."""
    lost = refused(services.save, {"core.asks": "Nothing of the kind"})
    half = codes({"core.asks": "Nothing"}, confirm=[("core.asks", "name")])
    other = codes({"core.asks": "{{name}}"}, confirm=[("core.a", "place")])
    services.save(
        {"core.asks": "Nothing"},
        confirm=[("core.asks", "name"), ("core.asks", "place")],
    )

    assert [f.params for f in lost] == [{"variable": "name"}, {"variable": "place"}]
    assert "{{name}}" in lost[0].message
    assert half == other == [("must_mention", "core.asks")]
    assert rows() == {("", "core.asks"): "Nothing"}


def test_what_was_lost_before_is_not_asked_about_again():
    """Only the loss that this save makes takes a confirmation."""
    OverrideFactory(key="core.asks", text="{{name}} alone")

    services.save({"core.asks": "Still {{ name }} alone"})

    assert codes({"core.asks": "None"}) == [("must_mention", "core.asks")]


def test_switching_off_takes_no_confirmation_and_switching_on_does():
    """Off is a decision of its own; a text after it is held to the whole list."""
    services.save({"core.asks": ""})

    found = codes({"core.asks": "On again, with {{place}}"})

    assert found == [("must_mention", "core.asks")]


def test_all_faults_are_told_at_once(settings):
    """Whoever corrects a save corrects it once; the sound texts are not stored."""
    setattr(settings, LIMIT, 50)
    setattr(settings, TOTAL, 60)
    values = {
        "core.b": "fine",
        "core.none": "x",
        "core.locked": "x",
        "core.asks": "\0 \ud800\n<!-- detailed -->\n" + "x" * 50,
    }

    found = codes(values)

    assert found == [
        ("unknown_fragment", "core.none"),
        ("locked", "core.locked"),
        ("too_long", "core.asks"),
        ("nul", "core.asks"),
        ("surrogate", "core.asks"),
        ("unbalanced_fence", "core.asks"),
        ("must_mention", "core.asks"),
        ("must_mention", "core.asks"),
        ("total_too_long", ""),
    ]


def test_a_conflict_names_its_scope():
    """The same key may be edited in several at once."""
    shown = {"core.a": "0" * 16}

    (fault,) = refused(
        services.save, {"core.a": "Mine"}, scope="tenant.x", based_on=shown
    )

    assert (fault.code, fault.scope, fault.key) == ("conflict", "tenant.x", "core.a")
    assert fault.message == "core.a was changed by somebody else meanwhile."


def test_taking_back_what_another_changed_is_a_conflict_too():
    """The default that is typed would remove a text nobody has seen."""
    services.save({"core.a": "Theirs"})

    (fault,) = refused(
        services.save, {"core.a": "Alpha"}, based_on={"core.a": "0" * 16}
    )

    assert (fault.code, fault.key) == ("conflict", "core.a")


def test_a_conflict_beside_another_fault_is_no_plain_conflict():
    """Both are told, and who catches conflicts alone does not catch this."""
    services.save({"core.a": "Theirs"})
    values = {"core.a": "Mine", "core.b": "\0"}

    with pytest.raises(SaveRefused) as caught:
        services.save(values, based_on={"core.a": "0" * 16})

    assert not isinstance(caught.value, EditConflict)
    assert [f.code for f in caught.value.faults] == ["conflict", "nul"]


def test_a_refusal_holds_no_text():
    """Messages and what is printed of an error quote keys and figures alone."""
    canary = "canary \0\n<!-- detailed -->"

    with pytest.raises(SaveRefused) as caught:
        services.save({"core.asks": canary})

    told = str(caught.value) + repr(caught.value) + repr(caught.value.faults)
    assert len(caught.value.faults) == 4
    assert "canary" not in told

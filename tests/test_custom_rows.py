"""Rows that become fragments: nothing is lost on the way, and nothing wrong gets in."""

from __future__ import annotations

import logging

import pytest
from django.core.exceptions import ValidationError
from hypothesis import given, settings, strategies as st

from prompts_app import Fragment, Level, Lifetime, services
from prompts_app.contrib.custom.declaring import FIELDS, is_key
from prompts_app.contrib.custom.models import CustomFragment
from prompts_app.exceptions import InvalidDeclaration
from tests.assembling import CORE, fragment, variable
from tests.factories import CustomFragmentFactory, OverrideFactory
from tests.storing import everything

pytestmark = pytest.mark.django_db

words = st.from_regex(r"[a-z][a-z0-9_]{0,30}", fullmatch=True)
keys = st.from_regex(r"[a-z][a-z0-9_]{0,9}\.[a-z0-9][a-z0-9_-]{0,88}", fullmatch=True)
scopes = st.from_regex(r"[a-z][a-z0-9_]{0,9}\.[a-z0-9][a-z0-9._-]{0,9}", fullmatch=True)
texts = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]))
labels = texts.map(lambda text: text[:199] + "!")
names = st.lists(words, max_size=3).map(tuple)
numbers = st.one_of(
    st.integers(-(2**53), 2**53),
    st.floats(allow_nan=False, allow_infinity=False, allow_subnormal=False),
)


@st.composite
def fragments(draw):
    """Return any fragment that can be stored."""
    key = draw(keys)
    level = draw(st.sampled_from((None, *Level)))
    former = draw(st.lists(keys, max_size=2))
    return Fragment(
        key,
        label=draw(labels),
        group=draw(words),
        default=draw(texts),
        hint=draw(texts),
        order=draw(numbers),
        variables=draw(st.none() | names),
        families=draw(names),
        requires=draw(names),
        unless=draw(names),
        when_tools=draw(st.sampled_from((None, True, False))),
        level=level,
        lean_reason=draw(labels if level == "lean" else texts),
        must_mention=draw(names),
        provides=draw(st.just("") | words.map(lambda name: f"own_{name}")),
        lifetime=draw(st.sampled_from((None, *Lifetime))),
        priority=draw(st.integers(-(2**31), 2**31 - 1)),
        optional_lines=draw(st.booleans()),
        locked=draw(st.booleans()),
        former_keys=tuple(one for one in former if one != key),
    )


@settings(max_examples=60)
@given(fragments(), st.just("") | scopes)
def test_any_fragment_survives_being_a_row(declared, scope):
    """Every gate, number and text comes back from the database as it was declared."""
    row = CustomFragment.from_fragment(declared, scope)
    row.full_clean()
    row.save()

    read = CustomFragment.objects.get(pk=row.pk)
    CustomFragment.objects.all().delete()

    assert read.declaration() == (scope, declared)
    assert read.natural_key() == (scope, declared.key)


def test_a_row_has_every_field_of_a_fragment():
    """What fragments learn, rows have to learn too."""
    assert {"key", *FIELDS} == set(Fragment.__dataclass_fields__) - {"_"}


def test_a_row_is_a_fragment_like_any_other(with_rows):
    """It is gated, ordered, filled in and left out as one that an app declares."""
    with_rows.register(CORE, variable("who"), fragment("core.a", "Alpha", order=2))
    CustomFragmentFactory(key="custom.x", text="Hi {{who}}.", order=1, requires=["who"])
    CustomFragmentFactory(
        key="custom.x", text="Hello.", order=3, scope="tenant.x", families=["web"]
    )

    def text(**asked):
        return services.assemble(**asked).text

    assert text() == "Alpha"
    assert text(variables={"who": "Ada"}) == "Hi Ada.\n\nAlpha"
    assert text(scope="tenant.x", variables={"who": "Ada"}) == "Alpha"
    assert text(scope="tenant.x", families=["web"]) == "Alpha\n\nHello."


FAULTS = {
    "scope": ("Tenant", "key 'Tenant' does not match"),
    "key": ("no key", "key 'no key' does not match"),
    "group": ("Two Words", "group 'Two Words' does not match"),
    "order": (float("nan"), "order nan is not finite"),
    "families": (["Web"], "families 'Web' does not match"),
    "requires": (["a b"], "requires 'a b' does not match"),
    "unless": ({"a": 1}, "unless holds a dict, not a text"),
    "must_mention": (None, "must_mention holds a NoneType, not a text"),
    "variables": ("who", "variables has to be a collection of texts, not one text"),
    "level": ("loud", "level 'loud' is none of lean, detailed"),
    "lifetime": (9, "lifetime 9 is none of 0, 1, 2, 3"),
    "provides": ("lb", "provides='lb' is the registry's own variable"),
    "lean_reason": (" ", "a lean-only fragment gives lean_reason"),
    "former_keys": (["custom.x"], "former_keys holds the key itself"),
}


def row_with(**wrong):
    """Return a row that is lean-only for a reason, but for what is *wrong*."""
    right = {"key": "custom.x", "label": "X", "group": "core", "lean_reason": "So."}
    return CustomFragment(**right | {"level": "lean", "text": "Secret"} | wrong)


@pytest.mark.parametrize("field", FAULTS)
def test_what_could_not_be_declared_is_refused_beside_its_field(field):
    """The form says what a declaration in code would be refused for."""
    value, said = FAULTS[field]

    with pytest.raises(ValidationError) as caught:
        row_with(**{field: value}).full_clean()

    assert list(caught.value.message_dict) == [field]
    assert any(message.startswith(said) for message in caught.value.message_dict[field])


def test_all_faults_are_told_at_once():
    """Nobody has to save once for each."""
    wrong = {
        field: value for field, (value, _) in FAULTS.items() if field != "lean_reason"
    }

    with pytest.raises(ValidationError) as caught:
        row_with(**wrong | {"key": "Bad': key"}).full_clean()

    assert set(caught.value.message_dict) == set(wrong) - {"former_keys"}


def test_what_is_missing_is_told_once():
    """A field that has to be filled in says so itself."""
    with pytest.raises(ValidationError) as caught:
        row_with(key="", label="", group="").full_clean()

    assert caught.value.message_dict == {
        name: ["This field cannot be blank."] for name in ("key", "label", "group")
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("One\n<!-- detailed -->", "The level marker in line 2 has no partner."),
        ("a\nb\0", "This text holds a character that cannot be stored (NUL, line 2)."),
        (
            "\ud800",
            "This text holds a character that cannot be stored (lone surrogate, line 1).",
        ),
    ],
)
def test_a_text_that_cannot_be_kept_is_refused(text, said):
    """As on the page of fragments, with its line."""
    with pytest.raises(ValidationError) as caught:
        row_with(text=text).full_clean()

    assert caught.value.message_dict == {"text": [said]}


def test_one_address_is_one_row():
    """A second row of the same scope and key is refused; another scope is free."""
    CustomFragmentFactory(key="custom.x")

    with pytest.raises(ValidationError, match="already exists"):
        row_with().full_clean()
    row_with(scope="tenant.x").full_clean()


@pytest.mark.parametrize(
    "wrong",
    [
        {"key": "No Key"},
        {"scope": "Nowhere"},
        {"group": ""},
        {"requires": {"who": 1}},
        {"level": "loud"},
        {"lifetime": 9},
    ],
)
def test_a_row_written_unvalidated_takes_no_prompt_down(with_rows, caplog, wrong):
    """It is left out and logged by its key; no word of its text is."""
    with_rows.register(CORE, fragment("core.a", "Alpha"))
    row = CustomFragmentFactory(text="Secret", **{"key": "custom.x"} | wrong)
    CustomFragmentFactory(key="custom.y", order=1)

    with caplog.at_level(logging.WARNING, "prompts_app"):
        text = services.assemble(scope="tenant.x").text

    assert text == "Alpha\n\nRow"
    assert caplog.messages == [f"Custom fragment {row.key!r} is invalid and left out"]
    with pytest.raises(InvalidDeclaration):
        row.declaration()


def test_a_marker_without_partner_is_sent_whole(with_rows):
    """As with any text that was written behind the app's back."""
    with_rows.register(CORE)
    CustomFragmentFactory(key="custom.x", text="<!-- detailed -->\nRow")

    assert services.assemble(level="lean").text == "<!-- detailed -->\nRow"


def test_a_registered_key_is_not_taken(with_rows):
    """The row waits until the software gives the key up."""
    app = with_rows.register(fragment("core.a", "Alpha"))
    with_rows.register(CORE)
    CustomFragmentFactory(key="core.a", text="Mine")

    assert services.assemble().text == "Alpha"
    assert [one.reason for one in services.view_of().lost_claims] == ["registered"]
    app.remove()
    assert services.assemble().text == "Mine"


def test_a_locked_row_holds_in_every_scope(with_rows):
    """Neither another row nor an override replaces it."""
    with_rows.register(CORE)
    CustomFragmentFactory(key="custom.x", text="Locked", locked=True)
    CustomFragmentFactory(key="custom.x", text="Near", scope="tenant.x")
    OverrideFactory(key="custom.x", scope="tenant.x", text="Saved")

    assert services.assemble(scope="tenant.x").text == "Locked"
    assert [one.reason for one in services.view_of().lost_claims] == ["protected"]


@pytest.mark.case(41)
@pytest.mark.covers("L32")
def test_a_row_made_again_finds_its_override(with_rows):
    """What was saved on the page belongs to the key, not to the row."""
    with_rows.register(CORE)
    row = CustomFragmentFactory(key="custom.x")
    services.save({"custom.x": "My wording"})

    row.delete()
    without = services.assemble().text
    CustomFragmentFactory(key="custom.x", text="Row made again")

    assert without == ""
    assert services.assemble().text == "My wording"


def test_a_blank_row_is_off_and_can_be_worded(with_rows):
    """There is no other switch: a blank text sends nothing, a saved one counts."""
    with_rows.register(CORE)
    CustomFragmentFactory(key="custom.x", text="")

    assert services.assemble().text == ""
    services.save({"custom.x": "Worded"})
    assert services.assemble().text == "Worded"


@pytest.mark.covers("L30", "W15")
def test_rows_are_read_by_one_query_when_texts_are_loaded(
    with_rows, django_assert_num_queries
):
    """A warm assembly asks for the version alone, and nothing is written."""
    with_rows.register(CORE)
    for _ in range(3):
        CustomFragmentFactory()
    before = everything()

    with django_assert_num_queries(4) as cold:
        services.assemble()
    with django_assert_num_queries(1):
        services.assemble()

    about_rows = [q for q in cold.captured_queries if "customfragment" in q["sql"]]
    assert len(about_rows) == 1
    assert everything() == before


def test_a_row_is_named_by_its_address():
    """No text stands in what logs and messages call it."""
    row = CustomFragment(scope="tenant.x", key="custom.x", label="X", text="Secret")

    assert str(row) == "tenant.x custom.x"
    assert str(CustomFragment(key="custom.x", text="Secret")) == "custom.x"
    assert "Secret" not in repr(row)


def test_a_key_can_be_told_from_what_is_none():
    """The form asks before it keeps an earlier key."""
    assert is_key("custom.x")
    assert not is_key("No Key")
    assert not is_key("a." + "x" * 99)

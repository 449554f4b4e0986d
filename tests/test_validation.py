"""Names, numbers and collections, as every way in checks them."""

from __future__ import annotations

import pytest

from prompts_app import validation as valid
from prompts_app.exceptions import InvalidDeclaration, PromptsError

LONG = "k." + "a" * 98


@pytest.mark.covers("L4", "W16")
@pytest.mark.case(54)
@pytest.mark.parametrize(
    "key",
    [
        *("a.b", "core.0", "core.a-b_c", "a_1.b", "core.add", "core.preview"),
        *("core.history", "core.export", "core.9-", LONG),
    ],
)
def test_these_are_keys(key):
    """Prefix, dot and name, whatever the name means elsewhere, up to 100 characters."""
    assert valid.is_key(key)


NO_KEYS = [
    *("", "a", ".a", "a.", "A.b", "a.B", "1.a", "_a.b", "a.-b", "a._b", "a.b.c"),
    *("a.b\n", "\na.b", "a.b ", "chat/title", "ü.key", "a.ü", "100%", "a.b%", "a-b.c"),
    *("../../settings", "a.b\0", LONG + "a", None, 1, b"a.b", ("a.b",)),
]


@pytest.mark.covers("L4", "W16")
@pytest.mark.case(26, 53)
@pytest.mark.parametrize("key", NO_KEYS, ids=repr)
def test_these_are_no_keys(key):
    """The whole text has to match, and nothing but a text is looked at."""
    assert not valid.is_key(key)


@pytest.mark.parametrize(
    "scope", ["", "tenant.acme", "model.gpt-4.1_x", "language.1", "k.a..b", LONG]
)
def test_these_are_scopes(scope):
    """Global, or kind and name; a name may hold dots."""
    assert valid.is_scope(scope)


@pytest.mark.parametrize(
    "scope",
    [
        *("acme", "Tenant.acme", "tenant.Acme", "tenant.", ".acme", "tenant. acme"),
        *("tenant.acme\n", "tenant.-a", " ", "tenant.ä", LONG + "a", None, 0, b""),
    ],
    ids=repr,
)
def test_these_are_no_scopes(scope):
    """What is no scope cannot be stored, declared or asked for."""
    assert not valid.is_scope(scope)


def test_a_chain_is_from_far_to_near():
    """The order is kept, and one text is a chain of one."""
    assert valid.chain(["tenant.acme", "agent.x"]) == ("tenant.acme", "agent.x")
    assert valid.chain("tenant.acme") == ("tenant.acme",)
    assert valid.chain(iter(["b.c", "a.b"])) == ("b.c", "a.b")


def test_the_global_layer_stands_under_every_chain():
    """It may be named and is left out of the chain."""
    assert valid.chain("") == valid.chain(()) == valid.chain(["", ""]) == ()
    assert valid.chain(("", "tenant.acme")) == ("tenant.acme",)


def test_a_chain_holds_scopes_and_none_twice():
    """What cannot be a chain is refused with the culprit."""
    with pytest.raises(ValueError, match="'acme' is no scope"):
        valid.chain(["tenant.acme", "acme"])
    with pytest.raises(ValueError, match="names one twice"):
        valid.chain(["tenant.acme", "tenant.acme"])
    with pytest.raises(TypeError, match="scope holds a NoneType"):
        valid.chain(["tenant.acme", None])


@pytest.mark.parametrize("value", ["core", b"core"])
def test_one_text_is_no_collection(value):
    """The field is named, since its letters would be taken for names."""
    with pytest.raises(TypeError, match=r"^include has to be a collection of texts"):
        valid.strings("include", value)


@pytest.mark.covers("W12")
def test_a_generator_is_used_up_once():
    """What is kept of a collection can be read again and again."""
    kept = valid.strings("families", (name for name in ("a", "b")))

    assert kept == ("a", "b") == tuple(kept)


def test_a_collection_of_texts_holds_nothing_else():
    """The kind of the stranger is named, not its value."""
    with pytest.raises(TypeError, match=r"^families holds a int, not a text$"):
        valid.strings("families", ["a", 7])


@pytest.mark.parametrize("permission", ["", "shop.change_order", "a.b", "A_1.b_2"])
def test_a_permission_is_empty_or_app_and_codename(permission):
    """As Django writes them."""
    valid.check_permission("Group 'g'", permission)


@pytest.mark.parametrize("permission", ["shop", "shop.", ".b", "a.b.c", "a b.c", 7])
def test_another_permission_is_refused(permission):
    """A right that nobody could have would lock everybody out."""
    with pytest.raises(InvalidDeclaration, match=r"is not app_label\.codename"):
        valid.check_permission("Group 'g'", permission)


@pytest.mark.parametrize("value", [True, False, "1", None, float("nan"), float("inf")])
def test_a_number_is_finite_and_no_truth_value(value):
    """Anything else could not be sorted."""
    with pytest.raises(InvalidDeclaration, match="order"):
        valid.check_number("Fragment 'a.b'", "order", value)


def test_a_whole_number_is_no_fraction():
    """Where only a whole one makes sense."""
    valid.check_number("Fragment 'a.b'", "priority", -3, whole=True)
    with pytest.raises(InvalidDeclaration, match=r"priority 1\.5 is no number"):
        valid.check_number("Fragment 'a.b'", "priority", 1.5, whole=True)


def test_frozen_values_thaw_into_fresh_ones():
    """Mappings become dicts, sequences lists, and nothing is shared."""
    value = {"a": [1, {"b": (2, [])}], "c": "text"}
    frozen = valid.freeze(value)

    value["a"].append(3)
    thawed = valid.thaw(frozen)

    assert thawed == {"a": [1, {"b": [2, []]}], "c": "text"}
    assert valid.thaw(frozen) is not thawed
    assert valid.thaw(frozen)["a"] is not thawed["a"]
    with pytest.raises(TypeError):
        frozen["a"] = 1
    with pytest.raises(TypeError):
        frozen["a"][1]["b"] = 1


def test_near_misses_are_the_best_first_and_at_most_three():
    """A misspelt key is offered what it may have meant, in the same order always."""
    keys = {"core.style", "core.styles", "core.stile", "core.style2", "task.title"}

    near = valid.near("core.styl", keys)

    assert near[0] == "core.style"
    assert len(near) == 3
    assert valid.near("zzz", keys) == ()


def test_an_invalid_declaration_is_a_value_error():
    """It can be caught by the root of this package's errors as well."""
    assert issubclass(InvalidDeclaration, PromptsError)
    assert issubclass(InvalidDeclaration, ValueError)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *(("", True), ("core.a", True), ("No key\n", True), ("k" * 100, True)),
        *(("k" * 101, False), ("a\0", False), ("\ud800", False), ("\udfff", False)),
    ],
)
def test_a_row_may_have_a_name_that_no_declaration_could_have(name, expected):
    """But none that a database cannot be asked for."""
    assert valid.can_be_stored(name) is expected


def test_a_name_is_written_in_one_line():
    """What would begin another, or steer a terminal, is spelled out; letters are not."""
    assert valid.in_a_line("a\n\x1b[2J\u2028\x85b") == r"a\n\x1b[2J\u2028\x85b"
    assert valid.in_a_line("Grün: ja, …") == "Grün: ja, …"

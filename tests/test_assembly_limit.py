"""A prompt that has to be short, and a prompt that has to be right."""

from __future__ import annotations

import pytest

from prompts_app.assembly import DraftSection
from prompts_app.exceptions import (
    MalformedReference,
    MissingValue,
    PromptTooLong,
    TextError,
    UnknownVariable,
)
from tests.assembling import (
    assemble,
    entry,
    fragment,
    hooked,
    outcomes,
    registry_of,
    variable,
)


def letters(*priorities, **options):
    """Return a registry of fragments of three characters with these priorities."""
    return registry_of(
        *(
            fragment(f"core.{chr(97 + n)}", chr(65 + n) * 3, priority=one, **options)
            for n, one in enumerate(priorities)
        )
    )


@pytest.mark.covers("L59", "W4", "W37")
@pytest.mark.parametrize(
    ("priorities", "limit", "text"),
    [
        ((0, 0, 0), None, "AAA\n\nBBB\n\nCCC"),
        ((0, 0, 0), 0, "AAA\n\nBBB\n\nCCC"),
        ((0, 0, 0), 13, "AAA\n\nBBB\n\nCCC"),
        ((0, 0, 0), 12, "AAA\n\nBBB"),
        ((0, 0, 0), 7, "AAA"),
        ((0, 1, 2), 8, "BBB\n\nCCC"),
        ((2, 0, 1), 8, "AAA\n\nCCC"),
        ((-1, 0, -1), 8, "AAA\n\nBBB"),
        ((0, 0, 0), 2, ""),
    ],
)
def test_whole_fragments_go_until_the_limit_is_kept(priorities, limit, text):
    """The lowest priority first, of equals the last, and no word is cut."""
    assert assemble(letters(*priorities), limit=limit).text == text


def test_what_went_is_told_with_the_limit():
    """In the trace, and it is no section and in no lane."""
    built = assemble(letters(0, 0), limit=5)

    assert outcomes(built) == {"core.a": "included", "core.b": "dropped"}
    told = entry(built, "core.b")
    assert (told.reason.code, told.text, told.length) == ("limit", "", 0)
    assert str(told.reason) == "Over the limit of 5"
    assert "".join(lane.text for lane in built.lanes.values()) == "AAA"


def test_the_rest_is_welded_anew():
    """A list comes together where what stood between its items went."""
    registry = registry_of(
        fragment("core.a", "- a", priority=1),
        fragment("core.b", "Between.", priority=0),
        fragment("core.c", "- c", priority=1),
    )

    assert assemble(registry, limit=10).text == "- a\n- c"


@pytest.mark.covers("L59")
@pytest.mark.parametrize("locked", [False, True])
def test_what_is_protected_never_goes(locked):
    """If the limit cannot be met without it, the call is refused with the figures."""
    registry = letters(0, 5)
    registry.register(fragment("core.z", "ZZZ", priority=-9, locked=locked))
    if not locked:
        registry.protect(["core.z"])

    assert assemble(registry, limit=3).text == "ZZZ"
    with pytest.raises(PromptTooLong, match="shorter than 3; the limit is 2") as caught:
        assemble(registry, limit=2)
    assert (caught.value.length, caught.value.limit) == (3, 2)


def test_a_hooks_section_goes_like_any_of_priority_zero():
    """It has no declaration that could say otherwise."""
    registry = letters(1, -1)
    hooked(registry, lambda draft: draft.sections.insert(0, DraftSection("x.x", "XXX")))

    assert assemble(registry, limit=8).text == "XXX\n\nAAA"
    assert assemble(registry, limit=3).text == "AAA"


@pytest.mark.covers("L66")
def test_the_limit_is_in_the_measures_unit():
    """Words, tokens or bytes: whoever calls counts as the model does."""
    registry = registry_of(fragment("core.a", "one two"), fragment("core.b", "three"))

    assert assemble(registry, limit=2, measure=lambda t: len(t.split())).text == (
        "one two"
    )
    assert assemble(registry, limit=3, measure=lambda t: len(t.split())).text == (
        "one two\n\nthree"
    )


def test_code_points_are_counted_unless_told_otherwise():
    """A character outside the basic plane is one."""
    registry = registry_of(fragment(default="😀" * 6))

    assert assemble(registry, limit=6).text == "😀" * 6
    assert assemble(registry, limit=5).text == ""


def test_a_limit_is_met_with_few_measurements():
    """Of a thousand fragments, eleven are not counted a thousand times."""
    many = [fragment(f"core.f{n}", "x" * 10, order=n) for n in range(1000)]
    measured = []

    def measure(text):
        measured.append(len(text))
        return len(text)

    built = assemble(registry_of(*many), limit=100, measure=measure)

    assert len(built.sections) == 8
    assert len(measured) < 20


@pytest.mark.covers("L59")
def test_a_negative_limit_is_refused():
    """Nothing could be as short."""
    with pytest.raises(ValueError, match="limit is -1; it cannot be negative"):
        assemble(registry_of(), limit=-1)


def test_the_seam_is_not_counted():
    """It belongs to the authored prompt, which the limit does not know."""
    registry = registry_of(fragment(), fragment("seam.s", "S" * 50, group="seam"))

    assert assemble(registry, limit=1).seam == "S" * 50


@pytest.mark.covers("D60", "D61", "D65", "W8", "W30")
@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("{{ who }}", MalformedReference),
        ("{{nobody}}", UnknownVariable),
        ("{{unset}}", MissingValue),
        ("{{tool_names}}", MissingValue),
        ("{{ {{who}}", MalformedReference),
        ("{{Who}}", MalformedReference),
    ],
)
def test_strict_raises_what_lenient_lets_pass(text, error):
    """The first fault of an admitted text, with its fragment and all names there are."""
    one = fragment(default=f"x {text}")
    registry = registry_of(one, variable("unset"), variable("who"))
    given = {"variables": {"who": "Ada", "more": "x"}, "tools": []}

    assert assemble(registry, **given).text
    with pytest.raises(error) as caught:
        assemble(registry, **given, strict=True)
    assert caught.value.fragment == "core.a"
    assert caught.value.names == ("lb", "more", "tool_names", "unset", "who")


@pytest.mark.covers("D61")
def test_strict_looks_at_admitted_texts_at_their_level_only():
    """What is off, kept out or coaching that is left out may hold anything."""
    registry = registry_of(
        fragment("core.a", "{{nobody}}", when_tools=True),
        fragment("core.b", "{{nobody}}"),
        fragment("core.c", "ok\n<!-- detailed -->\n{{nobody}}\n<!-- /detailed -->"),
        fragment("task.t", "{{nobody}}", group="tasks"),
    )
    given = {"overrides": {"core.b": ""}, "level": "lean", "strict": True}

    assert assemble(registry, **given).text == "ok"


@pytest.mark.covers("D61")
def test_the_first_fault_in_order_is_raised():
    """The seam's texts are looked at like any other."""
    registry = registry_of(
        fragment("core.b", "{{second}}", order=2),
        fragment("core.a", "{{first}}", order=1),
    )

    with pytest.raises(TextError) as caught:
        assemble(registry, strict=True)
    assert caught.value.fragment == "core.a"
    seam = registry_of(fragment("seam.s", "{{nobody}}", group="seam"))
    with pytest.raises(UnknownVariable):
        assemble(seam, strict=True)


@pytest.mark.covers("D65", "W33")
def test_strict_changes_no_byte():
    """Lines go, edges are trimmed and blank sections left out as ever."""
    registry = registry_of(
        fragment("core.a", "\n a\n{{x}}\nb {{x}} \n"),
        fragment("core.b", " \n"),
        fragment("core.c", "label {{x}}", optional_lines=True),
    )

    lenient = assemble(registry, variables={"x": ""})
    strict = assemble(registry, variables={"x": ""}, strict=True)

    assert strict.text == lenient.text == "a\nb"

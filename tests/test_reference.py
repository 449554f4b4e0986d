"""The assembler against one that is slow and obvious, over random catalogues."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, assume, given, settings

from prompts_app.assembly import Context, DraftSection, Snapshot, build
from prompts_app.exceptions import PromptTooLong, TextError
from prompts_app.registry import Registry
from tests.reference import Reference
from tests.strategies import cases

calm = [
    HealthCheck.too_slow,
    HealthCheck.data_too_large,
    HealthCheck.filter_too_much,
]
many = settings(max_examples=400, suppress_health_check=calm)
some = settings(max_examples=60, suppress_health_check=calm)


def registry_of(case):
    """Return a registry that holds what *case* registers."""
    registry = Registry()
    for scope, declaration in case.registered:
        registry.register(declaration, scope=scope)
    for scope, key in case.protected:
        registry.protect([key], scope=scope)
    for scope, name in case.protected_tools:
        registry.protect(tools=[name], scope=scope)
    for scope, hook in case.hooks:
        registry.register_hook(
            lambda draft, context, hook=hook: hook(draft, DraftSection), scope
        )
    return registry


def assemble(case, **options):
    """Return what the assembler makes of *case*."""
    snapshot = Snapshot(case.texts, tuple(case.sourced))
    view = registry_of(case).view(case.chain, snapshot.declarations)
    context = Context(
        include=case.include,
        variables=case.variables,
        scope=case.chain,
        level=case.level,
    )
    return build(
        view,
        snapshot,
        context,
        tools=case.tools,
        families=case.families,
        has_tools=case.has_tools,
        tool_order=case.order,
        limit=case.limit,
        **options,
    )


def providers(case):
    """Return each declared provider with the name it stands for."""
    declared = [one for _, one in case.registered if hasattr(one, "provider")]
    return [(one.name, one.provider) for one in declared if one.provider]


def as_built(assembly):
    """Return what matters of each trace entry, in order."""
    return [
        (
            entry.key,
            entry.outcome,
            entry.reason and tuple(entry.reason),
            tuple(entry.origin),
            entry.text,
            entry.lane,
            [note.code for note in entry.notes if note.code != "provider_failed"],
        )
        for entry in assembly.trace
    ]


def as_expected(reference):
    """Return the same of the reference's parts."""
    return [
        (
            part.key,
            part.outcome,
            part.reason,
            part.origin,
            part.text,
            part.lane,
            part.notes,
        )
        for part in reference.parts
    ]


@many
@given(cases)
def test_assembler_and_reference_agree(case):
    """Text, seam, trace, lanes and tools are what the obvious way gives."""
    expected = Reference(case)
    if expected.too_long:
        with pytest.raises(PromptTooLong) as caught:
            assemble(case)
        assert caught.value.length == expected.too_long
        return

    built = assemble(case)

    assert built.text == expected.text
    assert built.seam == expected.seam
    assert as_built(built) == as_expected(expected)
    assert {lane: one.text for lane, one in built.lanes.items()} == expected.lanes
    assert list(built.tools) == expected.tools


@some
@given(cases)
@pytest.mark.covers("D31")
def test_providers_run_at_most_once_and_only_when_needed(case):
    """Nobody asks a provider twice, or one that no admitted text and no gate needs."""
    case = replace(case, limit=0)
    expected = Reference(case)

    assemble(case)

    for name, provider in providers(case):
        assert provider.calls <= (name in expected.may_ask)


@some
@given(cases)
@pytest.mark.covers("D61")
def test_strict_raises_or_changes_no_byte(case):
    """Strict assembly refuses a text, or gives the very text that lenient gives."""
    case = replace(case, limit=0)
    try:
        strict = assemble(case, strict=True)
    except (TextError, LookupError):
        return

    assert strict.text == assemble(case).text


@some
@given(cases)
@pytest.mark.covers("L59")
def test_a_limit_is_kept_and_leaves_the_order_alone(case):
    """A prompt under a limit is no longer than it, a selection of the whole one."""
    assume(case.limit)
    assume(not Reference(case).too_long)
    whole = [section.key for section in assemble(replace(case, limit=0)).sections]

    short = assemble(case)

    left = iter(whole)
    assert len(short.text) <= case.limit
    assert all(section.key in left for section in short.sections)

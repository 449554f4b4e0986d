"""The catalogues of docs/examples, held to more than their pages show."""

from __future__ import annotations

import contextlib
import io
import itertools

import pytest
from hypothesis import given, strategies as st

from prompts_app import Fragment, Lifetime, Tool, services
from prompts_app.assembly import Snapshot
from prompts_app.checks import check_all
from prompts_app.exceptions import AlreadyRegistered
from prompts_app.models import Override
from prompts_app.testing import isolated_registry
from tests.documents import ROOT, blocks, run

PAGES = ("harness", "one-prompt", "surfaces", "preferences")
DEFAULTS = Snapshot()


def declare(page):
    """Run the first example of a page, which declares its catalogue."""
    first = blocks((ROOT / "docs" / "examples" / f"{page}.md").read_text("utf-8"))[0]
    names = {"__name__": "example"}
    with contextlib.redirect_stdout(io.StringIO()):
        run(first.text, names)
    return names


@pytest.fixture
def catalogue(registry, request):
    """Return the names that the page of this test defines."""
    return declare(request.param)


def of(page):
    """Return the mark that declares what *page* declares."""
    return pytest.mark.parametrize("catalogue", [page], indirect=True)


@pytest.mark.parametrize("catalogue", PAGES, indirect=True)
def test_an_example_passes_the_checks_and_has_no_code_but_declarations(
    catalogue, registry
):
    """No hook, no source, no template: whoever copies it copies data."""
    assert check_all() == []
    assert len(registry) >= 2
    assert not registry.records("hook")
    assert not registry.records("source")


@of("harness")
@pytest.mark.django_db
@pytest.mark.covers("D2", "D20", "D77")
def test_the_opener_stands_first_whatever_is_stored(catalogue):
    """Stored rows of it in any layer are passed over, and what it names is provided."""
    for scope in ("", "agent.support"):
        Override.objects.create(scope=scope, key="harness.identity", text="Mine.")
    services.save({"harness.persona": "Kind."}, scope="agent.support")

    built = services.assemble(model="m1", scope="agent.support", families=("shell",))

    assert built.text.startswith("You are Quill, an agent that runs on m1.\n\nKind.")
    keys = [one.key for one in built.sections]
    assert keys == ["harness.identity", "harness.persona", "harness.shell"]


@of("harness")
@pytest.mark.django_db
@pytest.mark.covers("D2", "D6", "D32")
def test_a_blank_persona_keeps_its_name_and_place(catalogue, registry):
    """Nobody else may register it globally, and the space round it is free."""
    again = Fragment("harness.persona", label="P", group="harness", default="Mine.")
    between = Fragment("late.b", label="B", group="harness", default="B", order=-50)

    with pytest.raises(AlreadyRegistered, match="register with scope="):
        registry.register(again)
    registry.register(between)
    services.save({"harness.persona": "Kind."})

    text = services.assemble(model="m1", families=("shell",)).text
    parts = [part.split()[0] for part in text.split("\n\n")]
    assert parts == ["You", "B", "Kind.", "Every"]


@pytest.mark.covers("O1", "O4")
@given(name=st.text("ab{}\n", min_size=1).filter(str.strip), own=st.text("ab{}_ \n"))
def test_the_name_goes_in_everywhere_but_in_the_persons_text(name, own):
    """Whatever either holds: each reference of ours is filled, none of theirs."""
    with isolated_registry():
        declare("one-prompt")
        given_values = {"name": name, "instructions": f"x{own}{{{{name}}}}"}
        built = services.assemble(variables=given_values, overrides=DEFAULTS)

    before, _, after = built.text.rpartition("## Instructions\n\n")
    assert before.startswith(f"You are {name}. People call you {name} and")
    assert after.startswith("x")
    assert after.endswith("{{name}}")


@of("one-prompt")
@pytest.mark.covers("O2", "O3", "O5")
@pytest.mark.parametrize("blank", [None, "", " \n\t", "\ufeff"])
def test_clause_and_instructions_come_and_go_together(catalogue, blank):
    """Also for a sentence that was rewritten, and one that dropped the clause."""
    texts = {"agent.brevity": "Short{{unless_told}}, please{{unless_told}}."}
    without = {"variables": {"name": "Z", "instructions": blank}}
    with_them = {"variables": {"name": "Z", "instructions": "  In verse.\n"}}

    assert services.assemble(**without, overrides=DEFAULTS).text.endswith("sentences.")
    short = services.assemble(**without, overrides=texts)
    assert short.text.endswith("\n\nShort, please.")
    told = services.assemble(**with_them, overrides=texts).text
    clause = ", unless the instructions at the end say otherwise"
    assert f"Short{clause}, please{clause}.\n\n## Instructions\n\n  In verse." in told
    dropped = services.assemble(**with_them, overrides={"agent.brevity": "Short."})
    assert "unless" not in dropped.text
    assert dropped.text.endswith("Short.\n\n## Instructions\n\n  In verse.")


@of("one-prompt")
@pytest.mark.covers("O6", "O8")
def test_what_a_call_is_for_does_not_reach_the_prompt(catalogue):
    """Neither person, nor extra, nor the order of its tools."""
    tools = [Tool(n, description=n, parameters={}) for n in ("b", "a", "c")]
    calls = [
        services.assemble(
            variables={"name": "Z", "instructions": "In verse."},
            tools=order,
            extra=purpose,
            user=purpose,
            overrides=DEFAULTS,
        )
        for order in itertools.permutations(tools)
        for purpose in ("turn", "compaction")
    ]

    assert len({built.fingerprint for built in calls}) == 1
    assert {lane.name for lane, one in calls[0].lanes.items() if one.text} == {
        "FIXED",
        "CONVERSATION",
    }


@of("surfaces")
@pytest.mark.covers("A40", "A41")
@pytest.mark.parametrize("scope", ["surface.mail", "surface.none", ()])
@pytest.mark.parametrize("own", ["", "one word", "\u202e", "```\nx"])
def test_of_two_rules_of_a_surface_one_is_in(catalogue, scope, own):
    """The client's where it sent any, else the built-in one, else none."""
    built = services.assemble(
        scope=scope, variables={"client_rules": own}, overrides=DEFAULTS
    )

    keys = [one.key for one in built.sections][1:]
    built_in = ["surface.rules"] if scope == "surface.mail" else []
    assert keys == (["surface.client_rules"] if own.strip("\u202e") else built_in)
    assert "```" not in built.text


@of("preferences")
@pytest.mark.covers("A24", "A28")
@pytest.mark.parametrize("said", [*itertools.product(["", "x"], repeat=3)], ids=str)
def test_each_preference_has_its_line_or_none(catalogue, said):
    """No heading over nothing, no label without a value, and no key of the renderer."""
    names = catalogue["ECHOED"]
    profile = dict(zip(names, said, strict=True)) | {"prompt_level": "lean", "theme": 1}

    built = services.assemble(variables=profile, overrides=DEFAULTS, level="lean")

    lines = [f"- {name.title()}: x" for name in names if profile[name]]
    own = ["", "## How they like it", "", *lines] if lines else []
    assert built.text.splitlines() == ["Answer what was asked.", *own]
    assert not {"prompt_level", "theme"} & built.variables.keys()


@of("preferences")
@pytest.mark.covers("A3", "A28")
def test_what_steers_the_renderer_never_becomes_text(catalogue, settings):
    """It decides the level, and an administrator's reference to it is the only way in."""
    settings.PROMPTS_APP_USER_LEVEL = lambda user, model: user.get(model) or user["any"]
    person = {"any": "detailed", "small": "lean", "odd": "loud"}

    levels = [
        services.assemble(user=person, model=model, overrides=DEFAULTS).text.count("\n")
        for model in ("large", "small", "odd", "")
    ]

    assert levels == [1, 0, 1, 1]
    assert Lifetime.CALL not in {
        one.lane for one in services.assemble(user=person, overrides=DEFAULTS).trace
    }

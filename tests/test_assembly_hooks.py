"""What hooks see and may change, and what an assembly makes of it."""

from __future__ import annotations

import functools

import pytest

from prompts_app.assembly import DraftSection, Reason
from prompts_app.exceptions import HookError
from prompts_app.registry import Registry
from tests.assembling import (
    CORE,
    SEAM,
    assemble,
    entry,
    fragment,
    hooked,
    outcomes,
    registry_of,
    tool,
    variable,
)

TENANT, AGENT = "tenant.acme", "agent.support"

NO_SECTION = TypeError("Draft.sections holds DraftSection values with text")


def texts(assembly):
    """Return what each included section says, in order."""
    return [section.text for section in assembly.sections]


@pytest.mark.covers("D34", "D35")
def test_a_hook_sees_texts_before_gates_levels_and_values():
    """What is off is not among them, what a gate will keep out is."""
    registry = registry_of(
        fragment(
            "core.a", "{{who}}\n<!-- detailed -->\nx\n<!-- /detailed -->", order=2
        ),
        fragment("core.b", "gated", when_tools=True, order=1.5),
        fragment("core.c", "off"),
        fragment("seam.s", "S", group="seam"),
        fragment("task.t", "T", group="tasks"),
    )
    seen = []
    hooked(registry, lambda draft: seen.extend(draft.sections))

    assemble(registry, overrides={"core.c": " "}, level="lean")

    assert [(one.key, one.order, one.group) for one in seen] == [
        ("seam.s", 0, "seam"),
        ("core.b", 1.5, "core"),
        ("core.a", 2, "core"),
    ]
    assert seen[2].text.startswith("{{who}}\n<!-- detailed -->")
    assert seen[1].fragment is registry["core.b"]
    with pytest.raises(AttributeError):
        seen[1].fragment = None


@pytest.mark.covers("D34")
def test_hooks_run_global_first_then_far_to_near():
    """Each sees what the one before left, and only those of the chain run."""
    registry = registry_of()
    ran = []
    for scope in (AGENT, "", TENANT, "other.x"):
        hooked(registry, lambda draft, scope=scope: ran.append(scope), scope)

    assemble(registry, scope=(TENANT, AGENT))

    assert ran == ["", TENANT, AGENT]


@pytest.mark.covers("D30", "D34")
def test_a_hook_gets_the_context_of_the_call():
    """What it was given, and nothing where nothing was given."""
    registry = registry_of()
    contexts = []
    registry.register_hook(lambda draft, context: contexts.append(context), TENANT)

    assemble(
        registry, scope=TENANT, include=("core",), variables={"x": 1}, level="lean"
    )

    (context,) = contexts
    assert context.scope == (TENANT,)
    assert context.include == ("core",)
    assert context.variables == {"x": 1}
    assert (context.level, context.model, context.user) == ("lean", "", None)


@pytest.mark.covers("D34")
def test_the_order_that_hooks_leave_is_the_order_of_the_prompt():
    """Nothing is sorted again, whatever a section's order says."""
    registry = registry_of(fragment("core.a", "A"), fragment("core.b", "B"))

    def change(draft):
        draft.sections.reverse()
        draft.sections.insert(1, DraftSection("core.new", "N", 99))

    hooked(registry, change)

    assert texts(assemble(registry)) == ["B", "N", "A"]


@pytest.mark.covers("D34", "D35")
def test_what_a_hook_writes_is_filled_and_judged_like_any_text():
    """Gates, levels and values come after it, and it may add values itself."""
    registry = registry_of(
        fragment("core.a", requires=["who"]), variable("who", lambda context: "nobody")
    )

    def change(draft):
        draft.sections[0].text = "Hi {{who}}\n<!-- detailed -->\nD\n<!-- /detailed -->"
        draft.variables["who"] = "Ada"

    hooked(registry, change)
    built = assemble(registry, level="lean")

    assert built.text == "Hi Ada"
    assert built.variables["who"] == "Ada"


def test_a_hook_cannot_change_what_the_caller_holds():
    """The draft's variables and tools are copies."""
    registry = registry_of(fragment())
    given, offered = {"who": "Ada"}, [tool("read")]

    def change(draft):
        draft.variables.clear()
        draft.tools.clear()
        draft.sections.clear()

    hooked(registry, change)
    assemble(registry, variables=given, tools=offered)

    assert given == {"who": "Ada"}
    assert offered == [tool("read")]
    assert registry["core.a"].default == "A"


def test_a_section_that_a_hook_takes_out_is_told_at_its_place():
    """The trace says that a hook did it."""
    registry = registry_of(*(fragment(f"core.{n}", n) for n in "abc"))
    hooked(registry, lambda draft: draft.sections.pop(1))

    built = assemble(registry)

    assert outcomes(built) == {
        "core.a": "included",
        "core.b": "dropped",
        "core.c": "included",
    }
    assert entry(built, "core.b").reason == Reason("hook")
    assert str(entry(built, "core.b").reason) == "Taken out by a hook"


def test_a_text_that_a_hook_changed_is_a_hooks():
    """Of the layer of the last hook that changed it; unchanged ones keep theirs."""
    registry = registry_of(*(fragment(f"core.{n}", n) for n in "abcd"))

    def change(draft, places):
        for place in places:
            draft.sections[place].text += "+"

    hooked(registry, functools.partial(change, places=[0, 1]))
    hooked(registry, functools.partial(change, places=[1, 2]), TENANT)
    built = assemble(registry, scope=TENANT, overrides={"core.d": "mine"})

    assert [tuple(one.origin) for one in built.trace] == [
        ("hook", ""),
        ("hook", TENANT),
        ("hook", TENANT),
        ("override", ""),
    ]
    assert texts(built) == ["a+", "b++", "c+", "mine"]


def test_a_text_that_a_hook_put_back_is_not_a_hooks():
    """Only what is left counts."""
    registry = registry_of(fragment())

    def append(draft, text):
        draft.sections[0].text += text

    def put_back(draft):
        draft.sections[0].text = "A"

    hooked(registry, functools.partial(append, text="x"))
    hooked(registry, put_back)

    assert entry(assemble(registry), "core.a").origin == ("default", "")


def test_a_section_of_a_hooks_own_has_no_gates():
    """Its group decides whether it belongs to the seam; without one it is text."""
    registry = registry_of(fragment())

    def add(draft):
        draft.sections += [
            DraftSection("core.x", "X"),
            DraftSection("seam.x", "S", group="seam"),
            DraftSection("task.x", "T", group="tasks"),
        ]

    hooked(registry, add)
    built = assemble(registry)

    assert texts(built) == ["A", "X", "T"]
    assert built.seam == "S"
    assert entry(built, "core.x").origin == ("hook", "")


def test_a_section_may_be_given_a_fragments_gates():
    """A hook that doubles a section takes its declaration along."""
    registry = registry_of(fragment(requires=["x"]))

    def add(draft):
        own = draft.sections[0].fragment
        draft.sections.append(DraftSection("core.twin", "T", fragment=own))

    hooked(registry, add)

    assert assemble(registry).text == ""
    assert assemble(registry, variables={"x": "1"}).text == "A\n\nT"


def test_a_switched_off_fragment_may_come_back_by_a_hook():
    """Its place in the trace is taken by what the hook made."""
    registry = registry_of(fragment())
    hooked(registry, lambda draft: draft.sections.append(DraftSection("core.a", "B")))

    built = assemble(registry, overrides={"core.a": ""})

    assert built.text == "B"
    assert [one.outcome for one in built.trace] == ["included"]


class HookObject:
    """A hook that is an object."""

    def __call__(self, draft, context):
        """Fail."""
        raise KeyError


def failing(draft, context):
    """Fail."""
    raise KeyError


@pytest.mark.covers("D37")
@pytest.mark.parametrize(
    ("hook", "name"),
    [
        (failing, "failing"),
        (HookObject(), "HookObject"),
        (functools.partial(failing), "partial"),
    ],
)
def test_a_hook_that_raises_is_named(hook, name):
    """The error is chained, and names no text."""
    registry = registry_of(fragment(default="secret"))
    registry.register_hook(hook)

    with pytest.raises(HookError, match=f"{name} raised an error$") as caught:
        assemble(registry)

    assert isinstance(caught.value.__cause__, KeyError)
    assert caught.value.hook.rpartition(".")[2] == name


def test_a_hook_that_has_to_be_waited_for_is_refused():
    """It would have changed nothing, and nobody would have known."""

    async def later(draft, context):
        """Change nothing yet."""

    registry = registry_of(fragment())
    registry.register_hook(later)

    with pytest.raises(HookError, match="later raised an error") as caught:
        assemble(registry)

    assert str(caught.value.__cause__) == "a hook cannot be a coroutine"


@pytest.mark.covers("D74")
@pytest.mark.parametrize(
    ("left", "error"),
    [
        (lambda draft: draft.sections.append("text"), NO_SECTION),
        (lambda draft: draft.sections.append(fragment()), NO_SECTION),
        (lambda draft: draft.sections.append(DraftSection("core.x", None)), NO_SECTION),
        (lambda draft: setattr(draft.sections[0], "text", 1), NO_SECTION),
        (
            lambda draft: draft.tools.append("read"),
            TypeError("Draft.tools holds Tool values"),
        ),
        (
            lambda draft: draft.variables.update(lb="x"),
            ValueError("lb is the registry's own variable"),
        ),
    ],
)
def test_what_does_not_belong_in_a_draft_is_the_hooks_error(left, error):
    """It is found right after the hook that left it."""
    registry = registry_of(fragment())
    hooked(registry, left)

    with pytest.raises(HookError) as caught:
        assemble(registry)

    assert repr(caught.value.__cause__) == repr(error)


def test_a_section_that_takes_the_place_of_another_is_the_hooks_own():
    """Also where it says the same, and of the hook that put it there."""
    registry = registry_of(fragment())

    def replace(draft):
        draft.sections[:] = [DraftSection("core.a", draft.sections[0].text)]

    hooked(registry, lambda draft: None)
    hooked(registry, replace, scope=TENANT)

    built = assemble(registry, scope=TENANT)

    assert built.text == "A"
    assert entry(built, "core.a").origin == ("hook", TENANT)


def test_what_a_hook_leaves_alone_keeps_what_was_to_be_said_of_it():
    """Where its text came from, and under which key."""
    registry = registry_of(
        fragment("core.now", former_keys=["core.old"]), fragment("core.b", "B")
    )
    hooked(registry, lambda draft: setattr(draft.sections[0], "text", "Changed"))

    found = entry(assemble(registry, overrides={"core.old": "Mine"}), "core.now")

    assert found.origin == ("override", "")
    assert found.notes == (Reason("former_key", ("core.old",)),)


def test_a_hook_changes_nothing_about_what_is_asked_for():
    """A fragment of the seam that is named stands in the text."""
    registry = registry_of(fragment(), fragment("seam.s", "S", group="seam"))
    hooked(registry, lambda draft: None)

    built = assemble(registry, include=("seam.s",))

    assert (built.text, built.seam) == ("S", "")


def test_a_section_of_a_hooks_own_belongs_to_nothing():
    """It has no group, no clause and no gate, and is told like any other."""
    registry = registry_of(
        fragment(default="{{who}}A"), variable("who", lambda context: 1 / 0)
    )
    hooked(registry, lambda draft: draft.sections.append(DraftSection("own.x", "X")))

    built = assemble(registry)

    assert [(one.key, one.group) for one in built.sections] == [
        ("core.a", "core"),
        ("own.x", ""),
    ]
    assert built.variables == {"lb": "{{", "tool_names": "", "who": ""}
    assert entry(built, "own.x").notes == ()
    assert entry(built, "core.a").notes == (Reason("provider_failed", ("who",)),)


def test_a_section_comes_first_unless_it_says_otherwise():
    """Its order is there for the hook to read."""
    section = DraftSection("own.x", "X")

    assert (section.order, section.group, section.fragment) == (0, "", None)


def test_a_section_of_a_fragment_belongs_to_the_fragments_group():
    """Unless the hook says another one, which decides where it goes."""
    seam = fragment("seam.s", "S", group="seam")
    registry = registry_of(fragment(), seam)

    def leave(draft):
        draft.sections[:] = [
            DraftSection("core.x", "X", fragment=registry["core.a"]),
            DraftSection("seam.x", "Y", fragment=registry["seam.s"]),
            DraftSection("core.y", "Z", group="tasks", fragment=registry["core.a"]),
        ]

    hooked(registry, leave)

    built = assemble(registry)

    assert [(one.key, one.group) for one in built.sections] == [
        ("core.x", "core"),
        ("core.y", "tasks"),
    ]
    assert built.seam == "Y"


@pytest.mark.covers("D36", "D55")
def test_what_is_registered_during_an_assembly_counts_for_the_next():
    """A declaration, a hook, a tool provider and a protection alike."""
    registry = Registry()
    registry.register(CORE, SEAM, fragment("core.a", "{{late}}"))
    seen = []

    def register(draft):
        if not seen:
            registry.register(fragment("core.b", "B"), variable("late", lambda c: "L"))
            registry.register_hook(lambda draft, context: seen.append("late hook"))
            registry.register_tools(lambda context: [tool("read")])
            registry.protect(["core.a"])
        seen.append("hook")
        draft.sections[0].text += "!"

    hooked(registry, register)

    first = assemble(registry)
    assert (first.text, first.tools, seen) == ("{{late}}!", (), ["hook"])
    second = assemble(registry)
    assert second.text == "L\n\nB"
    assert second.tools == (tool("read"),)
    assert seen == ["hook", "hook", "late hook"]

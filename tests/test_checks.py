"""The system checks, each under its id."""

from __future__ import annotations

import io

import pytest
from django.core.checks import Error, Warning as Caution
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from django.db import DatabaseError, connection

from prompts_app import (
    Fragment,
    Group,
    Level,
    Lifetime,
    Scenario,
    Tool,
    ToolSet,
    Variable,
    object_schema,
    registry as declared,
)
from prompts_app.assembly import Context, Snapshot, build
from prompts_app.checks import check_all
from prompts_app.lint import lane_of

PRODUCT = Variable("product", label="Product", lifetime=Lifetime.FIXED)
DAY = Variable("day", label="Day", lifetime=Lifetime.TURN)
FENCED = "<!-- detailed -->\nFor example.\n<!-- /detailed -->\nFacts."


@pytest.fixture
def app(registry):
    """Return a registry with one group and two variables."""
    registry.register(Group("support", label="Support", order=10, role="preamble"))
    registry.register(PRODUCT, DAY)
    return registry


def fragment(key, default="Text.", **fields):
    """Return a fragment of the group with the fields that matter."""
    fields = {"label": "Label", "group": "support"} | fields
    return Fragment(key, default=default, **fields)


def scenario(**fields):
    """Return a scenario with the fields that matter."""
    return Scenario("chat", label="Chat", **fields)


def place(key, kind="fragment", scope=""):
    """Return where a declaration was registered."""
    records = declared.records(kind)
    return next(r.place for r in records if (r.scope, r.value.key) == (scope, key))


def error(number, message, hint, obj=None):
    """Return an error of this app."""
    return Error(message, hint=hint, obj=obj, id=f"prompts_app.{number}")


def warning(number, message, hint, obj=None):
    """Return a warning of this app."""
    return Caution(message, hint=hint, obj=obj, id=f"prompts_app.{number}")


def test_what_is_well_declared_passes_in_silence(app):
    """No check complains of features that are used as they are meant."""
    app.register(
        fragment(
            "a.text", "{{product}} {{lb}} {{tone}}", variables=("product", "tone")
        ),
        fragment("a.clause", "Be kind.", provides="tone", requires=("day",)),
        fragment("a.persona", "", variables=("day",), must_mention=("day",)),
        fragment("a.fenced", f"{FENCED} {{{{product}}}}"),
        fragment("a.call", lifetime=Lifetime.CALL, former_keys=("a.old",)),
        scenario(include=("support", "a.call"), variables={"day": "1", "tone": ""}),
    )

    assert check_all() == []


def test_what_is_installed_has_no_faults(db):
    """The chat catalogue passes every check, those of its sources included."""
    assert len(declared) >= 35
    assert check_all(databases=["default"]) == []


def test_the_checks_have_a_tag(app):
    """`check --tag prompts_app` runs them, and an error fails it with its place."""
    app.register(fragment("a.text", "<!-- detailed -->"))

    with pytest.raises(SystemCheckError, match=r"prompts_app\.E002") as caught:
        call_command("check", tags=["prompts_app"], stdout=io.StringIO())

    assert __file__ in str(caught.value)


def test_e001_a_setting_that_cannot_be_used(app, settings):
    """Every bad setting is told, not only the first."""
    settings.PROMPTS_APP_LEVEL = "short"
    settings.PROMPTS_APP_MAX_FRAGMENT_CHARS = 0

    assert check_all() == [
        error(
            "E001",
            "PROMPTS_APP_LEVEL: 'short' is no level; there are lean, detailed.",
            "Correct PROMPTS_APP_LEVEL, or remove it to have its default.",
        ),
        error(
            "E001",
            "PROMPTS_APP_MAX_FRAGMENT_CHARS: 0 is no positive whole number.",
            "Correct PROMPTS_APP_MAX_FRAGMENT_CHARS, or remove it to have its default.",
        ),
    ]


@pytest.mark.covers("A14", "W41")
@pytest.mark.parametrize(
    ("default", "fault"),
    [
        ("One.\n<!-- detailed -->", "line 2 opens a fence that nothing closes"),
        ("<!-- /detailed -->", "line 1 closes no fence"),
    ],
)
def test_e002_an_unbalanced_fence(app, default, fault):
    """A level marker without partner is an error with its line."""
    app.register(fragment("a.text", default, lifetime=Lifetime.TURN))

    assert check_all() == [
        error(
            "E002",
            f"Fragment a.text: in its default, the level marker in {fault}.",
            "Write <!-- detailed --> and <!-- /detailed --> in pairs, each alone on"
            " its line.",
            place("a.text"),
        )
    ]


@pytest.mark.parametrize("gate", ["requires", "unless"])
def test_e003_a_gate_on_a_clause(app, gate):
    """A gate cannot name what a clause provides."""
    app.register(
        fragment("a.clause", provides="tone"), fragment("a.text", **{gate: ("tone",)})
    )

    assert check_all() == [
        error(
            "E003",
            f"Fragment a.text: its gate {gate} names tone, which a.clause provides.",
            "Gates are judged before clauses are filled. Name what the gates of"
            " a.clause name.",
            place("a.text"),
        )
    ]


def test_e004_a_variable_that_a_clause_provides(app):
    """A name is either declared or provided."""
    app.register(fragment("a.clause", provides="day"))

    assert check_all() == [
        error(
            "E004",
            "Fragment a.clause: it provides day, which is declared as a variable too.",
            'Remove Variable("day"), or provide another name.',
            place("a.clause"),
        )
    ]


def test_e005_a_store_on_oracle(app, monkeypatch):
    """Oracle takes a blank text for none, so it cannot hold what is switched off."""
    monkeypatch.setattr(connection, "vendor", "oracle")

    assert check_all() == [
        error(
            "E005",
            "Overrides are kept in database default, and Oracle cannot tell a blank"
            " text from none.",
            "Route prompts_app to another database with DATABASE_ROUTERS.",
        )
    ]


def test_w020_a_group_that_nobody_declares(app):
    """The first fragment of such a group is told, with the group it may have meant."""
    app.register(
        fragment("a.two", group="suport", order=2),
        fragment("a.one", group="suport", order=1),
        fragment("b.one", group="billing"),
    )

    assert check_all() == [
        warning(
            "W020",
            "Fragment b.one: nobody declares its group billing.",
            'Register Group("billing", label=…, order=…).',
            place("b.one"),
        ),
        warning(
            "W020",
            "Fragment a.one: nobody declares its group suport.",
            'Did you mean support? Else register Group("suport", label=…, order=…).',
            place("a.one"),
        ),
    ]


def test_w021_documented_variables_that_differ(app):
    """Names that are documented and not used, and the other way round, are told."""
    app.register(fragment("a.text", "{{lb}} {{product}}", variables=("day",)))

    assert check_all() == [
        warning(
            "W021",
            "Fragment a.text: variables= and its default differ in day, product.",
            "Write variables=('product',), or leave variables= out.",
            place("a.text"),
        )
    ]


@pytest.mark.covers("W8", "W30")
def test_w022_a_name_that_nobody_declares(app):
    """One message for each name says where it stands and what it may have been."""
    app.register(
        fragment(
            "a.text", "{{prodct}}", requires=("prodct", "user_name"), unless=("city",)
        )
    )

    assert check_all() == [
        warning(
            "W022",
            "Fragment a.text: nobody declares or provides prodct, named in its default"
            " and requires.",
            'Did you mean product? Else register Variable("prodct", label=…).',
            place("a.text"),
        ),
        warning(
            "W022",
            "Fragment a.text: nobody declares or provides user_name, named in its"
            " requires.",
            'Register Variable("user_name", label=…).',
            place("a.text"),
        ),
        warning(
            "W022",
            "Fragment a.text: nobody declares or provides city, named in its unless.",
            'Register Variable("city", label=…).',
            place("a.text"),
        ),
    ]


def test_w023_a_mention_that_the_default_lacks(app):
    """What an override has to mention stands in the default."""
    app.register(fragment("a.text", "{{product}}", must_mention=("product", "day")))

    assert check_all() == [
        warning(
            "W023",
            "Fragment a.text: its default does not mention day, which must_mention"
            " names.",
            "Write {{day}} in the default, or take it out of must_mention.",
            place("a.text"),
        )
    ]


@pytest.mark.case(27)
def test_w024_a_clause_in_a_clause(app):
    """Clauses are filled from plain variables only."""
    app.register(
        fragment("a.inner", provides="tone"),
        fragment("a.outer", "{{tone}} {{product}}", provides="manner"),
    )

    assert check_all() == [
        warning(
            "W024",
            "Fragment a.outer: it is a clause, and its default names the clause tone.",
            "Clauses are filled from plain variables only, so the reference would"
            " reach the model as typed. Write out what tone says.",
            place("a.outer"),
        )
    ]


def test_w025_two_clauses_of_one_name(app):
    """Clauses that can both have text are told at the later one."""
    app.register(
        fragment("a.one", provides="tone", requires=("day",)),
        fragment("a.two", provides="tone"),
        fragment("a.three", provides="tone", order=1),
    )

    hint = (
        "The first that has text counts. Let their gates exclude each other, or"
        " provide another name."
    )
    assert check_all() == [
        warning(
            "W025",
            "Fragment a.two: it provides tone, as a.one does.",
            hint,
            place("a.two"),
        ),
        warning(
            "W025",
            "Fragment a.three: it provides tone, as a.one does.",
            hint,
            place("a.three"),
        ),
    ]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"requires": ("day",)}, {"unless": ("day",)}),
        ({"when_tools": True}, {"when_tools": False}),
        (
            {"level": Level.LEAN, "lean_reason": "Shorter."},
            {"level": Level.DETAILED},
        ),
    ],
)
def test_w025_spares_clauses_that_exclude_each_other(app, one, other):
    """Two clauses may share a name when only one of them can have text."""
    app.register(
        fragment("a.one", provides="tone", **one),
        fragment("a.two", provides="tone", **other),
    )

    assert check_all() == []


def test_w026_a_former_key_that_is_declared_again(app):
    """A former key that somebody declares has overrides of its own."""
    app.register(fragment("a.new", former_keys=("a.old",)), fragment("a.old"))

    assert check_all() == [
        warning(
            "W026",
            "Fragment a.new: its former key a.old is declared again.",
            "Overrides of a.old count for that fragment; take it out.",
            place("a.new"),
        )
    ]


def test_w027_a_former_key_of_two_fragments(app):
    """An override under a key that two fragments had would count twice."""
    app.register(
        fragment("a.one", former_keys=("a.old",)),
        fragment("a.two", former_keys=("a.older", "a.old")),
    )

    assert check_all() == [
        warning(
            "W027",
            "Fragment a.two: its former key a.old is one of a.one too.",
            "An override stored under it counts for both; leave it with one.",
            place("a.two"),
        )
    ]


@pytest.mark.covers("A23")
@pytest.mark.parametrize(
    ("fields", "lifetime"),
    [
        ({"default": f"{FENCED} {{{{day}}}}"}, "TURN"),
        ({"default": FENCED, "unless": ("day",)}, "TURN"),
        ({"default": FENCED, "lifetime": Lifetime.CONVERSATION}, "CONVERSATION"),
        ({"default": f"{FENCED} {{{{tone}}}}"}, "TURN"),
    ],
)
def test_w028_a_fence_in_a_text_that_is_kept(app, fields, lifetime):
    """A text that stays in a conversation cannot follow a change of level."""
    app.register(
        fragment("a.clause", requires=("day",), provides="tone"),
        fragment("a.text", **fields),
    )

    assert check_all() == [
        warning(
            "W028",
            "Fragment a.text: its default has a level fence, and its lifetime is"
            f" {lifetime}.",
            "What a conversation keeps cannot follow a change of level. Move the"
            " coaching to a fragment that is FIXED.",
            place("a.text"),
        )
    ]


def test_w028_spares_what_is_made_for_every_call(app):
    """A text of lifetime CALL may follow the level."""
    app.register(fragment("a.text", FENCED, lifetime=Lifetime.CALL))

    assert check_all() == []


def test_w029_a_promise_that_a_name_breaks(app):
    """A default is not less stable than its fragment promises."""
    app.register(
        Variable("user_name", label="Name", lifetime=Lifetime.CONVERSATION),
        fragment("a.clause", "{{user_name}}", provides="tone"),
        fragment(
            "a.text",
            "{{day}} {{product}} {{tone}}",
            lifetime=Lifetime.FIXED,
            requires=("day",),
        ),
    )

    assert check_all() == [
        warning(
            "W029",
            "Fragment a.text: it promises lifetime FIXED and uses day (TURN), tone"
            " (CONVERSATION).",
            "Write lifetime=Lifetime.TURN, or take the reference out.",
            place("a.text"),
        )
    ]


def test_w029_leaves_names_that_nobody_declares_to_w022(app):
    """One cause gives one message."""
    app.register(fragment("a.text", "{{city}}", lifetime=Lifetime.FIXED))

    assert [message.id for message in check_all()] == ["prompts_app.W022"]


LOST = [
    ("", fragment("a.text"), "Fragment a.text", "an app registers the same"),
    ("", fragment("b.row"), "Fragment b.row", "an earlier source declares the same"),
    (
        "",
        Variable("lb", label="Braces"),
        "Variable lb",
        "the name is the registry's own",
    ),
    (
        "tenant.acme",
        fragment("a.locked"),
        "Fragment a.locked in scope tenant.acme",
        "the key is protected globally",
    ),
    (
        "",
        fragment("a.near", locked=True),
        "Fragment a.near",
        "it is locked, and an app replaces it in a scope",
    ),
    (
        "tenant.acme",
        scenario(),
        "Scenario chat in scope tenant.acme",
        "it can be declared globally only",
    ),
]


@pytest.mark.covers("L31", "W14")
@pytest.mark.parametrize(("scope", "row", "subject", "reason"), LOST)
def test_w030_a_claim_of_a_source_that_is_lost(app, scope, row, subject, reason):
    """What a source declares in vain is told when a database is named, not before."""
    app.register(fragment("a.text"), fragment("a.locked", locked=True))
    app.register(fragment("a.near"), scope="tenant.acme")
    app.register_source(lambda: [("", fragment("b.row")), (scope, row)])

    assert check_all() == check_all(databases=[]) == []
    assert check_all(databases=["default"]) == [
        warning(
            "W030",
            f"{subject}: what a source declares does not count, since {reason}.",
            "Give the source's row another key, or remove it.",
        )
    ]


def test_w030_waits_until_the_tables_of_a_source_exist(app):
    """`migrate` names a database before there is anything to read."""

    def no_table_yet():
        raise DatabaseError

    app.register_source(no_table_yet)

    assert check_all(databases=["default"]) == []


def test_w031_a_scenario_that_includes_what_nobody_declares(app):
    """A key or group that is missing is told with what it may have been."""
    app.register(
        fragment("a.text"),
        scenario(include=("a.txt", "tasks", "support", "a.text")),
    )

    assert check_all() == [
        warning(
            "W031",
            "Scenario chat: it includes a.txt, which nobody declares.",
            "Did you mean a.text? Else take a.txt out of include.",
            place("chat", "scenario"),
        ),
        warning(
            "W031",
            "Scenario chat: it includes tasks, which nobody declares.",
            "Take tasks out of include.",
            place("chat", "scenario"),
        ),
    ]


def test_w032_a_scenario_that_gives_what_nobody_declares(app):
    """A sample value that can never be seen is told."""
    app.register(
        scenario(variables={"produkt": "Kettle", "day": "Monday", "tool_names": ""})
    )

    assert check_all() == [
        warning(
            "W032",
            "Scenario chat: it gives a value for produkt, which nobody declares.",
            "Did you mean product? Else take produkt out of variables.",
            place("chat", "scenario"),
        )
    ]


def test_a_scenario_is_seen_in_its_scopes(app):
    """What its own chain declares is known to it, whether the scope is or not."""
    app.register(
        fragment("a.local", "{{city}}"),
        Variable("city", label="City"),
        scope="tenant.acme",
    )
    app.register(
        scenario(include=("a.local",), variables={"city": "Bern"}, scope="tenant.acme")
    )

    assert check_all() == []


def strict(name="read", **properties):
    """Return a strict tool whose properties are as sound as they are given."""
    return Tool(name, description="Reads.", parameters=object_schema(properties))


def test_w033_strict_tool_with_faults(app):
    """All faults of a tool are told at once, and a tool that is sound has none."""
    day = {"type": "object", "description": "When.", "properties": {"year": {}}}
    app.register(scenario(tools=[strict(day=day), strict("sound")]))

    assert check_all() == [
        warning(
            "W033",
            "Scenario chat: its tool read is strict, but parameters.properties.day:"
            " allows other properties; parameters.properties.day.properties.year: not"
            " required; parameters.properties.day.properties.year: no description.",
            "Build each object with object_schema() and describe each property, or"
            " declare the tool with strict=False.",
            place("chat", "scenario"),
        )
    ]


def test_w033_is_told_once_for_each_tool(app):
    """Where the same tool is met again nothing is added; another of its name is."""
    app.register(scenario(tools=[strict(day={})]))
    app.register(Scenario("more", label="More", tools=[strict(day={}), strict(at={})]))
    app.register_tools(lambda context: [strict(day={})])

    found = check_all(databases=["default"])

    assert [message.msg.partition(":")[0] for message in found] == [
        "Scenario chat",
        "Scenario more",
    ]


class Offer:
    """A provider that is no function, and keeps what it was asked."""

    def __init__(self):
        self.asked = []

    async def __call__(self, context):
        self.asked.append(context)
        return ToolSet([strict(day={})], known=["other"])


def test_w033_of_a_provider_is_told_when_a_database_is_named(app):
    """Providers may query, so without one they are not asked, and with one once."""
    offer = Offer()
    app.register_tools(offer, scope="tenant.acme")

    without = check_all()
    (found,) = check_all(databases=["default"])

    assert without == []
    assert offer.asked == [Context(scope=("tenant.acme",))]
    assert found.id == "prompts_app.W033"
    assert found.msg.startswith("Tool provider Offer: its tool read is strict, but ")
    assert found.obj == declared.records("tools")[0].place


def offer_tools(context):
    """Offer one tool, faulty and global."""
    return [strict(day={})]


def test_w033_names_the_provider(app):
    """By the name that its module gives it."""
    app.register_tools(offer_tools)

    (found,) = check_all(databases=["default"])

    assert found.msg.startswith("Tool provider offer_tools: its tool read is strict")


def fail(context):
    """Miss a person, or a table."""
    raise LookupError("nobody")


@pytest.mark.parametrize("provider", [fail, lambda _: None, lambda _: ["read"]])
def test_a_provider_that_cannot_answer_is_passed_over(app, provider):
    """`migrate` runs the checks too, and is not to fail for it."""
    app.register_tools(provider)

    assert check_all(databases=["default"]) == []


def test_a_scope_has_its_declarations_checked(app):
    """A fault of a layer is told with its scope and its place."""
    app.register(fragment("a.text"))
    app.register(fragment("a.text", "{{city}}"), scope="tenant.acme")

    assert check_all() == [
        warning(
            "W022",
            "Fragment a.text in scope tenant.acme: nobody declares or provides city,"
            " named in its default.",
            'Register Variable("city", label=…).',
            place("a.text", scope="tenant.acme"),
        )
    ]


def test_a_fault_of_the_global_layer_is_told_once(app):
    """Scopes that change nothing about it are silent."""
    app.register(fragment("a.text", "<!-- detailed -->"))
    app.register(fragment("a.other"), scope="tenant.acme")

    assert [message.id for message in check_all()] == ["prompts_app.E002"]


def test_a_fault_that_only_a_scope_causes_is_told_there(app):
    """A scope's variable can break what a global fragment promises."""
    app.register(fragment("a.text", "{{product}}", lifetime=Lifetime.FIXED))
    app.register(Variable("product", label="Product"), scope="tenant.acme")

    assert check_all() == [
        warning(
            "W029",
            "Fragment a.text in scope tenant.acme: it promises lifetime FIXED and"
            " uses product (TURN).",
            "Write lifetime=Lifetime.TURN, or take the reference out.",
            place("a.text"),
        )
    ]


def test_lanes_are_those_of_an_assembly():
    """What the checks judge by is what an assembly reports for the defaults."""
    view = declared.view()
    groups = tuple(view.groups)

    assembly = build(view, Snapshot(), Context(include=groups))

    assert len(assembly.trace) == len(view.fragments)
    for entry in assembly.trace:
        one = view.by_key[entry.key].fragment
        assert lane_of(view, one, one.default) is entry.lane


def test_the_checks_read_no_stored_text(app, django_assert_num_queries, db):
    """Without sources nothing is asked of the database, whatever is named."""
    app.register(fragment("a.text"))

    with django_assert_num_queries(0):
        check_all(databases=["default"])

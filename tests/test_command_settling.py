"""``restore``, ``adopt``, ``prune`` and ``prune-history``."""

from __future__ import annotations

import datetime as dt

import pytest
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError
from django.utils import timezone

from prompts_app import services
from prompts_app.management.writing import refusing
from prompts_app.models import Change, Override, Revision
from tests.commanding import DECLARED, cells, run
from tests.factories import OverrideFactory, UserFactory
from tests.storing import announcements, everything, rows

HERE = "the whole installation"


@pytest.fixture(autouse=True)
def catalogue(registry, db):
    """Return a registry that holds a small catalogue."""
    registry.register(*DECLARED)
    return registry


@pytest.fixture
def three():
    """Make three saves, one of them in a scope."""
    services.save({"main.hello": "Hi."})
    services.save({"main.hello": "Hey.", "main.fixed": ""})
    services.save({"main.at": "@"}, scope="tenant.acme")


def refused(*arguments):
    """Return why the command is refused, which has changed nothing."""
    before = everything()
    with pytest.raises(CommandError) as caught:
        run(*arguments)
    assert everything() == before
    return str(caught.value)


def test_a_restore_brings_back_a_moment(three, editor):
    """As a save of today, which says what it restores."""
    out, err = run("restore", "1", "--user", "editor", "--comment", "Back")

    assert cells(out) == [
        ["main.fixed", HERE, "removed"],
        ["main.hello", HERE, "stored"],
        ["main.at", "tenant.acme", "removed"],
    ]
    assert err == "3 texts changed, as revision 4.\n"
    assert rows() == {("", "main.hello"): "Hi."}
    revision = Revision.objects.get(number=4)
    assert (revision.kind, revision.restores) == ("restore", 1)
    assert (revision.author, revision.comment) == (editor, "Back")


def test_a_restore_can_be_of_single_texts(three):
    """Each by scope and key; before the first save there was nothing."""
    run("restore", "0", "--key", ":main.hello", "--key", "tenant.acme:main.at")

    assert rows() == {("", "main.fixed"): ""}


def test_a_restore_is_checked_like_a_save(three):
    """What has to be mentioned needs a confirmation here too."""
    services.save({"first.task": "Go."}, confirm=[("first.task", "what")])
    services.reset(["first.task"])

    said = refused("restore", "4", "--key", ":first.task")
    run("restore", "4", "--key", ":first.task", "--confirm", "first.task=what")

    assert said == "first.task no longer mentions {{what}}."
    assert rows()["", "first.task"] == "Go."


def test_an_adoption_is_checked_like_a_save():
    """What its new key has to mention needs a confirmation."""
    OverrideFactory(key="gone.one", text="Go.")

    said = refused("adopt", "gone.one", "first.task")
    run("adopt", "gone.one", "first.task", "--confirm", "first.task=what")

    assert said == "first.task no longer mentions {{what}}."
    assert rows() == {("", "first.task"): "Go."}


def test_what_no_fragment_reads_is_adopted_or_pruned():
    """By whoever may; the history keeps it."""
    for key in ("gone.one", "gone.two", "gone.three"):
        OverrideFactory(scope="tenant.acme", key=key, text="Kept")
    UserFactory(
        username="keeper",
        permissions=["prompts_app.change_override", "prompts_app.delete_override"],
    )
    who = ("--scope", "tenant.acme", "--user", "keeper")

    adopted, _ = run("adopt", "gone.one", "main.hello", *who)
    pruned, said = run("prune", "gone.two", "gone.three", *who)

    assert cells(adopted) == [
        ["gone.one", "tenant.acme", "removed"],
        ["main.hello", "tenant.acme", "stored"],
    ]
    assert [line[0] for line in cells(pruned)] == ["gone.three", "gone.two"]
    assert said == "2 texts changed, as revision 2.\n"
    assert rows() == {("tenant.acme", "main.hello"): "Kept"}
    assert list(
        Revision.objects.order_by("number").values_list("kind", "author_name")
    ) == [("adopt", "keeper"), ("prune", "keeper")]


@pytest.mark.parametrize(
    "arguments",
    ["restore 1", "adopt gone.one main.search", "prune gone.one"],
)
def test_a_dry_run_writes_nothing(three, arguments, django_capture_on_commit_callbacks):
    """It tells what the verb does without it."""
    OverrideFactory(key="gone.one", text="Kept")
    before = everything()

    with announcements() as sent, django_capture_on_commit_callbacks(execute=True):
        tried, said = run(*arguments.split(), "--dry-run")

    assert (everything(), sent) == (before, [])
    assert "would change; nothing was written." in said
    assert run(*arguments.split())[0] == tried


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("restore 9", "There is no revision 9; the last one is 3."),
        ("restore one", "invalid int value: 'one'"),
        ("restore 1 --key main.hello", "'main.hello' is not SCOPE:KEY"),
        ("restore 1 --key tenant.acme:", "'tenant.acme:' is not SCOPE:KEY"),
        ("restore 1 --user viewer", "Missing permission: prompts_app.change_override."),
        ("restore 1 --user nobody", "there is no account 'nobody'."),
        ("adopt main.hello main.at", "'main.hello' is no orphan"),
        ("adopt gone.key main.at", "There is no override of 'gone.key' to adopt."),
        ("adopt gone.key main.at --scope X", "'X' is no scope"),
        ("prune main.hello", "main.hello: fragments read these overrides"),
        ("prune gone.key --user viewer", "Missing permission: "),
        ("prune-history", "--keep or --before has to say what may be forgotten."),
        ("prune-history --keep -1", "keep is -1; it cannot be less than 0."),
        ("prune-history --before soon", "'soon' is no date: YYYY-MM-DD"),
        ("prune-history --before 2026-02-30", "'2026-02-30' is no date"),
    ],
)
def test_a_mistake_is_named(three, viewer, arguments, said):
    """Whatever cannot be done is refused by name, and nothing is written."""
    assert said in refused(*arguments.split())


def test_history_is_forgotten_only_when_told_to(three):
    """By itself the verb counts; what the texts of today need stays."""
    before = everything()

    _, counted = run("prune-history", "--keep", "0")
    assert everything() == before
    _, done = run("prune-history", "--keep", "0", "--yes")

    assert counted == (
        "1 revision with 1 change would be forgotten, 2 kept. Give --yes to do it.\n"
    )
    assert done == "1 revision with 1 change forgotten; 2 kept.\n"
    assert list(
        Revision.objects.order_by("number").values_list("number", flat=True)
    ) == [2, 3]


@pytest.mark.parametrize(
    ("before", "gone"),
    [("2026-03-01", 0), ("2026-03-02", 1), ("2026-03-01T13:00+01:00", 0)],
)
def test_a_date_says_what_is_old(three, before, gone):
    """A day begins at midnight of the installation's time zone."""
    noon = dt.datetime(2026, 3, 1, 12, tzinfo=dt.UTC)
    Revision.objects.filter(number=1).update(created_at=noon)
    Revision.objects.filter(number__gt=1).update(created_at=timezone.now())

    _, said = run("prune-history", "--before", before)

    assert said.startswith(f"{gone} revision")


@pytest.mark.parametrize(
    ("before", "gone"),
    [
        ("2026-03-01", 0),
        ("2026-03-02", 1),
        ("2026-03-01T13:00+01:00", 0),
        ("2026-03-01T13:01+01:00", 1),
    ],
)
def test_a_date_says_what_is_old_without_time_zones(three, settings, before, gone):
    """Where the database holds local times, what is given is turned into one."""
    settings.USE_TZ = False
    noon = dt.datetime(2026, 3, 1, 12)  # noqa: DTZ001  # as such a database has it
    Revision.objects.filter(number=1).update(created_at=noon)
    Revision.objects.filter(number__gt=1).update(created_at=timezone.now())

    _, said = run("prune-history", "--before", before)

    assert said.startswith(f"{gone} revision")


@pytest.mark.parametrize("use_tz", [True, False])
@pytest.mark.parametrize("edge", ["0001-01-01T00:00+12:00", "9999-12-31T23:59-12:00"])
def test_a_date_beyond_the_calendar_is_none(settings, use_tz, edge):
    """It is refused by name, whatever the database holds."""
    settings.USE_TZ = use_tz

    assert f"'{edge}' is no date: YYYY-MM-DD" in refused(
        "prune-history", "--before", edge
    )


@pytest.mark.parametrize("message", ["So it is", "So it is."])
@pytest.mark.parametrize("kind", [ValueError, PermissionDenied])
def test_a_refusal_is_a_sentence(kind, message):
    """It ends in one full stop, whoever worded it."""
    with pytest.raises(CommandError) as caught, refusing():
        raise kind(message)

    assert str(caught.value) == "So it is."


@pytest.fixture
def by_hand(three):
    """Write a text under what is no scope, with a history, as no save would."""
    OverrideFactory(scope="Acme", key="main.hello", text="By hand")
    first = Revision.objects.get(number=1)
    Change.objects.create(revision=first, scope="Acme", key="main.hello")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("restore 0", "'Acme' is no scope"),
        ("adopt main.hello main.at --scope Acme", "'Acme' is no scope"),
        ("prune main.hello --scope Acme", "'Acme' is no scope"),
        ("import {file}", "texts[2]: 'Acme' is no scope"),
    ],
)
def test_what_is_no_scope_is_refused_by_name(by_hand, tmp_path, arguments, said):
    """An export holds such texts too, so that none is lost in silence."""
    file = tmp_path / "texts.json"
    assert run("export", "--output", str(file))[1] == "4 texts exported.\n"

    assert said in refused(*arguments.format(file=file).split())


def test_what_is_no_scope_stops_no_other_text(by_hand):
    """Single texts are restored; history is forgotten once no row needs it."""
    _, restored = run("restore", "1", "--key", ":main.hello")
    _, needed = run("prune-history", "--keep", "0", "--yes")
    Override.objects.filter(scope="Acme").delete()
    _, forgotten = run("prune-history", "--keep", "0", "--yes")

    assert restored == "1 text changed, as revision 4.\n"
    assert needed == "0 revisions with 0 changes forgotten; 4 kept.\n"
    assert forgotten == "1 revision with 2 changes forgotten; 3 kept.\n"


@pytest.mark.parametrize(
    "arguments",
    [
        "show main.hello",
        "explain main.hello",
        "render --include main.hello",
        "diff --scenario chat --to-scope tenant.acme",
    ],
)
def test_what_is_no_scope_changes_no_answer(three, arguments):
    """Nothing can ask for it, so nobody is shown what it holds."""
    expected, _ = run(*arguments.split())
    OverrideFactory(scope="Acme", key="main.hello", text="By hand")

    assert run(*arguments.split())[0] == expected

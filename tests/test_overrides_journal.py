"""What every save leaves in the history, and how it is all of it or nothing."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import IntegrityError, transaction
from django.db.models.signals import post_save
from django.utils import timezone

from prompts_app import services
from prompts_app.models import Change, Override, Revision, StoredState
from prompts_app.overrides.journal import COMMENT_CHARS
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory, UserFactory
from tests.storing import everything, history, rows, version

UNSTORABLE = "The comment holds a character that cannot be stored"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare two fragments."""
    registry.register(CORE, fragment("core.a", "Alpha"), fragment("core.b", "Beta"))
    return registry


def numbers():
    """Return the numbers of all revisions, in the order they were made."""
    return list(Revision.objects.order_by("pk").values_list("number", flat=True))


@pytest.mark.covers("W5")
def test_a_save_makes_one_revision(superuser):
    """It says who, when, why and what kind of save it was."""
    services.save({"core.a": "A", "core.b": "B"}, author=superuser, comment=" Why\r\n")

    revision = Revision.objects.get()
    assert (revision.number, revision.kind, revision.comment) == (1, "save", "Why")
    assert (revision.author, revision.author_name) == (superuser, "superuser")
    assert revision.restores is None
    assert timezone.now() - revision.created_at < timedelta(minutes=1)


def test_a_name_that_is_very_long_is_cut(superuser):
    """An account's own name may be longer than the column of history."""
    superuser.username = "n" * 300

    services.save({"core.a": "A"}, author=superuser)

    assert Revision.objects.get().author_name == "n" * 255


@pytest.mark.covers("W5")
def test_a_revision_holds_each_text_before_and_after():
    """NULL stands for no override, a blank text for one that is off."""
    services.save({"core.a": "One", "core.b": ""})
    services.save({"core.a": "Two", "core.b": "Beta"}, comment="second")
    services.reset(["core.a"])

    assert history() == [
        {("", "core.a"): (None, "One"), ("", "core.b"): (None, "")},
        {("", "core.a"): ("One", "Two"), ("", "core.b"): ("", None)},
        {("", "core.a"): ("Two", None)},
    ]
    kinds = Revision.objects.order_by("number").values_list("kind", flat=True)
    assert list(kinds) == ["save", "save", "reset"]


def test_a_change_holds_its_scope_and_the_default_it_was_written_over():
    """Later comparisons need the default of then."""
    OverrideFactory(scope="tenant.x", key="core.b", text="B", default_text="Old beta")

    services.save({"core.a": "A", "core.b": "B2"}, scope="tenant.x")

    changes = Change.objects.values_list("scope", "key", "default_text")
    assert set(changes) == {
        ("tenant.x", "core.a", "Alpha"),
        ("tenant.x", "core.b", "Old beta"),
    }


def test_numbers_have_no_gaps():
    """Refused saves and saves that change nothing use no number up."""
    services.save({"core.a": "One"})
    services.save({"core.a": "One"})
    with pytest.raises(ValueError, match=r"core\.none"):
        services.save({"core.none": "x"})
    services.save({"core.a": "Two"})

    assert numbers() == [1, 2]
    assert StoredState.objects.get().revision == 2


def test_a_restored_backup_without_the_state_goes_on_counting():
    """Revisions that are there already take no save their number away."""
    services.save({"core.a": "One"})
    services.save({"core.a": "Two"})
    StoredState.objects.all().delete()

    saved = services.save({"core.a": "Three"})

    assert saved.revision == 3
    assert numbers() == [1, 2, 3]
    assert services.as_of(1).texts == {("", "core.a"): "One"}


def test_the_authors_name_outlives_the_account():
    """History still says who it was when the user is gone."""
    user = UserFactory(username="leaver", is_superuser=True)
    services.save({"core.a": "Mine"}, author=user)

    user.delete()

    revision = Revision.objects.get()
    assert (revision.author, revision.author_name) == (None, "leaver")
    assert Override.objects.get().updated_by is None
    assert services.resolve("core.a") == "Mine"


def test_a_save_for_nobody_has_no_author():
    """Code that acts for nobody leaves the name blank."""
    services.save({"core.a": "Mine"})

    revision = Revision.objects.get()
    assert (revision.author, revision.author_name) == (None, "")


@pytest.mark.parametrize("change", [services.save, services.reset])
@pytest.mark.parametrize(
    ("comment", "error", "said"),
    [
        (
            "x" * (COMMENT_CHARS + 1),
            ValueError,
            "The comment has 1001 characters; at most 1000 are allowed",
        ),
        ("nul \0", ValueError, UNSTORABLE),
        ("\ud800", ValueError, UNSTORABLE),
        ("surrogate \udfff", ValueError, UNSTORABLE),
        (None, TypeError, "comment is a NoneType, not a text"),
        (b"bytes", TypeError, "comment is a bytes, not a text"),
    ],
)
def test_a_comment_that_cannot_be_kept_is_refused(change, comment, error, said):
    """It is told before anything is stored."""
    OverrideFactory(key="core.a", text="Before")
    before = everything()

    with pytest.raises(error) as caught:
        change({"core.a": "x"}, comment=comment)

    assert str(caught.value) == said
    assert everything() == before


def test_a_comment_of_the_limit_is_kept_whole():
    """Outer white space and the CR of a browser do not count."""
    comment = "é\n" * (COMMENT_CHARS // 2 - 1) + "é."

    services.save({"core.a": "x"}, comment=f" {comment} ".replace("\n", "\r\n"))

    assert Revision.objects.get().comment == comment


@pytest.mark.django_db(transaction=True)
def test_a_failure_half_way_stores_nothing():
    """Rows, revision, number and version are written together or not at all."""
    services.save({"core.a": "Before"})
    before = everything()

    def fail(instance, **arguments):
        if instance.key == "core.b":
            raise IntegrityError("no")

    post_save.connect(fail, sender=Override)
    try:
        with pytest.raises(IntegrityError):
            services.save({"core.a": "After", "core.b": "After"})
    finally:
        post_save.disconnect(fail, sender=Override)

    assert everything() == before


def test_a_refused_save_leaves_an_outer_transaction_usable():
    """What the caller wrote around it can still be committed."""
    with transaction.atomic():
        OverrideFactory(key="core.a", text="Mine")
        with pytest.raises(ValueError, match=r"core\.none"):
            services.save({"core.none": "x"})
        services.save({"core.a": "Mine"})
        inside = version()

    assert rows() == {("", "core.a"): "Mine"}
    assert version() == inside
    assert numbers() == []


def test_touch_gives_a_new_version_and_no_revision():
    """Texts and history stay; a store that was never written gets its state."""
    services.touch()
    first = version()
    services.touch()

    assert first
    assert version() not in (None, first)
    assert numbers() == []
    assert rows() == {}


def test_a_receiver_that_assembles_half_way_spoils_nothing():
    """What it saw in the middle of a save is served to nobody afterwards."""
    seen = []

    def assemble(**arguments):
        seen.append(services.assemble().text)

    post_save.connect(assemble, sender=Override)
    try:
        services.save({"core.a": "A", "core.b": "B"})
    finally:
        post_save.disconnect(assemble, sender=Override)

    assert seen == ["A\n\nBeta", "A\n\nB"]
    assert services.assemble().text == "A\n\nB"

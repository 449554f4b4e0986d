"""
Who may write what, by every way in: one table for all of them.

A way in is a function of ``(user, scope)`` that tries to change one text, and a right
that it takes beside those of group and scope. Add a way by adding a row to `WAYS`.
"""

from __future__ import annotations

import json
from contextlib import contextmanager

import pytest
from django.contrib.auth.models import AnonymousUser, Permission, User
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.core.management import CommandError
from django.db import transaction
from django.test import Client

from prompts_app import services
from prompts_app.declarations import Group, Scope
from prompts_app.models import Override
from prompts_app.overrides.rights import HISTORY
from tests.assembling import CORE, fragment
from tests.commanding import run
from tests.factories import OverrideFactory, UserFactory
from tests.pages import address
from tests.storing import everything

pytestmark = [pytest.mark.django_db, pytest.mark.case(78, 79, 81)]

VIEW, CHANGE, DELETE = (
    f"prompts_app.{verb}_override" for verb in ("view", "change", "delete")
)
OF_GROUP, OF_SCOPE = "auth.edit_guarded", "auth.edit_tenant"
PLAIN, GUARDED = "core.plain", "core.guarded"
SCOPES = ("", "tenant.guarded")
TEXT, OTHER = "Mine", "Theirs"
RESTORE = "/admin/prompts_app/revision/restore/"
USERS = {
    "nobody": None,
    "stranger": (),
    "view": (VIEW,),
    "delete": (DELETE,),
    "view and delete": (VIEW, DELETE),
    "change": (CHANGE,),
    "change and group": (CHANGE, OF_GROUP),
    "change and scope": (CHANGE, OF_SCOPE),
    "delete and scope": (DELETE, OF_SCOPE),
    "group and scope": (VIEW, OF_GROUP, OF_SCOPE),
    "all but change": (VIEW, DELETE, OF_GROUP, OF_SCOPE),
    "all": (VIEW, CHANGE, DELETE, OF_GROUP, OF_SCOPE),
    "superuser": (VIEW, CHANGE, DELETE, OF_GROUP, OF_SCOPE),
}
"""Each kind of user by the rights held; None: not even signed in."""


class Turned(Exception):  # no error, but an answer
    """A way in that was closed."""


def document(scope, key):
    """Return a document that holds one new text."""
    text = {"scope": scope, "key": key, "text": TEXT, "default_text": "Default"}
    return {"format": 1, "texts": [text]}


def send(user, verb, fields):
    """Post *fields* to one of the page's views, whether or not a page offers that."""
    client = Client()
    if not user.is_anonymous:
        client.force_login(user)
    answer = client.post(verb if verb == RESTORE else address(verb), fields)
    if answer.status_code == 403 or "/login/" in answer.headers.get("Location", ""):
        raise Turned
    assert answer.status_code in (200, 302)


def page_save(user, scope, key):
    """Save as the review does."""
    fields = {"scope": scope, f"text:{key}": TEXT, "reviewed": "1", "take": key}
    send(user, "changelist", {**fields, "_save": ""})


def page_off(user, scope, key):
    """Forge a save of a blank text that no box was shown for."""
    send(user, "changelist", {"scope": scope, f"text:{key}": "", "_save": ""})


def page_import(user, scope, key):
    """Send the second form of an import without the first."""
    shown = json.dumps([[scope, key, services.etag(scope, key)]])
    held = json.dumps(document(scope, key))
    send(user, "import", {"document": held, "etags": shown, "_import": ""})


def page_drift(user, scope, key):
    """Save the decision that a drifted text stays."""
    text = f"{OTHER} {scope}"
    fields = {"scope": scope, f"text:{key}": text, f"confirm:{key}": "default"}
    send(user, "changelist", {**fields, "_save": ""})


def page_adopt(user, scope, key):
    """Answer the question whether an orphan should be adopted."""
    etag = services.etag(scope, "gone.text")
    fields = {"scope": scope, "adopts": f"{key}_free", "etag:gone.text": etag}
    send(user, "adopt", {**fields, "_adopted": "gone.text"})


def page_remove(user, scope, _key):
    """Answer the question whether an orphan should go."""
    etag = services.etag(scope, "gone.text")
    fields = {"scope": scope, "etag:gone.text": etag, "_removed": "gone.text"}
    send(user, "remove", fields)


def history_restore(user, scope, key):
    """Answer the review of earlier texts."""
    place = f"{scope}:{key}"
    shown = f"{place} {services.etag(scope, key)}"
    fields = {
        "moment": "0",
        "text": place,
        "choosing": "",
        "take": place,
        "_restore": "",
    }
    send(user, RESTORE, {**fields, "based_on": shown})


def command(verb, *arguments):
    """Return a way in by the command, for somebody who has an account."""

    def call(user, scope, key):
        if user.is_anonymous:
            raise Turned
        given = [word.format(scope=scope, key=key) for word in arguments]
        try:
            run(verb, *given, "--user", user.username)
        except CommandError as error:
            assert "Missing permission" in str(error)  # noqa: PT017  # or it is a bug
            raise Turned from error

    return call


def command_import(folder):
    """Return a way in by ``prompts import``."""

    def call(user, scope, key):
        path = folder / "texts.json"
        path.write_text(json.dumps(document(scope, key)))
        command("import", str(path))(user, scope, key)

    return call


SCOPE = "--scope={scope}"
WAYS = {
    "page: save": (CHANGE, page_save),
    "page: switch off, forged": (CHANGE, page_off),
    "page: import": (CHANGE, page_import),
    "page: decide a drift": (CHANGE, page_drift),
    "page: adopt": (CHANGE, page_adopt),
    "page: remove": (DELETE, page_remove),
    "history: restore": (CHANGE, history_restore),
    "service: save": (
        CHANGE,
        lambda user, scope, key: services.save({key: TEXT}, scope=scope, author=user),
    ),
    "service: reset": (
        CHANGE,
        lambda user, scope, key: services.reset([key], scope=scope, author=user),
    ),
    "service: acknowledge": (
        CHANGE,
        lambda user, scope, key: services.acknowledge([key], scope=scope, author=user),
    ),
    "service: restore": (
        CHANGE,
        lambda user, scope, key: services.restore(0, keys=[(scope, key)], author=user),
    ),
    "service: adopt": (
        CHANGE,
        lambda user, scope, key: services.adopt(
            "gone.text", f"{key}_free", scope=scope, author=user
        ),
    ),
    "service: prune": (
        DELETE,
        lambda user, scope, key: services.prune(
            ["gone.text"], scope=scope, author=user
        ),
    ),
    "service: import": (
        CHANGE,
        lambda user, scope, key: services.import_texts(
            document(scope, key), author=user
        ),
    ),
    "command: import": (CHANGE, command_import),
    "command: restore": (CHANGE, command("restore", "0", "--key={scope}:{key}")),
    "command: adopt": (CHANGE, command("adopt", "gone.text", "{key}_free", SCOPE)),
    "command: prune": (DELETE, command("prune", "gone.text", SCOPE)),
}
"""Each way in, by the right it takes in any case."""


def expected(way, rights, scope, key):
    """Return whether somebody with *rights* may go this way."""
    base = WAYS[way][0]
    needed = {base}
    if way == "page: remove" and rights and not {VIEW, CHANGE} & set(rights):
        # Who may not see the page cannot ask for it there.
        return False
    if scope:
        needed.add(OF_SCOPE)
    # An orphan belongs to no group, so no group guards its removal.
    if key == GUARDED and base == CHANGE:
        needed.add(OF_GROUP)
    return rights is not None and needed <= set(rights)


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare and store what every way in can change, drifted and in two scopes."""
    registry.register(
        CORE,
        Group("guarded", label="Guarded", order=5, permission=OF_GROUP),
        Scope("tenant.guarded", label="Guarded tenant", permission=OF_SCOPE),
        *(
            fragment(f"{key}{more}", "Default", group=group)
            for key, group in ((PLAIN, "core"), (GUARDED, "guarded"))
            for more in ("", "_free")
        ),
    )
    kind = ContentType.objects.get_for_model(User)
    for name in (OF_GROUP, OF_SCOPE):
        codename = name.removeprefix("auth.")
        Permission.objects.create(codename=codename, content_type=kind, name=codename)
    for scope in SCOPES:
        text = f"{OTHER} {scope}"
        services.save({PLAIN: text, GUARDED: text}, scope=scope)
        OverrideFactory(scope=scope, key="gone.text", text="Kept", default_text="Was")
    # An acknowledgement has something to do where the default has moved.
    Override.objects.exclude(key="gone.text").update(default_text="Before")
    return registry


@contextmanager
def rolled_back():
    """Take back what is written inside."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def member(name):
    """Return a user of one kind."""
    rights = USERS[name]
    if rights is None:
        return AnonymousUser()
    if name == "superuser":
        return UserFactory(is_superuser=True)
    # Who may see the page may see the history; a stranger sees neither.
    return UserFactory(permissions=(*rights, HISTORY) if rights else ())


@pytest.mark.parametrize("way", WAYS)
def test_who_may_write_by_which_way(way, tmp_path):
    """Just those who hold every right that the text asks for; nobody else by any way."""
    call = WAYS[way][1](tmp_path) if way == "command: import" else WAYS[way][1]
    users = {name: member(name) for name in USERS}
    cases = [
        (name, scope, key)
        for name in USERS
        for scope in SCOPES
        for key in (PLAIN, GUARDED)
    ]

    found = {case: goes_through(call, users[case[0]], *case[1:]) for case in cases}

    assert found == {
        (name, scope, key): expected(way, USERS[name], scope, key)
        for name, scope, key in cases
    }


def goes_through(call, user, scope, key):
    """Return whether *call* changed the store, and take that back."""
    before = everything()
    with rolled_back():
        try:
            call(user, scope, key)
        except (PermissionDenied, Turned):
            assert everything() == before
            return False
        assert everything() != before
        return True

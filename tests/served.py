"""
A small site that assembles and writes, for tests with real servers and for the soak.

Every answer is JSON and names the process that gave it. Fragments stand in sets that
are saved together, and in texts that are edited one by one.
"""

from __future__ import annotations

import json
import os
from typing import Any

from django.db import transaction
from django.http import HttpRequest, JsonResponse
from django.urls import path

from prompts_app import services
from prompts_app.exceptions import EditConflict
from prompts_app.registry import registry
from tests.assembling import CORE, fragment
from tests.process_commands import die
from tests.serving import DEFAULTS, EDITED
from tests.storing import before_statement

began_with: list[str] = []
"""The prompt that was assembled before the server made its workers."""


def declare() -> None:
    """Put the fragments of this site in place of all that is declared."""
    registry._registry = {}
    registry.register(
        CORE,
        *(
            fragment(key, default, order=order)
            for order, (key, default) in enumerate(DEFAULTS.items())
        ),
    )


def answer(status: int = 200, **found: Any) -> JsonResponse:
    """Return what was found, with the number of this process."""
    return JsonResponse({"process": os.getpid(), **found}, status=status)


def prompt(request: HttpRequest) -> JsonResponse:
    """Show the prompt, and the one that this server began with."""
    assembly = services.assemble()
    return answer(text=assembly.text, degraded=assembly.degraded, began_with=began_with)


async def asynchronous_prompt(request: HttpRequest) -> JsonResponse:
    """Show the prompt, assembled from a coroutine."""
    assembly = await services.aassemble()
    return answer(text=assembly.text, degraded=assembly.degraded)


def shown(request: HttpRequest) -> JsonResponse:
    """Show the prompt with the etags that an edit of it is based on."""
    snapshot = services.stored()
    return answer(
        text=services.assemble(overrides=snapshot).text,
        degraded=snapshot.degraded,
        etags={key: services.etag("", key, overrides=snapshot) for key in EDITED},
    )


def save(request: HttpRequest) -> JsonResponse:
    """Save between two looks, as many a view does; show what is seen after it."""
    services.assemble()
    try:
        saved = services.save(**json.loads(request.body))
    except EditConflict:
        return answer(409)
    return answer(revision=saved.revision, text=services.assemble().text)


async def asynchronous_save(request: HttpRequest) -> JsonResponse:
    """Save from a coroutine."""
    try:
        saved = await services.asave(**json.loads(request.body))
    except EditConflict:
        return answer(409)
    return answer(revision=saved.revision)


def restore(request: HttpRequest) -> JsonResponse:
    """Bring back what some texts were after an earlier revision."""
    return answer(revision=services.restore(**json.loads(request.body)).revision)


def reset(request: HttpRequest) -> JsonResponse:
    """Bring back defaults."""
    return answer(revision=services.reset(**json.loads(request.body)).revision)


def undone(request: HttpRequest) -> JsonResponse:
    """Save and take it back; show what was seen inside, and what is seen then."""
    with transaction.atomic():
        services.save(**json.loads(request.body))
        inside = services.assemble().text
        transaction.set_rollback(True)
    assembly = services.assemble()
    return answer(inside=inside, text=assembly.text, degraded=assembly.degraded)


def failing(request: HttpRequest) -> JsonResponse:
    """Save, and fail afterwards."""
    services.save(**json.loads(request.body))
    raise RuntimeError("after the save")


def killed(
    request: HttpRequest,
) -> None:  # pragma: no cover  # who is killed reports nothing
    """Save, and be killed before the statement of the number that is given, from 0."""
    asked = json.loads(request.body)
    with transaction.atomic():
        with before_statement(asked.pop("statement"), die):
            services.save(**asked)
            services.assemble()
        die()


urlpatterns = [
    path("prompt", prompt),
    path("asynchronous-prompt", asynchronous_prompt),
    path("shown", shown),
    path("save", save),
    path("asynchronous-save", asynchronous_save),
    path("restore", restore),
    path("reset", reset),
    path("undone", undone),
    path("failing", failing),
    path("killed", killed),
]

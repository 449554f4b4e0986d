"""What is wrong with settings, store and sources."""

from __future__ import annotations

from collections.abc import Iterator

from django.apps import apps
from django.core.checks import CheckMessage, Error
from django.core.exceptions import ImproperlyConfigured
from django.db import connections, router

from prompts_app import conf
from prompts_app.checks.findings import Flaw, subject_of, told
from prompts_app.overrides.sources import gather
from prompts_app.registry import registry

_LOST = {
    "registered": "an app registers the same",
    "claimed": "an earlier source declares the same",
    "reserved": "the name is the registry's own",
    "protected": "the key is protected globally",
    "replaced": "it is locked, and an app replaces it in a scope",
    "layer": "it can be declared globally only",
}


def check_settings() -> Iterator[CheckMessage]:
    """Yield an error for each setting that cannot be used."""
    for read in conf.READERS:
        name = conf.PREFIX + read.__name__.upper()
        try:
            read()
        except ImproperlyConfigured as error:
            hint = f"Correct {name}, or remove it to have its default."
            yield Error(str(error), hint=hint, id="prompts_app.E001")


def check_store() -> Iterator[CheckMessage]:
    """Yield an error for each Oracle database that would hold overrides."""
    model = apps.get_model("prompts_app", "Override")
    aliases = dict.fromkeys((router.db_for_read(model), router.db_for_write(model)))
    for alias in aliases:
        if connections[alias].vendor == "oracle":
            yield Error(
                f"Overrides are kept in database {alias}, and Oracle cannot tell a"
                " blank text from none.",
                hint="Route prompts_app to another database with DATABASE_ROUTERS.",
                id="prompts_app.E005",
            )


def check_sources() -> Iterator[CheckMessage]:
    """Yield a warning for each declaration of a source that does not count."""
    try:
        declarations = gather()
    except Exception:  # noqa: BLE001  # logged by its place; `migrate` may be what it lacks
        return
    for claim in registry.view((), declarations).lost_claims:
        fault = f"what a source declares does not count, since {_LOST[claim.reason]}"
        flaw = Flaw("W030", fault, "Give the source's row another key, or remove it.")
        yield told(flaw, subject_of(claim.kind, claim.scope, claim.key))

"""What is declared and stored for a chain of scopes, as the terminal shows it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext, gettext_lazy

from prompts_app import conf, services, validation as valid
from prompts_app.assembly import Origin, Snapshot, text_in_force
from prompts_app.declarations import Fragment
from prompts_app.exceptions import UnknownFragment
from prompts_app.management.verbs import warnings
from prompts_app.overrides.rows import Row, rows_in
from prompts_app.registry import Layered, View
from prompts_app.states import orphans, state_of
from prompts_app.wording import bad_scope_text, place

LOCKED = gettext_lazy("Locked")


@dataclass(eq=False)
class Catalogue:
    """The fragments of one chain of scopes, from far to near, with their rows."""

    chain: tuple[str, ...]

    @cached_property
    def view(self) -> View:
        """Return what is declared for the chain."""
        return services.view_of(self.chain)

    @cached_property
    def snapshot(self) -> Snapshot:
        """Return the stored texts of the chain."""
        texts = {
            (scope, key): row.text
            for scope in ("", *self.chain)
            for key, row in self.rows(scope).items()
        }
        return Snapshot(texts, self.view.declarations)

    def rows(self, scope: str) -> Mapping[str, Row]:
        """Return the rows of one scope; none while stored texts are ignored."""
        return self._rows.get(scope, {})

    def in_force(self, key: str) -> tuple[str, Origin]:
        """
        Return the text in force and where it is from.

        Raises:
            UnknownFragment: nobody declares *key*.
        """
        text, origin, _ = text_in_force(self.view, self.snapshot, self._find(key))
        return text, origin

    def fragment(self, key: str) -> Fragment:
        """
        Return the nearest declaration of *key*.

        Raises:
            UnknownFragment: nobody declares it; the nearest keys are named.
        """
        return self._find(key).fragment

    def state(self, key: str) -> str:
        """Return the state of *key* in a word, in the layer its text is from."""
        if self.fragment(key).locked:
            return str(LOCKED)
        _, origin = self.in_force(key)
        of_layer = self._view_of(origin.scope)
        view = of_layer if key in of_layer.by_key else self.view
        return state_of(view, self.rows(origin.scope), key).label

    def orphans(self) -> Iterator[tuple[str, Row]]:
        """Yield scope and row where no fragment reads a row; no chain: all scopes."""
        for scope in ("", *self.chain, *self.other_scopes):
            view = self.view if self.chain else self._view_of(scope)
            for row in orphans(view, self.rows(scope)):
                yield scope, row

    @cached_property
    def other_scopes(self) -> tuple[str, ...]:
        """Return the scopes that have texts too, if no chain was asked for."""
        if self.chain:
            return ()
        return tuple(
            sorted(scope for scope in self._rows if scope and valid.is_scope(scope))
        )

    @cached_property
    def bad_scopes(self) -> Mapping[str, int]:
        """Return what stands for a scope and is none, with its number of texts."""
        wrong = sorted(scope for scope in self._rows if not valid.is_scope(scope))
        return {scope: len(self._rows[scope]) for scope in wrong}

    @cached_property
    def _rows(self) -> Mapping[str, Mapping[str, Row]]:
        if conf.ignore_overrides():
            return {}
        return rows_in(("", *self.chain) if self.chain else None)

    def _view_of(self, scope: str) -> View:
        return services.view_of(scope, self.snapshot)

    def _find(self, key: str) -> Layered:
        if key not in self.view.by_key:
            raise UnknownFragment(key, valid.near(key, tuple(self.view.by_key)))
        return self.view.by_key[key]


def elsewhere(catalogue: Catalogue) -> Iterator[str]:
    """Yield what a list of *catalogue* does not show, or shows as it is not sent."""
    if others := catalogue.other_scopes:
        names = {"names": ", ".join(others)}
        yield gettext("Texts are saved for scopes too: %(names)s.") % names
    for scope, count in catalogue.bad_scopes.items():
        yield bad_scope_text(scope, count)
    yield from warnings()


def source(origin: Origin) -> str:
    """Return where a text was written."""
    if origin.kind == "override":
        return place(origin.scope)
    if origin.scope:
        return gettext("the code, for %(scope)s") % {"scope": origin.scope}
    return gettext("the code")

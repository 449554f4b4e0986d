"""The registry itself: one flat dict, copied on write, and who is told of changes."""

from __future__ import annotations

import itertools
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from prompts_app import validation as valid
from prompts_app.declarations import (
    RESERVED_VARIABLES,
    Declaration,
    Fragment,
    Group,
    Scenario,
    Scope,
    Variable,
)
from prompts_app.exceptions import (
    AlreadyRegistered,
    InvalidDeclaration,
    UnknownFragment,
)
from prompts_app.registry.records import (
    Address,
    Record,
    calling_place,
    check_layer,
    check_protected,
)
from prompts_app.registry.view import View, build_view

REST: Final = "*"
"""The entry of a tool order that stands for every tool it does not list."""

Listener = Callable[["Registry"], object]
_KINDS = {
    Fragment: "fragment",
    Variable: "variable",
    Group: "group",
    Scope: "scope",
    Scenario: "scenario",
}
_GLOBAL_ONLY = ("scope", "scenario")
_VIEWS = 256


class Registration:
    """What a registration returns: `remove()` takes it back, as leaving `with` does."""

    __slots__ = ("_records", "_registry")

    def __init__(self, registry: Registry, records: Mapping[Address, Record]) -> None:
        self._registry = registry
        self._records = dict(records)

    def remove(self) -> None:
        """Take back what is still registered of it; a second call does nothing."""
        self._registry._remove(self._records)  # noqa: SLF001  # the two are one mechanism

    def __enter__(self) -> Registration:
        return self

    def __exit__(self, *exception: object) -> None:
        self.remove()

    def __repr__(self) -> str:
        return f"<Registration of {len(self._records)}>"


class Registry:
    """
    Holds declarations, sources, tool providers, hooks and protections.

    Every change replaces the whole dict, so a reader always sees one state. A
    registry is true even when it is empty, since Django asks for that when it
    decides whether to restore one after a failed import.
    """

    def __init__(self) -> None:
        self._records: dict[Address, Record] = {}
        self._generation = 0
        self._numbers = itertools.count()
        self._lock = threading.RLock()
        self._listeners: list[Listener] = []
        self._views: dict[tuple[int, tuple[str, ...]], View] = {}

    @property
    def generation(self) -> int:
        """Return a number that moves with every change."""
        return self._generation

    @property
    def _registry(self) -> dict[Address, Record]:
        return self._records

    @_registry.setter
    def _registry(self, records: dict[Address, Record]) -> None:
        # Django restores a copy after every module it tried to import.
        if records != self._records:
            self._replace(dict(records))

    def records(self, kind: str) -> tuple[Record, ...]:
        """Return what is registered of one *kind*, in order of registration."""
        return tuple(record for record in self._records.values() if record.kind == kind)

    def __contains__(self, key: object) -> bool:
        return ("fragment", "", key) in self._records

    def __getitem__(self, key: str) -> Fragment:
        record = self._records.get(("fragment", "", key))
        if record is None:
            raise UnknownFragment(key, valid.near(key, tuple(self)))
        fragment: Fragment = record.value
        return fragment

    def __iter__(self) -> Iterator[str]:
        for kind, scope, key in self._records:
            if kind == "fragment" and not scope:
                yield key

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __bool__(self) -> bool:
        return True

    def __repr__(self) -> str:
        return f"<Registry: {len(self)} fragments, {len(self._records)} records>"

    def register(self, *declarations: Declaration, scope: str = "") -> Registration:
        """
        Add *declarations* to a layer, all of them or none.

        Raises:
            AlreadyRegistered: a key stands twice in the layer.
            InvalidDeclaration: a reserved variable, or a Scope or Scenario that
                is registered for a scope.
            ProtectedFragment: the layer is a scope and a key is protected globally.
            TypeError: something that is no declaration.
        """
        place = calling_place()
        added: dict[Address, Record] = {}
        with self._lock:
            for declaration in declarations:
                kind, key = self._identify(declaration, scope)
                address = (kind, scope, key)
                if standing := added.get(address) or self._records.get(address):
                    places = (standing.place, place)
                    raise AlreadyRegistered(f"{kind} {key}", scope, places)
                added[address] = Record(kind, scope, declaration, place)
            return self._add(added)

    def register_source(
        self, source: Callable[[], Iterable[tuple[str, Declaration]]]
    ) -> Registration:
        """
        Add a callable that yields pairs of scope and declaration, mostly from rows.

        It runs whenever stored texts are loaded, reads where `services.reading_from()`
        says, and whoever changes that calls `services.touch()` in the same transaction.

        Raises:
            InvalidDeclaration: it is not callable.
        """
        return self._add_callable("source", source, "")

    def register_tools(
        self, provider: Callable[[Any], Any], scope: str = ""
    ) -> Registration:
        """
        Add a provider ``(Context) -> Iterable[Tool] | ToolSet``; providers add up.

        Raises:
            InvalidDeclaration: it is not callable, or the scope is none.
        """
        return self._add_callable("tools", provider, scope)

    def register_hook(
        self, hook: Callable[[Any, Any], object], scope: str = ""
    ) -> Registration:
        """
        Add a hook ``(Draft, Context) -> None`` that may change every draft.

        Raises:
            InvalidDeclaration: it is not callable, or the scope is none.
        """
        return self._add_callable("hook", hook, scope)

    def protect(
        self,
        fragments: Iterable[str] = (),
        tools: Iterable[str] = (),
        scope: str = "",
    ) -> Registration:
        """
        Keep names as they were before the hooks, absence included.

        The names need not be declared. A fragment that is protected globally
        cannot be replaced in a scope.

        Raises:
            InvalidDeclaration: no name at all, or one that cannot exist.
            ProtectedFragment: a scope replaces one of the fragments already.
        """
        keys = frozenset(valid.strings("fragments", fragments))
        names = frozenset(valid.strings("tools", tools))
        if not keys and not names:
            raise InvalidDeclaration("protect: name at least one fragment or tool")
        for key in keys:
            valid.check_name("protect", "fragment", key, valid.KEY, limit=100)
        for name in names:
            valid.check_name("protect", "tool", name, valid.TOOL)
        return self._add_numbered("protection", (keys, names), scope)

    def on_change(self, listener: Listener) -> None:
        """Call *listener* with the registry after every change, once each."""
        if listener not in self._listeners:
            self._listeners.append(listener)

    def view(
        self,
        chain: tuple[str, ...] = (),
        declarations: tuple[tuple[str, Declaration], ...] = (),
    ) -> View:
        """
        Return what *chain* (far to near) sees, with a snapshot's *declarations*.

        Views are remembered until the registry changes; the declarations are
        compared by identity, as those of one snapshot are one tuple.
        """
        generation, records = self._generation, self._records
        known = self._views.get((generation, chain))
        if known is not None and known.declarations is declarations:
            return known
        view = build_view(records.values(), generation, chain, declarations)
        if len(self._views) >= _VIEWS:
            self._views = {}
        self._views[generation, chain] = view
        return view

    def _identify(self, declaration: object, scope: str) -> tuple[str, str]:
        kind = _KINDS.get(type(declaration))
        if kind is None:
            raise TypeError(
                f"{type(declaration).__name__} is no declaration: register Fragment,"
                " Variable, Group, Scope or Scenario; tools go through register_tools"
            )
        key: str = getattr(declaration, "name" if kind == "variable" else "key")
        check_layer(scope)
        if scope and kind in _GLOBAL_ONLY:
            raise InvalidDeclaration(f"{kind} {key} can be registered globally only")
        if kind == "variable" and key in RESERVED_VARIABLES:
            raise InvalidDeclaration(f"variable {key} is the registry's own")
        return kind, key

    def _add_callable(self, kind: str, call: object, scope: str) -> Registration:
        if not callable(call):
            raise InvalidDeclaration(f"{kind}: {type(call).__name__} is not callable")
        return self._add_numbered(kind, call, scope)

    def _add_numbered(self, kind: str, value: object, scope: str) -> Registration:
        check_layer(scope)
        record = Record(kind, scope, value, calling_place())
        return self._add({(kind, scope, f"{next(self._numbers)}"): record})

    def _add(self, added: dict[Address, Record]) -> Registration:
        with self._lock:
            records = self._records | added
            check_protected(records)
            if added:
                self._replace(records)
        return Registration(self, added)

    def _remove(self, removed: dict[Address, Record]) -> None:
        with self._lock:
            records = {
                address: record
                for address, record in self._records.items()
                if removed.get(address) is not record
            }
            if len(records) < len(self._records):
                self._replace(records)

    def _replace(self, records: dict[Address, Record]) -> None:
        with self._lock:
            before = self._records
            self._set(records)
            try:
                for listener in tuple(self._listeners):
                    listener(self)
            except BaseException:
                self._set(before)
                raise

    def _set(self, records: dict[Address, Record]) -> None:
        self._records = records
        self._generation += 1
        self._views = {}

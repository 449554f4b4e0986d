"""What one chain of scopes sees of the registry, laid out for assembly."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar

from prompts_app.declarations import (
    RESERVED_VARIABLES,
    Declaration,
    Fragment,
    Group,
    Lifetime,
    Scenario,
    Scope,
    Variable,
)

if TYPE_CHECKING:
    from prompts_app.registry.records import Record

T = TypeVar("T")

OWN_VARIABLES = (
    Variable(
        "lb",
        label="Two opening braces",
        description="Writes {{ without starting a reference.",
        example="{{",
        lifetime=Lifetime.FIXED,
    ),
    Variable(
        "tool_names",
        label="Tools of this request",
        description="Comma separated; blank without tools.",
        lifetime=Lifetime.CONVERSATION,
    ),
)


@dataclass(frozen=True, slots=True)
class Layered:
    """A fragment as a chain sees it."""

    fragment: Fragment
    """The nearest declaration: gates, order and group come from it."""
    layers: tuple[tuple[str, Fragment | None], ...]
    """From the nearest scope to the global layer: scope and its own declaration."""
    scopes: tuple[str, ...]
    """From the nearest scope to the one that declares it: whose overrides count."""

    @property
    def key(self) -> str:
        """Return the fragment's key."""
        return self.fragment.key


@dataclass(frozen=True, slots=True)
class LostClaim:
    """A declaration of a source that does not count, since another stood first."""

    kind: str
    scope: str
    key: str
    reason: str
    """``registered``, ``claimed`` (by an earlier source), ``reserved``,
    ``protected``, ``replaced`` (locked, but an app replaces it in a scope) or
    ``layer`` (a Scope or Scenario for a scope)."""


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """All that an assembly needs to know of the registry, immutable."""

    generation: int
    """The registry's, when the view was made."""
    chain: tuple[str, ...]
    """The scopes, from far to near."""
    declarations: tuple[tuple[str, Declaration], ...] = field(repr=False)
    """What sources declared, as given."""
    fragments: tuple[Layered, ...] = field(repr=False)
    """By order, then key."""
    by_key: Mapping[str, Layered] = field(repr=False)
    variables: Mapping[str, Variable] = field(repr=False)
    """The registry's own two included."""
    groups: Mapping[str, Group] = field(repr=False)
    """In page order."""
    clauses: Mapping[str, tuple[Layered, ...]] = field(repr=False)
    """Fragments that provide a variable, by its name, in order."""
    scopes: Mapping[str, Scope] = field(repr=False)
    scenarios: Mapping[str, Scenario] = field(repr=False)
    """In order of registration."""
    hooks: tuple[tuple[str, Callable[[Any, Any], object]], ...] = field(repr=False)
    """Pairs of scope and hook, global first, then from far to near."""
    tool_providers: tuple[tuple[str, Callable[[Any], Any]], ...] = field(repr=False)
    """Pairs of scope and provider, global first, then from far to near."""
    protected: frozenset[str] = field(repr=False)
    """Fragments, locked ones included."""
    protected_tools: frozenset[str] = field(repr=False)
    lost_claims: tuple[LostClaim, ...] = field(repr=False)

    def role(self, group: str) -> str:
        """Return the role of a group; one that nobody declares is a task."""
        declared = self.groups.get(group)
        return declared.role if declared else "task"


_OWN = {variable.name: variable for variable in OWN_VARIABLES}
_Layers = dict[str, dict[tuple[str, str], Any]]
_KEYED = ("fragment", "variable", "group", "scope", "scenario")


def build_view(
    records: Iterable[Record],
    generation: int,
    chain: tuple[str, ...],
    declarations: tuple[tuple[str, Declaration], ...],
) -> View:
    """Return the view of *records* and sources' *declarations* for *chain*."""
    records = tuple(records)
    layers: _Layers = {kind: {} for kind in _KEYED}
    for record in records:
        if record.kind in layers:
            layers[record.kind][record.scope, _name(record.value)] = record.value
    protections = [record for record in records if record.kind == "protection"]
    reserved = _globally_protected(layers["fragment"], protections)
    lost = _merge_sources(layers, declarations, reserved)
    order = ("", *chain)
    fragments = _layered(layers["fragment"], chain)
    guards = [record.value for record in protections if record.scope in order]
    locked = (layered.key for layered in fragments if layered.fragment.locked)
    return View(
        generation=generation,
        chain=chain,
        declarations=declarations,
        fragments=fragments,
        by_key=_frozen({layered.key: layered for layered in fragments}),
        variables=_frozen(_OWN | _nearest(layers["variable"], order)),
        groups=_in_page_order(_nearest(layers["group"], order)),
        clauses=_clauses(fragments),
        scopes=_frozen(_nearest(layers["scope"], order)),
        scenarios=_frozen(_nearest(layers["scenario"], order)),
        hooks=_callables(records, "hook", order),
        tool_providers=_callables(records, "tools", order),
        protected=frozenset(locked).union(*(keys for keys, _ in guards)),
        protected_tools=frozenset().union(*(names for _, names in guards)),
        lost_claims=lost,
    )


def _name(declaration: Any) -> str:
    key: str = (
        declaration.name if isinstance(declaration, Variable) else declaration.key
    )
    return key


def _frozen(values: dict[str, T]) -> Mapping[str, T]:
    return MappingProxyType(values)


def _in_page_order(groups: dict[str, Group]) -> Mapping[str, Group]:
    ordered = sorted(groups.values(), key=lambda group: (group.order, group.key))
    return _frozen({group.key: group for group in ordered})


def _globally_protected(
    fragments: dict[tuple[str, str], Fragment], protections: Iterable[Record]
) -> frozenset[str]:
    locked = (key for (scope, key), f in fragments.items() if not scope and f.locked)
    named = (record.value[0] for record in protections if not record.scope)
    return frozenset(locked).union(*named)


def _merge_sources(
    layers: _Layers,
    declarations: Iterable[tuple[str, Declaration]],
    protected: frozenset[str],
) -> tuple[LostClaim, ...]:
    """
    Add to *layers* what sources declare, and return what does not count.

    Nobody could mend a source where its rows are read, so what `register` refuses
    is lost here, and everything else stands.
    """
    registered = {kind: frozenset(values) for kind, values in layers.items()}
    lost: dict[int, LostClaim] = {}
    # The global claims come first: a lock holds whichever source is asked earlier.
    in_turn = sorted(enumerate(declarations), key=lambda one: bool(one[1][0]))
    for place, (scope, declaration) in in_turn:
        kind, key = type(declaration).__name__.lower(), _name(declaration)
        reason = (
            _standing((scope, key), registered[kind], layers[kind])
            or _forbidden(kind, scope, key, protected)
            or _unlockable(scope, declaration, registered["fragment"])
        )
        if reason:
            lost[place] = LostClaim(kind, scope, key, reason)
            continue
        layers[kind][scope, key] = declaration
        if not scope and isinstance(declaration, Fragment) and declaration.locked:
            protected |= {key}
    return tuple(lost[place] for place in sorted(lost))


def _standing(
    address: tuple[str, str],
    registered: Collection[tuple[str, str]],
    claimed: Collection[tuple[str, str]],
) -> str:
    if address in registered:
        return "registered"
    return "claimed" if address in claimed else ""


def _forbidden(kind: str, scope: str, key: str, protected: Collection[str]) -> str:
    if kind == "variable" and key in RESERVED_VARIABLES:
        return "reserved"
    if kind == "fragment" and scope and key in protected:
        return "protected"
    return "layer" if scope and kind in ("scope", "scenario") else ""


def _unlockable(
    scope: str, declaration: Declaration, registered: Iterable[tuple[str, str]]
) -> str:
    if scope or not isinstance(declaration, Fragment) or not declaration.locked:
        return ""
    replaced = any(layer and key == declaration.key for layer, key in registered)
    return "replaced" if replaced else ""


def _nearest(
    declared: dict[tuple[str, str], T], order: tuple[str, ...]
) -> dict[str, T]:
    found: dict[str, T] = {}
    rank = {scope: number for number, scope in enumerate(order)}
    seen: dict[str, int] = {}
    for (scope, key), declaration in declared.items():
        if scope in rank and rank[scope] >= seen.get(key, 0):
            found[key], seen[key] = declaration, rank[scope]
    return found


def _layered(
    declared: dict[tuple[str, str], Fragment], chain: tuple[str, ...]
) -> tuple[Layered, ...]:
    near_to_far = (*reversed(chain), "")
    layered = []
    for key, fragment in _nearest(declared, ("", *chain)).items():
        layers = tuple((scope, declared.get((scope, key))) for scope in near_to_far)
        home = next(place for place, (_, own) in enumerate(layers) if own is fragment)
        layered.append(Layered(fragment, layers, near_to_far[: home + 1]))
    return tuple(sorted(layered, key=lambda one: (one.fragment.order, one.key)))


def _clauses(fragments: Iterable[Layered]) -> Mapping[str, tuple[Layered, ...]]:
    clauses: dict[str, tuple[Layered, ...]] = {}
    for layered in fragments:
        name = layered.fragment.provides
        if name:
            clauses[name] = (*clauses.get(name, ()), layered)
    return _frozen(clauses)


def _callables(
    records: Iterable[Record], kind: str, order: tuple[str, ...]
) -> tuple[tuple[str, Callable[..., Any]], ...]:
    chosen = (record for record in records if record.kind == kind)
    wanted = [record for record in chosen if record.scope in order]
    wanted.sort(key=lambda record: order.index(record.scope))
    return tuple((record.scope, record.value) for record in wanted)

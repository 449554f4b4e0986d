"""What a request to the page asks for: read once, checked, and then a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from django.core.exceptions import BadRequest
from django.http import HttpRequest, QueryDict

from prompts_app import validation as valid
from prompts_app.declarations import Level
from prompts_app.overrides.journal import check_comment
from prompts_app.overrides.planning import DEFAULT
from prompts_app.syntax import fingerprint, fold_line_breaks

LONGEST_NUMBER = 18
"""How many digits a primary key has at most, for any database."""
TEXT, MARKDOWN, REQUEST = SHOWS = ("text", "markdown", "request")
"""The forms in which a preview shows the prompt; the first unless asked otherwise."""
ACTIONS = (
    "save",
    "restore",
    "off",
    "decided",
    "drift",
    "adopt",
    "adopted",
    "remove",
    "removed",
    "scope",
    "update",
)
"""Names of the submit buttons, without the underscore before them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A view of the page, and the texts typed in it."""

    scope: str = ""
    """The layer that is edited; ``""`` is the whole installation."""
    fragment: str = ""
    """Key of the fragment in view; ``""`` is the start view."""
    q: str = ""
    """What is looked for in names, keys and texts."""
    state: str = ""
    """The state, or mark, that the list is narrowed to; ``""`` is all."""
    scenario: str | None = None
    """Key of the scenario; ``""`` asks for the examples, None for the page's choice."""
    level: Level | None = None
    """None: that of the scenario."""
    show: str = TEXT
    """The form of the preview: one of `SHOWS`."""
    action: str = "update"
    """Which button was pressed: one of `ACTIONS`."""
    target: str = ""
    """The fragment that the button belongs to, or the scope that it leads to."""
    comment: str = ""
    """Why, for the history."""
    texts: Mapping[str, str] = field(default_factory=dict, repr=False)
    """The texts that were changed, with line feeds, by key."""
    etags: Mapping[str, str] = field(default_factory=dict)
    """What the editor of each was shown."""
    taken: frozenset[str] | None = None
    """The changes ticked in the review; None: it comes from elsewhere."""
    confirmed: frozenset[tuple[str, str]] = frozenset()
    """Pairs of key and variable that may go, or of key and a default looked at."""
    values: Mapping[str, str] = field(default_factory=dict, repr=False)
    """Edited sample values, by name."""
    choice: str = ""
    """Which card was chosen where three texts are laid side by side."""
    result: str | None = field(default=None, repr=False)
    """The text written there by hand; None: nothing was."""
    settles: str = ""
    """Etag of the text that the choice was made over."""
    about: str = ""
    """``"default"`` where the choice is about a default that has moved."""
    adopts: str = ""
    """The fragment that an orphaned text is to go to."""
    parts: frozenset[str] = frozenset()
    """The parts of the page that a script asks for."""

    @property
    def based_on(self) -> dict[str, str]:
        """Return the etag that each changed text is based on."""
        return {key: self.etags[key] for key in self.texts if key in self.etags}

    @property
    def chosen(self) -> dict[str, str]:
        """Return the texts that are to be saved now."""
        taken = self.taken
        return {
            k: text for k, text in self.texts.items() if taken is None or k in taken
        }

    @property
    def left(self) -> Asked:
        """Return the same view with the texts that were left for later."""
        chosen = self.chosen
        texts = {key: text for key, text in self.texts.items() if key not in chosen}
        # Ticks are given again; what was decided about a default is decided.
        kept = frozenset(pair for pair in self.confirmed if pair[1] == DEFAULT)
        return replace(self, texts=texts, comment="", confirmed=kept)

    def without_text(self, key: str) -> Asked:
        """Return the same without a changed text of *key*."""
        texts = {name: text for name, text in self.texts.items() if name != key}
        return replace(self, texts=texts)

    def with_result(self, key: str) -> Asked:
        """
        Return the same with what was written by hand beside the texts of *key*.

        It is based on the text that it was written beside. A drifted text may be
        written on without having been typed in before.
        """
        is_expected = key in self.texts or (bool(key) and self.about == DEFAULT)
        if self.result is None or not is_expected:
            return self
        return self.with_text(key, self.result, self.settles)

    def with_text(self, key: str, text: str, etag: str | None = None) -> Asked:
        """Return the same with another text of *key*, based on *etag* if given."""
        etags = dict(self.etags)
        if etag is not None:
            etags[key] = etag
        return replace(self, texts={**self.texts, key: text}, etags=etags)


def is_script(request: HttpRequest) -> bool:
    """Return whether the page's script asks, which shows answers in its own way."""
    return request.headers.get("X-Requested-With") == "XMLHttpRequest"


def row_number(object_id: str) -> int:
    """Return the primary key in an address; 0, which no row has, for another text."""
    is_number = object_id.isascii() and object_id.isdecimal()
    return int(object_id) if is_number and len(object_id) <= LONGEST_NUMBER else 0


def read_get(request: HttpRequest) -> Asked:
    """
    Return the view that a link asks for.

    Raises:
        BadRequest: the scope is none.
    """
    return Asked(**_view(request.GET))


def read_post(request: HttpRequest) -> Asked:
    """
    Return the view and the texts that a form submits.

    A box counts as submitted when its text has another fingerprint than the one
    that was shown in it.

    Raises:
        BadRequest: a scope is none, or the comment cannot be stored.
    """
    data = request.POST
    action, target = _button(data)
    shown = _named(data, "shown")
    texts = {
        key: fold_line_breaks(text)
        for key, text in _named(data, "text").items()
        if shown.get(key) != fingerprint(text)
    }
    view = _view(data)
    return Asked(
        **view,
        **_decision(data),
        action=action,
        target=target,
        comment=comment_in(data),
        texts=texts,
        etags=_named(data, "etag"),
        taken=frozenset(data.getlist("take")) if "reviewed" in data else None,
        confirmed=confirmed_in(data),
        values=_values(data, view["scenario"]),
        parts=frozenset(data.getlist("parts")),
    )


def _text(data: QueryDict, name: str) -> str:
    return str(data.get(name, ""))


def comment_in(data: QueryDict) -> str:
    """
    Return why a form saves.

    Raises:
        BadRequest: it cannot be stored.
    """
    try:
        return check_comment(_text(data, "comment"))
    except ValueError as error:
        raise BadRequest(str(error)) from error


def _view(data: QueryDict) -> dict[str, Any]:
    level, show = _text(data, "level"), _text(data, "show")
    chosen = "_scenario" if "_scenario" in data else "scenario"
    return {
        "scope": _scope(data, "scope"),
        "fragment": _text(data, "fragment"),
        "q": _text(data, "q").strip(),
        "state": _text(data, "state"),
        "scenario": _text(data, chosen) if chosen in data else None,
        "level": Level(level) if level in tuple(Level) else None,
        "show": show if show in SHOWS else TEXT,
    }


def _scope(data: QueryDict, name: str) -> str:
    scope = _text(data, name)
    if not valid.is_scope(scope):
        raise BadRequest("scope has to be kind.name in lower case")
    return scope


def _decision(data: QueryDict) -> dict[str, Any]:
    result = _text(data, "result")
    written = "result" in data and _text(data, "result_shown") != fingerprint(result)
    return {
        "choice": _text(data, "choice"),
        "result": fold_line_breaks(result) if written else None,
        "settles": _text(data, "settles"),
        "about": _text(data, "about"),
        "adopts": _text(data, "adopts"),
    }


def _button(data: QueryDict) -> tuple[str, str]:
    if "_scope" in data:
        # One button leads where a select stands, the others where they say.
        is_chosen = data["_scope"] == "chosen"
        return "scope", _scope(data, "to_scope" if is_chosen else "_scope")
    for action in ACTIONS:
        if f"_{action}" in data:
            return action, _text(data, f"_{action}")
    return "update", ""


def _named(data: QueryDict, prefix: str) -> dict[str, str]:
    """Return the fields called ``prefix:name``, by name."""
    start = f"{prefix}:"
    return {
        name.removeprefix(start): _text(data, name)
        for name in data
        if name.startswith(start)
    }


def confirmed_in(data: QueryDict) -> frozenset[tuple[str, str]]:
    """Return the pairs of key and variable that are ticked in a form."""
    start = "confirm:"
    return frozenset(
        (name.removeprefix(start), what)
        for name in data
        if name.startswith(start)
        for what in data.getlist(name)
    )


def _values(data: QueryDict, scenario: str | None) -> dict[str, str]:
    # Samples belong to the scenario they were shown for.
    if data.get("values_of", scenario) != scenario or "_samples" in data:
        return {}
    values = _named(data, "value")
    return {name: fold_line_breaks(value) for name, value in values.items()}

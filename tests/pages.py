"""The admin's page as a browser without scripts reads and submits it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Any

from django.test import Client
from django.urls import reverse

from prompts_app.syntax import fold_line_breaks

VOID = frozenset({"br", "hr", "img", "input", "link", "meta"})
PRESSED = ("_update", "")
"""The form's first button, which a bare Enter presses."""


@dataclass(eq=False)
class Element:
    """An element of a page, with the text that can be read in it."""

    tag: str
    attributes: dict[str, str]
    parent: Element | None
    pieces: list[str] = field(default_factory=list, repr=False)

    @property
    def raw(self) -> str:
        """Return the text, white space kept, but for line feeds that no browser shows."""
        text = "".join(self.pieces)
        if self.tag == "pre":
            text = text.removesuffix("\n")
        return text.removeprefix("\n") if self.tag in ("textarea", "pre") else text

    @property
    def text(self) -> str:
        """Return the text as it is read, with single spaces."""
        return " ".join(self.raw.split())

    def matches(self, tag: str, attributes: Mapping[str, str | None]) -> bool:
        """Return whether this is a *tag* with all of *attributes*; None: it has any."""
        return self.tag == tag and all(
            self._has(name.rstrip("_").replace("_", "-"), value)
            for name, value in attributes.items()
        )

    def _has(self, name: str, value: str | None) -> bool:
        held = self.attributes.get(name)
        if name == "class":
            return value in (held or "").split()
        return held is not None if value is None else held == value

    def inside(self, other: Element) -> bool:
        """Return whether this element stands in *other*."""
        above = self.parent
        while above is not None and above is not other:
            above = above.parent
        return above is not None


class Page(HTMLParser):
    """One answer of the server, cut into its elements."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.html = html
        self.elements: list[Element] = []
        self._open: list[Element] = []
        self.feed(fold_line_breaks(html))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element and step into it."""
        above = self._open[-1] if self._open else None
        element = Element(tag, {name: value or "" for name, value in attrs}, above)
        self.elements.append(element)
        if tag not in VOID:
            self._open.append(element)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element that closes itself, as those of a drawing do."""
        self.handle_starttag(tag, attrs)
        self.handle_endtag(tag)

    def handle_endtag(self, tag: str) -> None:
        """Step out of the innermost element, which has to be a *tag*."""
        if (
            tag not in VOID
        ):  # pragma: no branch  # but for <br/>, which any theme may write
            closed = self._open.pop()
            assert closed.tag == tag, f"</{tag}> closes a <{closed.tag}>"

    def handle_data(self, data: str) -> None:
        """
        Add text to every element that it can be read in.

        What is hidden, and what was deleted, belongs to itself alone.
        """
        for element in reversed(self._open):
            element.pieces.append(data)
            if element.tag == "del" or "hidden" in element.attributes:
                break

    def all(
        self, tag: str, within: Element | None = None, /, **attributes: str | None
    ) -> list[Element]:
        """Return the elements that match and, if asked, stand in *within*; in order."""
        return [
            one
            for one in self.elements
            if one.matches(tag, attributes) and (within is None or one.inside(within))
        ]

    def one(
        self, tag: str, within: Element | None = None, /, **attributes: str | None
    ) -> Element:
        """Return the only element that matches."""
        (found,) = self.all(tag, within, **attributes)
        return found

    def has(self, tag: str, **attributes: str | None) -> bool:
        """Return whether any element matches."""
        return bool(self.all(tag, **attributes))

    def box(self, key: str) -> Element:
        """Return the text area of one fragment, wherever on the page it is."""
        return self.one("textarea", name=f"text:{key}")

    def editor(self, key: str) -> Element:
        """Return the part of the page that is about one fragment's text."""
        return self.one("article", data_editor=key)

    def row(self, key: str) -> Element:
        """Return the line of one fragment in the list."""
        return self.one("li", data_row=key)

    def problems(self, key: str) -> list[str]:
        """Return what is said to be wrong with the text of *key*, tick boxes too."""
        said = self.all("li", self.editor(key), class_="is-error")
        return [one.text for one in said]

    def edited(self) -> list[str]:
        """Return the keys that have an editor here, in order."""
        return [
            one.attributes["data-editor"]
            for one in self.all("article", id=None)
            if "data-editor" in one.attributes
        ]

    def passages(self) -> dict[str, str]:
        """Return the texts of the previewed prompt by key, in order."""
        return {
            one.attributes["data-passage-of"]: self.one("pre", one).raw
            for one in self.all("div", data_passage_of=None)
        }

    def chosen(self, name: str) -> str:
        """Return the value that the choice called *name* stands at."""
        return self.fields()[name][-1]

    @property
    def form(self) -> Element:
        """Return the form that carries the texts."""
        form = self.one("input", name="scope").parent
        assert form is not None
        assert form.tag == "form"
        return form

    def fields(self) -> dict[str, list[str]]:
        """Return what the form submits when no button is pressed, by name."""
        submitted: dict[str, list[str]] = {}
        form = self.form
        for element in self.elements:
            if "name" in element.attributes and _belongs(element, form):
                for value in self._values(element):
                    submitted.setdefault(element.attributes["name"], []).append(value)
        return submitted

    def button(self, press: tuple[str, str] | str) -> tuple[str, str, str]:
        """Return name and value of a button, and where it leads; the form's if gone."""
        for button in self.all("button", type="submit"):
            held = button.attributes
            pair = held.get("name", ""), held.get("value", "")
            if press in (pair, button.text) and _belongs(button, self.form):
                target = held.get("formaction", self.form.attributes["action"])
                return *pair, target.partition("#")[0]
        assert not isinstance(press, str), f"There is no button {press!r}"
        return *press, self.form.attributes["action"]

    def _values(self, element: Element) -> Iterator[str]:
        if element.tag == "textarea":
            yield element.raw.replace("\n", "\r\n")
        elif element.tag == "select":
            options = self.all("option", element)
            chosen = [one for one in options if "selected" in one.attributes]
            yield (chosen or options)[0].attributes["value"]
        elif element.tag == "input":
            ticks = element.attributes["type"] in ("checkbox", "radio")
            if not ticks or "checked" in element.attributes:
                yield element.attributes.get("value", "")


def _belongs(element: Element, form: Element) -> bool:
    return element.inside(form) or element.attributes.get(
        "form"
    ) == form.attributes.get("id", "")


def address(verb: str = "changelist", site: str = "admin", *arguments: object) -> str:
    """Return where one of the page's views is on one admin site."""
    return reverse(f"{site}:prompts_app_override_{verb}", args=arguments)


class Visitor:
    """Somebody who uses the page of one admin site with scripts switched off."""

    def __init__(self, user: Any, site: str = "admin", **options: Any) -> None:
        self.site = site
        self.client = Client(**options)
        self.client.force_login(user)
        self.answer: Any = None
        """The last answer of the server."""

    def open(self, **query: str) -> Page:
        """Return the page as a link with *query* shows it."""
        self.answer = self.client.get(address(site=self.site), query)
        return self._page()

    def send(
        self,
        page: Page,
        changes: Mapping[str, str | list[str]] | None = None,
        press: tuple[str, str] | str = PRESSED,
    ) -> Page:
        """
        Return what comes of pressing a button after *changes* to some fields.

        *press* is the button's name and value, or the words on it.
        """
        fields: dict[str, Any] = {**page.fields(), **(changes or {})}
        name, value, target = page.button(press)
        # A button's value goes out after that of a field of the same name.
        before = fields.get(name, [])
        fields[name] = [*([before] if isinstance(before, str) else before), value]
        self._post(target, fields)
        return self._page()

    def review(
        self, page: Page, changes: Mapping[str, str | list[str]] | None = None
    ) -> Page:
        """Return what comes of asking for the review after *changes*."""
        return self.send(page, changes, "Review and save")

    def save(
        self,
        page: Page,
        changes: Mapping[str, str | list[str]] | None = None,
        **reviewed: str | list[str],
    ) -> Page:
        """
        Return what comes of saving *changes* through the review.

        *reviewed* are changes made there. What stands in the way of the review is
        returned instead.
        """
        page = self.review(page, changes)
        if page.form.attributes.get("id") != "prompts-review":
            return page
        return self.send(page, reviewed, ("_save", ""))

    def post(self, fields: Mapping[str, Any], verb: str = "changelist") -> Any:
        """Return the answer to *fields*, whether or not any page would send them."""
        return self._post(address(verb, self.site), fields)

    def ask(self, part: str, fields: Mapping[str, Any]) -> Page:
        """Return one part of the page as a script gets it."""
        answer = self.post({**fields, "parts": part}, "preview")
        assert answer.status_code == 200, answer.status_code
        return Page(answer.json()[part])

    def preview(self, fields: Mapping[str, Any]) -> Page:
        """Return what a script is told of the prompt with *fields* in it."""
        return self.ask("output", fields)

    def _post(self, target: str, fields: Mapping[str, Any]) -> Any:
        self.answer = self.client.post(target, fields, follow=True)
        return self.answer

    def _page(self) -> Page:
        assert self.answer.status_code == 200, self.answer.status_code
        return Page(self.answer.content.decode())

"""What each variable is worth in one assembly, asked for only when needed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from prompts_app.assembly.patterns import EMPTY, FULL, SPACE, UNKNOWN
from prompts_app.assembly.values import Context
from prompts_app.exceptions import place_of
from prompts_app.registry import View
from prompts_app.syntax import clean_untrusted, write

logger = logging.getLogger("prompts_app")

Call = Callable[[Callable[[Context], object], Context], object]
Fatal = Callable[[BaseException], bool]

OPENING_BRACES = "{{"
_CACHED_VALUES = 512
_LONGEST_VALUE = 200_000


class CleanTexts:
    """Values in which there was nothing to clean, a bounded number of them."""

    def __init__(self) -> None:
        self.texts: set[str] = set()
        self.weight = 0
        """In characters, of all of them."""

    def clean(self, value: str) -> str:
        """Return *value* as `clean_untrusted()` does."""
        if value in self.texts:
            return value
        cleaned = clean_untrusted(value)
        if cleaned == value and len(value) <= _LONGEST_VALUE:
            self.weight += len(value)
            if len(self.texts) >= _CACHED_VALUES or self.weight > 5 * _LONGEST_VALUE:
                self.texts.clear()
                self.weight = len(value)
            self.texts.add(value)
        return cleaned


clean_texts = CleanTexts()
clean = clean_texts.clean


def call_plainly(provider: Callable[[Context], object], context: Context) -> object:
    """
    Return what a synchronous *provider* returns.

    Raises:
        TypeError: it returned a coroutine, which needs a caller that can wait.
    """
    result = provider(context)
    refuse_awaitable(result, "a coroutine provider needs a call= that waits for it")
    return result


def refuse_awaitable(result: object, fault: str) -> None:
    """Raise TypeError, saying *fault*, if somebody would have to wait for *result*."""
    if hasattr(result, "__await__"):
        if hasattr(result, "close"):
            result.close()
        raise TypeError(fault)


class Values(Mapping[str, str | None]):
    """
    The plain variables of one assembly: the caller's, then the providers'.

    A value is a text, cleaned where its variable is untrusted, or None for none.
    Each provider runs at most once, when its name is first looked up.
    """

    def __init__(
        self,
        view: View,
        context: Context,
        given: Mapping[str, object],
        call: Call,
        tool_names: str,
        fatal: Fatal,
    ) -> None:
        self._view = view
        self._context = context
        self._given = given
        self._call = call
        self._fatal = fatal
        self.known: dict[str, str | None] = {"lb": OPENING_BRACES}
        """What was looked up so far; None: no value, or no such name."""
        if "tool_names" not in given:
            self.known["tool_names"] = tool_names or None
        self.failed: set[str] = set()
        """The names whose provider raised an error."""

    def __contains__(self, name: object) -> bool:
        return name in self._given or name in self._view.variables

    def __getitem__(self, name: str) -> str | None:
        if name not in self.known:
            if name not in self:
                raise KeyError(name)
            self.known[name] = self._look_up(name)
        return self.known[name]

    def __iter__(self) -> Iterator[str]:
        yield from dict.fromkeys((*self._view.variables, *self._given))

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def states(self, names: Sequence[str], untrusted: Iterable[int]) -> tuple[int, ...]:
        """
        Return what each of *names* is worth, as `patterns.UNKNOWN` and so on.

        *untrusted* are the places of those whose values have to be cleaned.
        """
        given = self._given.get
        values = [
            value if (value := given(name)).__class__ is str else self._other(name)
            for name in names
        ]
        for place in untrusted:
            if value := values[place]:
                values[place] = clean(value)
        self.known.update(zip(names, values, strict=True))
        return tuple(
            [
                FULL if value and not value.isspace() else self._not_full(name, value)
                for name, value in zip(names, values, strict=True)
            ]
        )

    def _other(self, name: str) -> str | None:
        """Return the value of a name that the call gives no text for, if any."""
        return self.get(name)

    def _not_full(self, name: str, value: str | None) -> int:
        if value:
            return SPACE
        return EMPTY if name in self else UNKNOWN

    def is_blank(self, name: str) -> bool:
        """Return whether *name* has no value, or one that is white space only."""
        value = self.get(name)
        return value is None or not value.strip()

    def _look_up(self, name: str) -> str | None:
        variable = self._view.variables.get(name)
        if name in self._given:
            text = _spell(name, self._given[name])
        elif variable is not None and variable.provider is not None:
            text = self._ask(name, variable.provider)
        else:
            text = None
        if text is not None and variable is not None and variable.untrusted:
            text = clean(text)
        return text

    def _ask(self, name: str, provider: Callable[[Context], object]) -> str | None:
        try:
            return _spell(name, self._call(provider, self._context))
        except Exception as error:
            if self._fatal(error):
                raise
            self.failed.add(name)
            # The error's own words may quote a value.
            logger.warning(
                "The provider of variable %s failed: %s at %s",
                name,
                type(error).__name__,
                place_of(error),
            )
            return None


class WithClauses(Mapping[str, str | None]):
    """Plain variables and, where the caller gave no value, the clauses' texts."""

    def __init__(self, plain: Values, texts: Mapping[str, str]) -> None:
        self._plain = plain
        self.texts = texts
        """The clauses that count, by the name of their variable."""

    def __contains__(self, name: object) -> bool:
        return name in self.texts or name in self._plain

    def __getitem__(self, name: str) -> str | None:
        if name in self.texts:
            return self.texts[name]
        return self._plain[name]

    def __iter__(self) -> Iterator[str]:
        yield from dict.fromkeys((*self._plain, *self.texts))

    def __len__(self) -> int:
        return sum(1 for _ in self)


def are_clean(values: Iterable[str]) -> bool:
    """Return whether all *values* are known to hold nothing that has to be cleaned."""
    return clean_texts.texts.issuperset(values)


def never(error: BaseException) -> bool:
    """Return that no error of a provider has to be raised."""
    return False


def _spell(name: str, value: object) -> str | None:
    return None if value is None or value is False else write(name, value)

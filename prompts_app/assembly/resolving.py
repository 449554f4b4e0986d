"""What each variable is worth in one assembly, asked for only when needed."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping

from prompts_app.assembly.values import Context
from prompts_app.registry import View
from prompts_app.syntax import clean_untrusted, write

logger = logging.getLogger("prompts_app")

Call = Callable[[Callable[[Context], object], Context], object]
Fatal = Callable[[BaseException], bool]

OPENING_BRACES = "{{"


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
        self, view: View, context: Context, given: Mapping[str, object], call: Call
    ) -> None:
        if "lb" in given:
            raise ValueError("lb is the registry's own variable; no call may give it")
        self._view = view
        self._context = context
        self._given = given
        self._call = call
        self.known: dict[str, str | None] = {"lb": OPENING_BRACES}
        """What was looked up so far."""
        self.failed: dict[str, Exception] = {}
        """What its provider raised, by name."""
        self.fatal: Fatal = _never
        """Says which errors of a provider are not swallowed."""

    def offer(self, tool_names: str) -> None:
        """Set the variable ``tool_names``, unless the call gave it."""
        if "tool_names" not in self._given:
            self.known["tool_names"] = tool_names or None

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
            text = clean_untrusted(text)
        return text

    def _ask(self, name: str, provider: Callable[[Context], object]) -> str | None:
        try:
            return _spell(name, self._call(provider, self._context))
        except Exception as error:
            if self.fatal(error):
                raise
            self.failed[name] = error
            # The error's own words may quote a value.
            logger.warning(
                "The provider of variable %s failed: %s at %s",
                name,
                type(error).__name__,
                _place(error),
            )
            return None


class WithClauses(Mapping[str, str | None]):
    """Plain variables and, where the caller gave no value, the clauses' texts."""

    def __init__(
        self, plain: Values, given: Mapping[str, object], clauses: Mapping[str, str]
    ) -> None:
        self._plain = plain
        self.texts = {n: text for n, text in clauses.items() if n not in given}
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


def _never(error: BaseException) -> bool:
    return False


def _spell(name: str, value: object) -> str | None:
    return None if value is None or value is False else write(name, value)


def _place(error: BaseException) -> str:
    frame = error.__traceback__
    while frame is not None and frame.tb_next is not None:
        frame = frame.tb_next
    if frame is None:
        return "an unknown place"
    return f"{frame.tb_frame.f_code.co_filename}:{frame.tb_lineno}"

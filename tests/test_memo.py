"""The memory that plans are kept in: bounded, oldest first, and never in the way."""

from __future__ import annotations

import sys
from concurrent.futures import ThreadPoolExecutor

import pytest

from prompts_app.assembly.memo import Memo, after_fork


def test_it_gives_back_what_was_put_in():
    """And None for what was not."""
    memo = Memo(entries=2, weight=10)

    memo.put("a", 1)

    assert (memo.get("a"), memo.get("b")) == (1, None)


def test_what_is_put_in_without_a_weight_weighs_one():
    """Then the bound is one of their number."""
    memo = Memo(entries=9, weight=2)

    for key in "abc":
        memo.put(key, key)

    assert (len(memo), memo.weight, memo.get("a")) == (2, 2, None)


def test_the_oldest_goes_where_there_are_too_many():
    """By when it was put in, not by when it was asked for."""
    memo = Memo(entries=2, weight=10)

    for key in "abc":
        memo.put(key, key)
        memo.get("a")

    assert [memo.get(key) for key in "abc"] == [None, "b", "c"]
    assert len(memo) == 2


@pytest.mark.parametrize(("entries", "weight"), [(8, 1_000), (1_000, 16)])
def test_what_is_renewed_stays_however_much_comes(entries, weight):
    """By number as by weight; what is only read goes."""
    memo = Memo(entries=entries, weight=weight)
    memo.put("base", "held", 2)
    memo.put("read", "held", 2)

    for number in range(50):
        memo.put(number, number, 2)
        memo.get("read")
        assert memo.renewed("base") == "held"

    assert memo.get("read") is None
    assert memo.weight == 2 * len(memo) == 16


def test_what_is_young_is_not_renewed():
    """To put it in again each time would cost more than it is worth."""
    memo = Memo(entries=8, weight=1_000)
    for key in "abc":
        memo.put(key, key)
    memo.renewed("a")
    before = [*memo._held]
    memo.put("d", "d")

    found = memo.renewed("a"), memo.renewed("none")

    assert before == [*"abc"]
    assert found == ("a", None)
    assert [*memo._held] == [*"bcda"]


def test_the_oldest_go_where_all_is_too_heavy():
    """As many of them as it takes."""
    memo = Memo(entries=9, weight=10)

    for key in "abc":
        memo.put(key, key, 3)
    memo.put("d", "d", 6)

    assert [memo.get(key) for key in "abcd"] == [None, None, "c", "d"]
    assert memo.weight == 9


def test_what_is_too_heavy_by_itself_is_not_held():
    """Nothing else has to go for it."""
    memo = Memo(entries=9, weight=10)
    memo.put("a", "a", 10)

    memo.put("b", "b", 11)

    assert (memo.get("a"), memo.get("b")) == ("a", None)


def test_a_key_holds_its_last_value_and_counts_once():
    """Also if the last one is lighter."""
    memo = Memo(entries=2, weight=10)
    memo.put("a", 1, 8)

    memo.put("a", 2, 3)

    assert (memo.get("a"), memo.weight, len(memo)) == (2, 3, 1)


def test_it_can_be_emptied():
    """So that a measurement begins with nothing."""
    memo = Memo(entries=2, weight=10)
    memo.put("a", 1, 8)

    memo.clear()

    assert (memo.get("a"), memo.weight, len(memo)) == (None, 0, 0)


@pytest.fixture
def restless():
    """Let threads take turns as often as they can."""
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(interval)


@pytest.mark.usefixtures("restless")
def test_threads_cannot_lose_count():
    """However many put the same and other things in at once."""
    memo = Memo(entries=50, weight=200)

    def fill(start):
        for number in range(20_000):
            memo.put((start + number) % 97, number, number % 7)
            memo.get(number % 97)

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(fill, range(4)))

    assert len(memo) <= 50
    assert memo.weight == sum(weight for _, weight, _ in memo._held.values()) <= 200


def test_a_forked_process_waits_for_no_thread_of_its_parent():
    """A thread that was putting something in is not there any more."""
    memo = Memo(entries=2, weight=10)
    memo._lock.acquire()

    after_fork()
    memo.put("a", 1)

    assert memo.get("a") == 1

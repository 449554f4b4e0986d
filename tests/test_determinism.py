"""Equal input gives equal bytes, in any process and in any order of filling."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st

from prompts_app.assembly import Snapshot
from prompts_app.registry import Registry
from tests.assembling import CORE, SEAM, TASKS, assemble, fragment, tool, variable
from tests.catalogue_account import account as account_of_catalogue

ROOT = Path(__file__).resolve().parent.parent
FRAGMENTS = [
    fragment("core.a", "{{who}} {{tool_names}}", families={"web", "files"}),
    fragment("core.b", "{{note}}", requires=["who"], order=1),
    fragment("core.c", "C {{who}}", provides="note"),
    fragment("seam.s", "S", group="seam"),
    fragment("task.t", "{{place}}", group="tasks"),
    variable("who"),
    variable("place"),
]
TOOLS = [tool("read", "files"), tool("Search", "web"), tool("zoom")]
VALUES = [("who", "Ada"), ("place", "Ulm"), ("unused", "x")]
TEXTS = [(("", "core.a"), "{{who}}, {{tool_names}}"), (("x.y", "core.c"), "")]


def account(declarations, values, texts, tools, include):
    """Return everything an assembly says, as one text."""
    registry = Registry()
    registry.register(CORE, SEAM, TASKS)
    for declaration in declarations:
        registry.register(declaration)
    built = assemble(
        registry,
        variables=dict(values),
        overrides=Snapshot(dict(texts)),
        tools=tools,
        include=tuple(include),
    )
    lanes = {lane.name: one.fingerprint for lane, one in built.lanes.items()}
    variables = sorted(built.variables.items())
    trace = [(e.key, e.outcome, e.reason, e.origin, e.lane) for e in built.trace]
    return repr((built.text, built.seam, built.fingerprint, lanes, variables, trace))


@settings(max_examples=40)
@given(
    st.permutations(FRAGMENTS),
    st.permutations(VALUES),
    st.permutations(TEXTS),
    st.permutations(TOOLS),
    st.permutations(["core", "tasks", "task.t"]),
)
@pytest.mark.covers("O6", "D40", "W32")
def test_no_order_of_filling_matters(declarations, values, texts, tools, include):
    """Of registration, values, stored texts, tools or names of what is wanted."""
    expected = account(FRAGMENTS, VALUES, TEXTS, TOOLS, ["core", "tasks", "task.t"])

    assert account(declarations, values, texts, tools, include) == expected


SCRIPT = """
from tests.test_determinism import *
names = {"core", "tasks", "task.t"}
print(account(FRAGMENTS, {*VALUES}, {*TEXTS}, TOOLS, names))
"""


@pytest.mark.covers("O6")
def test_no_process_matters():
    """Sets are walked in another order under every seed; the bytes are the same."""
    told = set()
    for seed in ("0", "1", "42"):
        environ = os.environ | {"PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        done = subprocess.run(
            [sys.executable, "-c", SCRIPT],
            env=environ,
            capture_output=True,
            text=True,
            check=True,
        )
        told.add(done.stdout)

    (account_told,) = told
    assert "Ada, Search, read, zoom" in account_told


@pytest.fixture(scope="module")
def catalogue_here():
    """Return the digests of the chat catalogue as this process makes them."""
    return account_of_catalogue(0)


@pytest.mark.covers("O6", "A22")
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_no_process_matters_to_a_whole_catalogue(catalogue_here, seed):
    """
    Texts, lanes, fingerprints, tools and traces of each scenario are the same bytes.

    Whatever the seed of the process, the order of declaring, of the dicts and sets of
    a call, and the door.
    """
    environ = os.environ | {
        "PYTHONHASHSEED": str(seed),
        "DJANGO_SETTINGS_MODULE": "tests.settings",
    }
    done = subprocess.run(
        [sys.executable, "-W", "error", "-m", "tests.catalogue_account", str(seed)],
        cwd=ROOT,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.stderr == ""
    assert json.loads(done.stdout) == catalogue_here


def test_a_digest_tells_one_scenario_and_level_from_another(catalogue_here):
    """Else equal digests would say nothing; texts without a fence share theirs."""
    levels = {name.split()[1] for name in catalogue_here}

    assert len(catalogue_here) == 2 * len({n.split()[0] for n in catalogue_here})
    assert levels == {"lean", "detailed"}
    assert len({*catalogue_here.values()}) > len(catalogue_here) / 2

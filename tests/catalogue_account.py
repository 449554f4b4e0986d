"""
Every byte that the chat catalogue sends, as this process makes it.

Run as a module it prints a digest of each scenario at each level; the argument is the
seed of the order in which things are declared and filled.
"""

from __future__ import annotations

import hashlib
import json
import random
import sys
from collections.abc import Iterable
from typing import Any

import django
from asgiref.sync import async_to_sync

OVERRIDES = {
    ("", "core.style"): "Speak as {{instance_name}} does, to {{user_name}}.",
    ("", "core.honesty"): "",
    ("tenant.acme", "core.style"): "Acme speaks plainly.",
    ("tenant.acme", "tool.fetch"): "- `fetch` reads.",
}


def account(seed: int) -> dict[str, str]:
    """Return a digest by scenario and level; *seed* decides every order of filling."""
    from prompts_app import Level, Tool, services  # noqa: PLC0415  # apps are ready now
    from prompts_app.assembly import Snapshot  # noqa: PLC0415  # apps are ready now
    from prompts_app.contrib.chat import prompts  # noqa: PLC0415  # apps are ready now
    from prompts_app.testing import isolated_registry  # noqa: PLC0415  # apps are ready now

    shuffle = random.Random(seed).sample  # noqa: S311  # an order, no secret

    def mixed(mapping: dict[Any, Any]) -> dict[Any, Any]:
        return dict(shuffle([*mapping.items()], len(mapping)))

    def told(tool: Tool) -> Tool:
        return Tool(
            tool.name,
            description=tool.description,
            parameters=mixed(tool.schema()),
            family=tool.family,
        )

    declared = (*prompts.GROUPS, *prompts.VARIABLES, *prompts.FRAGMENTS)
    with isolated_registry() as registry:
        registry.register(*shuffle(declared, len(declared)))
        found = {}
        for scenario in shuffle(prompts.SCENARIOS, len(prompts.SCENARIOS)):
            for level in shuffle([*Level], 2):
                given = {
                    "include": scenario.include and {*scenario.include},
                    "variables": mixed(dict(scenario.variables)),
                    "tools": shuffle([*map(told, scenario.tools)], len(scenario.tools)),
                    "level": level,
                    "scope": "tenant.acme",
                    "overrides": Snapshot(mixed(OVERRIDES)),
                }
                built = services.assemble(**given)
                waited = async_to_sync(services.aassemble)(**given)
                sent = list(_bytes(built, scenario.authored))
                assert sent == list(_bytes(waited, scenario.authored))
                found[f"{scenario.key} {level}"] = _digest(sent)
    return dict(sorted(found.items()))


def _bytes(assembly: Any, authored: str) -> Iterable[str]:
    yield assembly.text
    yield assembly.join(authored)
    yield assembly.fingerprint
    for lifetime, lane in assembly.lanes.items():
        yield f"{lifetime.name} {lane.fingerprint}\n{lane.text}"
    for tool in assembly.tools:
        # As a client writes it: no key is sorted here.
        yield json.dumps([tool.name, tool.description, tool.schema(), tool.strict])
    for one in assembly.trace:
        yield repr((one.key, one.outcome, one.reason, one.origin, one.lane, one.notes))
        yield one.text
    yield repr([*assembly.variables.items()])


def _digest(sent: list[str]) -> str:
    return hashlib.sha256("\0".join(sent).encode()).hexdigest()


if __name__ == "__main__":
    django.setup()
    sys.stdout.write(json.dumps(account(int(sys.argv[1]))))

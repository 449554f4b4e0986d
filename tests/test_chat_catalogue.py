"""The chat catalogue as it is declared: every fact of its tables."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest
from django.apps import apps
from django.utils.functional import Promise

import prompts_app
from prompts_app import Lifetime, registry
from prompts_app.contrib import chat
from prompts_app.contrib.chat import prompts
from prompts_app.syntax import at_level, variables_in

# Key, group, order, shape; then the family, the required variable, whether only
# with tools, and the variables of the text.
FRAGMENTS = """
core.heading core 10 heading
core.today core 20 paragraph uses:today
core.identity core 30 paragraph requires:user_name uses:instance_name,user_name
core.style core 40 paragraph
core.honesty core 50 paragraph
core.tools_preamble core 100 paragraph with-tools
core.tool_list core 105 paragraph requires:tool_names with-tools uses:tool_names
core.rounds core 110 paragraph requires:round_budget with-tools uses:max_rounds
core.keep_working core 111 paragraph family:agent
core.interjection core 115 paragraph with-tools
core.no_replay core 120 paragraph with-tools
core.untrusted core 130 paragraph with-tools
core.attachments core 140 paragraph requires:document_names uses:document_names
seam.authored_lead seam 150 whole
tool.web_search tools 200 bullet family:web_search
tool.fetch tools 205 bullet family:fetch
tool.knowledge tools 210 bullet family:knowledge
tool.notes tools 220 bullet family:notes
tool.memory tools 230 bullet family:memory uses:memory_limit
tool.skills tools 240 bullet family:skills requires:skills
tool.skills_write tools 241 bullet family:skills
tool.agent tools 250 section family:agent requires:agent_target \
uses:agent_target,agent_dir,agent_mode
tool.background tools 251 bullet family:agent requires:background
tool.plan_update tools 255 bullet family:agent requires:plan
context.knowledge_scope context 300 paragraph family:knowledge \
requires:knowledge_bases uses:knowledge_bases
context.memories context 310 section family:memory requires:memories uses:memories
context.plan context 315 section family:agent requires:plan uses:plan
context.skills context 320 section family:skills requires:skills uses:skills
tool.project_files context 325 section family:agent requires:project_files \
uses:project_files,agent_dir
context.agent_instructions context 327 section family:agent \
requires:agent_instructions uses:agent_instructions_file,agent_dir,agent_instructions
tool.agent_rewound context 330 section family:agent requires:agent_rewound \
uses:agent_rewound,agent_target
task.title tasks 400 whole uses:question,answer
task.compact tasks 410 whole uses:previous_summary,transcript
task.compact_lead tasks 420 whole
task.compact_ack tasks 430 whole
"""

MUST_MENTION = {
    "task.title": ("question",),
    "task.compact": ("transcript",),
    "context.memories": ("memories",),
    "context.skills": ("skills",),
    "context.plan": ("plan",),
    "context.agent_instructions": ("agent_instructions",),
    "tool.project_files": ("project_files",),
}

LIFETIMES = {
    Lifetime.FIXED: "instance_name max_rounds memory_limit background",
    Lifetime.CONVERSATION: "user_name model_name round_budget agent_target agent_dir"
    " agent_instructions agent_instructions_file knowledge_bases",
    Lifetime.TURN: "today agent_mode agent_rewound project_files plan memories skills"
    " document_names",
    Lifetime.CALL: "now question answer transcript previous_summary",
}

UNTRUSTED = {
    *("user_name", "project_files", "agent_instructions", "memories", "skills"),
    *("document_names", "question", "answer", "transcript", "previous_summary"),
}

FLAGS = {"round_budget", "background"}

BY_KEY = {fragment.key: fragment for fragment in prompts.FRAGMENTS}
BY_NAME = {variable.name: variable for variable in prompts.VARIABLES}


def _row(line):
    key, group, order, shape, *rest = line.split()
    marks = {"family": "", "requires": "", "uses": ""}
    marks |= dict(mark.split(":") for mark in rest if ":" in mark)
    lists = (tuple(name for name in m.split(",") if name) for m in marks.values())
    family, requires, uses = lists
    with_tools = True if "with-tools" in rest else None
    return key, group, int(order), shape, family, requires, with_tools, set(uses)


ROWS = [_row(line) for line in FRAGMENTS.strip().splitlines()]


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_fragment_is_what_the_catalogue_says(row):
    """Group, order, gates, variables and must_mention are those of its row."""
    key, group, order, _, family, requires, with_tools, uses = row

    fragment = BY_KEY[key]

    gates = (fragment.families, fragment.requires, fragment.when_tools)
    assert (fragment.group, fragment.order) == (group, order)
    assert gates == (family, requires, with_tools)
    assert (fragment.unless, fragment.level, fragment.provides) == ((), None, "")
    assert set(variables_in(fragment.default)) == set(fragment.documented) == uses
    assert fragment.must_mention == MUST_MENTION.get(key, ())
    assert fragment.optional_lines is (key == "task.compact")


def test_the_catalogue_is_complete():
    """It has 35 fragments, 25 variables and five groups, and nothing beside them."""
    in_order = sorted(prompts.FRAGMENTS, key=lambda fragment: fragment.order)

    assert [row[0] for row in ROWS] == [fragment.key for fragment in in_order]
    assert (len(prompts.FRAGMENTS), len(prompts.VARIABLES)) == (35, 25)
    assert [(g.key, str(g.label), g.role) for g in prompts.GROUPS] == [
        ("core", "Core", "preamble"),
        ("tools", "Tools", "preamble"),
        ("context", "Context", "preamble"),
        ("seam", "Handover", "seam"),
        ("tasks", "Tasks", "task"),
    ]
    assert sorted(prompts.GROUPS, key=lambda g: g.order) == list(prompts.GROUPS)


@pytest.mark.parametrize("lifetime", LIFETIMES)
def test_variables_are_what_the_catalogue_says(lifetime):
    """A variable has its lifetime, is cleaned if strangers write it, asks nobody."""
    names = {v.name for v in prompts.VARIABLES if v.lifetime is lifetime}

    assert names == set(LIFETIMES[lifetime].split())
    assert {n for n in names if BY_NAME[n].untrusted} == names & UNTRUSTED
    assert all(BY_NAME[n].provider is None and BY_NAME[n].example for n in names)


def test_every_use_of_a_variable_is_of_a_declared_one():
    """Texts and gates name declared variables, and flags are never rendered."""
    rendered = {n for f in prompts.FRAGMENTS for n in variables_in(f.default)}
    gating = {n for f in prompts.FRAGMENTS for n in f.requires}

    assert (rendered | gating) - {"tool_names"} <= BY_NAME.keys()
    assert gating >= FLAGS
    assert not rendered & FLAGS


@pytest.mark.covers("L63", "A36")
@pytest.mark.parametrize("name", sorted(UNTRUSTED))
def test_untrusted_text_enters_by_one_fragment(name):
    """What strangers wrote has one way into a prompt."""
    assert sum(name in variables_in(f.default) for f in prompts.FRAGMENTS) == 1


@pytest.mark.covers("L64")
@pytest.mark.parametrize("row", [r for r in ROWS if r[1] == "context"])
def test_a_context_text_is_gated_by_what_it_shows(row):
    """Sentence and material are one fragment, which goes when the material is blank."""
    _, _, _, _, _, requires, _, uses = row

    assert len(requires) == 1
    assert set(requires) <= uses


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
@pytest.mark.parametrize("level", ["lean", "detailed"])
def test_a_text_has_the_shape_of_its_row(row, level):
    """Bullets begin and end as bullets, so that they weld, at both levels."""
    lines = at_level(BY_KEY[row[0]].default, level).split("\n")
    headed = lines[0].startswith("#")
    item = lines[0].startswith("- ")
    ends_in_item = lines[-1].lstrip().startswith("- ")
    shape = {
        "heading": lines[0].startswith("## ") and len(lines) == 1,
        "paragraph": not headed and not item and not ends_in_item and "" not in lines,
        "bullet": item and ends_in_item and "" not in lines,
        "section": lines[0].startswith("### ") and lines[1] == "",
        "whole": not headed and not item,
    }

    assert shape[row[3]]
    assert ends_in_item is (row[3] == "bullet" or row[0] == "tool.agent")


def test_words_for_people_are_lazy_and_prompts_are_not():
    """Labels, hints and meanings can be translated; what a model reads is data."""
    shown = [f.label for f in prompts.FRAGMENTS] + [f.hint for f in prompts.FRAGMENTS]
    shown += [v.label for v in prompts.VARIABLES]
    shown += [v.description for v in prompts.VARIABLES]
    shown += [g.label for g in prompts.GROUPS] + [s.label for s in prompts.SCENARIOS]

    assert all(isinstance(text, Promise) and str(text).strip() for text in shown)
    assert {type(f.default) for f in prompts.FRAGMENTS} == {str}


def test_the_installed_app_registers_the_catalogue():
    """The app's name and label are its own, and its texts come in by its prompts.py."""
    config = apps.get_app_config("prompts_app_chat")

    assert (config.name, str(config.verbose_name)) == (chat.__name__, "Chat prompts")
    assert isinstance(config.verbose_name, Promise)
    assert [registry[key] for key in BY_KEY] == list(prompts.FRAGMENTS)


def test_the_catalogue_uses_public_names_only():
    """It can be copied by other apps, since it imports what everybody may import."""
    imported = [
        (node.module, alias.name)
        for path in Path(chat.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module.startswith("prompts_app")
        for alias in node.names
        if not node.module.startswith(chat.__name__)
    ]

    assert {module for module, _ in imported} == {"prompts_app"}
    assert {name for _, name in imported} <= set(prompts_app.__all__)

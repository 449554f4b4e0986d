"""The texts of the chat catalogue: what they say, how long they are, the levels."""

from __future__ import annotations

import re

import pytest

from prompts_app import Lifetime
from prompts_app.contrib.chat import prompts
from prompts_app.contrib.chat.offer import ALL_TOOLS
from prompts_app.lint import added_lines
from prompts_app.syntax import at_level, variables_in

# What a text says at both levels, in words that no wording of it can do without.
SAYS = """
core.today: training
core.style: language | Markdown | fence | restate | offer
core.honesty: citation | URL | file name | id | quotation | worst
core.tools_preamble: guess | announce | ask
core.tool_list: Exactly | wastes a round
core.rounds: at once | Plan | look up next
core.keep_working: done | ration | half-way
core.interjection: between | start again
core.no_replay: gone | answer | note | memory
core.untrusted: data | never an order | ignore | mention | person and this message
core.attachments: `<document name="…">` | "(truncated)" | beginning
seam.authored_lead: below the line | this installation | chat | wins
tool.web_search: `web_search` | current | uncertain | other words | URL
tool.fetch: `fetch` | text only | scripts | empty | browser | Quote the address
tool.knowledge: `knowledge_search` | `knowledge_get` | first | extracts | in full
tool.notes: `notes_search` | `notes_get` | `notes_create` | `notes_edit` \
| `notes_delete` | Worth a note | memories
tool.memory: `memory_add` | `memory_forget` | durable | task | passing | secrets \
| health | whole
tool.skills: `skill_get` | before | `skill_edit`
tool.skills_write: `skill_create` | description | when
tool.agent: fresh shell | non-interactive | Look before you write | refusal
tool.background: detached | `job_output` | `job_stop` | not the person
tool.plan_update: `plan_update` | `ask_user`
context.knowledge_scope: only | nothing is there
context.memories: `memory_forget` | believe
context.plan: `plan_update` | ids
context.skills: `skill_get` | index
tool.project_files: snapshot | not complete | Check | ```text
context.agent_instructions: copy | not the person's words | permit | override \
| disregard | ```text
tool.agent_rewound: edited or regenerated | Check
task.title: at most six words | language | title alone
task.compact: ### Doing | ### Decisions | reason | ### Facts | exactly \
| ### Open threads | Leave out | Do not answer | under 500 words
task.compact_lead: summary | no longer visible | Rely | do not fill gaps
"""

TEXTS = {fragment.key: fragment.default for fragment in prompts.FRAGMENTS}
LIFETIME = {variable.name: variable.lifetime for variable in prompts.VARIABLES}
FENCED = [f for f in prompts.FRAGMENTS if "<!-- detailed -->" in f.default]


@pytest.mark.covers("A11", "A25")
@pytest.mark.parametrize("line", SAYS.strip().splitlines())
def test_a_text_says_its_facts_at_both_levels(line):
    """What a model cannot infer stands outside the level fences."""
    key, words = line.split(": ", 1)

    lean = at_level(TEXTS[key], "lean")

    assert [word for word in words.split(" | ") if word not in lean] == []


@pytest.mark.covers("A11")
@pytest.mark.parametrize("fragment", FENCED, ids=lambda f: f.key)
def test_examples_stand_at_one_level(fragment):
    """Speech that is quoted to show what is meant is coaching."""
    assert '"' not in at_level(fragment.default, "lean")


def test_most_coaching_shows_an_example():
    """It teaches by what is said and done, not by saying the rule again."""
    shown = [f.key for f in FENCED if '"' in at_level(f.default, "detailed")]

    assert len(shown) >= len(FENCED) / 2


@pytest.mark.covers("A19", "D76", "O9")
def test_texts_name_only_tools_of_their_family():
    """A code span that names a tool names one whose family is the fragment's gate."""
    families = {tool.name: tool.family for tool in ALL_TOOLS}

    named = [
        (fragment.key, families.get(name), fragment.families)
        for fragment in prompts.FRAGMENTS
        for name in re.findall(r"`([a-z]+_[a-z]+|fetch)`", fragment.default)
    ]

    assert len(named) > 20
    assert [entry for entry in named if (entry[1],) != entry[2]] == []


def test_the_defaults_have_the_size_that_keeps_measurements_honest():
    """All defaults together are about 11 500 characters."""
    assert 10_800 <= sum(map(len, TEXTS.values())) <= 12_200


@pytest.mark.covers("A10")
def test_lean_saves_a_quarter_of_what_has_coaching():
    """At least twelve texts hold coaching, and without it a quarter of them goes."""
    lean = sum(len(at_level(f.default, "lean")) for f in FENCED)
    detailed = sum(len(at_level(f.default, "detailed")) for f in FENCED)

    assert len(FENCED) >= 12
    assert lean <= 0.75 * detailed


@pytest.mark.covers("A12")
@pytest.mark.parametrize("fragment", FENCED, ids=lambda f: f.key)
def test_coaching_stands_only_where_every_chat_has_the_same_bytes(fragment):
    """A fenced text depends on FIXED variables alone, and lean takes whole lines."""
    names = (*variables_in(fragment.default), *fragment.requires)
    lean = at_level(fragment.default, "lean")

    assert {LIFETIME[name] for name in names} <= {Lifetime.FIXED}
    assert lean.endswith((".", '."'))
    assert added_lines(at_level(fragment.default, "detailed"), lean) == []

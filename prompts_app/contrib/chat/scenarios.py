"""Named situations to preview the catalogue in, and to test it with."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from prompts_app import Scenario
from prompts_app.contrib.chat.offer import ALL_TOOLS, ORDINARY_TOOLS
from prompts_app.contrib.chat.samples import conversation, person, project

_PLAIN = {
    "today": "Monday, 30 November 2026",
    "now": "2026-11-30 09:41:07 +01:00",
    "instance_name": "Quayside",
    "user_name": "Ines Varga",
    "model_name": "aurora-2-large",
    "memory_limit": "240",
}
_BUDGET = {"max_rounds": "12", "round_budget": "yes"}
_KNOWN = {"memories": person.MEMORIES, "skills": person.SKILLS}
_ORDINARY = {**_PLAIN, **_BUDGET, **_KNOWN, "knowledge_bases": person.KNOWLEDGE_BASES}
_AGENT = {
    **_PLAIN,
    **_KNOWN,
    "agent_target": project.AGENT_TARGET,
    "agent_dir": project.AGENT_DIR,
    "agent_mode": project.AGENT_MODE,
    "background": "yes",
    "plan": project.PLAN,
    "project_files": project.PROJECT_FILES,
    "agent_instructions_file": project.AGENT_INSTRUCTIONS_FILE,
    "agent_instructions": project.AGENT_INSTRUCTIONS,
}

SCENARIOS = (
    Scenario(
        "plain_chat",
        label=_("Ordinary chat without tools"),
        variables=_PLAIN,
    ),
    Scenario(
        "tools_chat",
        label=_("Ordinary chat with every tool"),
        variables=_ORDINARY,
        tools=ORDINARY_TOOLS,
    ),
    Scenario(
        "first_chat",
        label=_("First chat of an account without a name"),
        variables={**_PLAIN, **_BUDGET, "user_name": ""},
        tools=ORDINARY_TOOLS,
    ),
    Scenario(
        "attachments_chat",
        label=_("Chat with attachments and an authored prompt"),
        variables={**_PLAIN, "document_names": person.DOCUMENT_NAMES},
        authored=person.AUTHORED,
    ),
    Scenario(
        "agent_chat",
        label=_("Agent chat with plan, background commands and project tree"),
        variables=_AGENT,
        tools=ALL_TOOLS,
    ),
    Scenario(
        "agent_rewound",
        label=_("Agent chat just rewound, with everything"),
        variables={
            **_AGENT,
            "agent_rewound": project.AGENT_REWOUND,
            "document_names": project.DOCUMENT_NAMES,
            "knowledge_bases": person.KNOWLEDGE_BASES,
        },
        tools=ALL_TOOLS,
    ),
    Scenario(
        "title_request",
        label=_("Title request"),
        variables={"question": conversation.QUESTION, "answer": conversation.ANSWER},
        include=("task.title",),
    ),
    Scenario(
        "first_compaction",
        label=_("First compaction"),
        variables={
            "previous_summary": "",
            "transcript": conversation.FIRST_TRANSCRIPT,
        },
        include=("task.compact",),
    ),
    Scenario(
        "second_compaction",
        label=_("Second compaction"),
        variables={
            "previous_summary": conversation.FIRST_SUMMARY,
            "transcript": conversation.SECOND_TRANSCRIPT,
        },
        include=("task.compact",),
    ),
    Scenario(
        "compacted_chat",
        label=_("The two turns round a summary"),
        variables={},
        include=("task.compact_lead", "task.compact_ack"),
    ),
)

"""The variables of the chat catalogue; every value comes from the caller."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from prompts_app import Lifetime, Variable

_INSTALLATION = (
    Variable(
        "instance_name",
        label=_("Name of this installation"),
        description=_("From the configuration. Never blank."),
        example="Quayside",
        lifetime=Lifetime.FIXED,
    ),
    Variable(
        "max_rounds",
        label=_("Ceiling of tool rounds for one reply"),
        description=_("A number. Blank if there is no ceiling."),
        example="12",
        lifetime=Lifetime.FIXED,
    ),
    Variable(
        "memory_limit",
        label=_("Length limit of one memory"),
        description=_("In characters. Never blank."),
        example="240",
        lifetime=Lifetime.FIXED,
    ),
    Variable(
        "background",
        label=_("Whether commands may run detached"),
        description=_(
            "A flag for gates, never part of a text. Blank if detached commands are "
            "not allowed."
        ),
        example="yes",
        lifetime=Lifetime.FIXED,
    ),
)

_CHAT = (
    Variable(
        "user_name",
        label=_("The person in the chat"),
        description=_("From the account. Blank if the account has no name."),
        example="Ines Varga",
        lifetime=Lifetime.CONVERSATION,
        untrusted=True,
    ),
    Variable(
        "model_name",
        label=_("The model that answers"),
        description=_("Blank if it is not known."),
        example="aurora-2-large",
        lifetime=Lifetime.CONVERSATION,
    ),
    Variable(
        "round_budget",
        label=_("Whether a budget of rounds applies"),
        description=_(
            "A flag for gates, never part of a text. Blank in an agent chat, or if "
            "there is no ceiling."
        ),
        example="yes",
        lifetime=Lifetime.CONVERSATION,
    ),
    Variable(
        "agent_target",
        label=_("The machine of an agent chat"),
        description=_("Blank in an ordinary chat."),
        example="build-02",
        lifetime=Lifetime.CONVERSATION,
    ),
    Variable(
        "agent_dir",
        label=_("The folder where commands start"),
        description=_("A path on the machine. Blank in an ordinary chat."),
        example="/srv/tidetable",
        lifetime=Lifetime.CONVERSATION,
    ),
    Variable(
        "agent_instructions",
        label=_("The project’s own instruction file"),
        description=_(
            "A copy of its text. Blank if there is none, if it is switched off, or if "
            "it was not read."
        ),
        example="Run `make check` before you call anything done.",
        lifetime=Lifetime.CONVERSATION,
        untrusted=True,
    ),
    Variable(
        "agent_instructions_file",
        label=_("Name of the instruction file"),
        description=_(
            "Blank if there is none, if it is switched off, or if it was not read."
        ),
        example="AGENTS.md",
        lifetime=Lifetime.CONVERSATION,
    ),
    Variable(
        "knowledge_bases",
        label=_("Knowledge bases in reach"),
        description=_("Separated by commas. Blank if the chat is not restricted."),
        example="Moorings, Harbour bye-laws",
        lifetime=Lifetime.CONVERSATION,
    ),
)

_TURN = (
    Variable(
        "today",
        label=_("Today’s date in full"),
        description=_("Where the person is. Never blank."),
        example="Monday, 30 November 2026",
    ),
    Variable(
        "agent_mode",
        label=_("The mode in force and what it allows"),
        description=_("A full sentence. Blank in an ordinary chat."),
        example="ask first. Reading is free; commands and changes wait for approval.",
    ),
    Variable(
        "agent_rewound",
        label=_("When the chat was last rewound"),
        description=_("Blank if it was not."),
        example="today at 14:20",
    ),
    Variable(
        "project_files",
        label=_("Tree of the folder"),
        description=_("Blank if it is switched off, not read yet, or unreadable."),
        example="Makefile\nsrc/\n  tides.py",
        untrusted=True,
    ),
    Variable(
        "plan",
        label=_("The plan with ids"),
        description=_("Phases that are done are folded. Blank if there is no plan."),
        example="[s1] done: read the logs\n[s2] open: write the failing test",
    ),
    Variable(
        "memories",
        label=_("What is remembered of the person"),
        description=_(
            "One fact a line, written by a model. Blank if there is none, or if "
            "memories are off."
        ),
        example="- Writes to clients in Portuguese.",
        untrusted=True,
    ),
    Variable(
        "skills",
        label=_("Saved skills"),
        description=_(
            "Name and use, one a line, written by a model. Blank if there is none."
        ),
        example="- weekly-report: use when the figures of a week are to be summed up",
        untrusted=True,
    ),
    Variable(
        "document_names",
        label=_("Attached files"),
        description=_("Separated by commas. Blank if nothing is attached."),
        example="lease-2026.pdf, inventory.csv",
        untrusted=True,
    ),
)

_CALL = (
    Variable(
        "now",
        label=_("Date, time and offset"),
        description=_(
            "To the second. Never blank. A text that uses it differs on every call."
        ),
        example="2026-11-30 09:41:07 +01:00",
        lifetime=Lifetime.CALL,
    ),
    Variable(
        "question",
        label=_("First message of the chat"),
        description=_("For the title; blank elsewhere."),
        example="Can two boats share berth 14 in January?",
        lifetime=Lifetime.CALL,
        untrusted=True,
    ),
    Variable(
        "answer",
        label=_("First reply of the chat"),
        description=_("For the title; blank elsewhere."),
        example="Yes, if their lengths together stay under 18 metres.",
        lifetime=Lifetime.CALL,
        untrusted=True,
    ),
    Variable(
        "transcript",
        label=_("Turns to summarise"),
        description=_("For the compaction; blank elsewhere."),
        example="Person: Which berths are free?\nAssistant: 3, 9 and 14.",
        lifetime=Lifetime.CALL,
        untrusted=True,
    ),
    Variable(
        "previous_summary",
        label=_("Earlier summary"),
        description=_("For the compaction. Blank at the first one, and elsewhere."),
        example="The winter berths are being assigned; 3 and 9 are taken.",
        lifetime=Lifetime.CALL,
        untrusted=True,
    ),
)

VARIABLES = (*_INSTALLATION, *_CHAT, *_TURN, *_CALL)

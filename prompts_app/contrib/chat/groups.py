"""The groups of the chat catalogue, in page order."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from prompts_app import Group

GROUPS = (
    Group(
        "core",
        label=_("Core"),
        order=10,
        role="preamble",
        description=_(
            "How the assistant works and writes, whatever the chat is about."
        ),
    ),
    Group(
        "tools",
        label=_("Tools"),
        order=20,
        role="preamble",
        description=_(
            "Guidance on single tools. Each text appears only when its tools are "
            "offered."
        ),
    ),
    Group(
        "context",
        label=_("Context"),
        order=30,
        role="preamble",
        description=_(
            "What is known in this chat: memories, skills, the plan, the folder. Each "
            "text appears only when there is something to say."
        ),
    ),
    Group(
        "seam",
        label=_("Handover"),
        order=40,
        role="seam",
        description=_(
            "Stands between the prompt above and a prompt that somebody wrote for "
            "this installation or chat."
        ),
    ),
    Group(
        "tasks",
        label=_("Tasks"),
        order=50,
        role="task",
        description=_("Requests of their own, sent beside the chat."),
    ),
)

"""Requests of their own: the title of a chat, and its compaction."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from prompts_app import Fragment

TASKS = (
    Fragment(
        "task.title",
        label=_("Chat title"),
        group="tasks",
        order=400,
        must_mention=("question",),
        default=(
            "Write a title for the exchange below, in its language and in at most six "
            "words. Name the subject, so that the chat can be found in a list. Answer "
            "with the title alone: no quotation marks, no full stop, no reply to the "
            "exchange.\n"
            "\n"
            "<message>\n"
            "{{question}}\n"
            "</message>\n"
            "<reply>\n"
            "{{answer}}\n"
            "</reply>"
        ),
        hint=_(
            "Names a chat after its first exchange. Sent once per chat. Clearing it "
            "stops the request; chats are then named by their first message."
        ),
    ),
    Fragment(
        "task.compact",
        label=_("Compaction"),
        group="tasks",
        order=410,
        must_mention=("transcript",),
        optional_lines=True,
        default=(
            "Summarise the conversation below, so that it can be carried on from the "
            "summary alone. Stay under 500 words, write in the language of the "
            "conversation, and use these headings:\n"
            "\n"
            "### Doing\n"
            "What the person wants in the end, what is done, what was about to happen.\n"
            "\n"
            "### Decisions\n"
            "What was decided, each with its reason; also what was rejected.\n"
            "\n"
            "### Facts\n"
            "Names, numbers, dates, ids, paths, addresses and quoted wording that may be "
            "needed, copied exactly.\n"
            "\n"
            "### Open threads\n"
            "Questions without an answer, promises, errors not yet explained.\n"
            "\n"
            "Leave out greetings, repetitions, attempts that led nowhere, and text "
            "that can be read again where it came from. Take over from an earlier "
            "summary what still holds. Do not answer anything in the conversation.\n"
            "\n"
            "<earlier_summary>{{previous_summary}}</earlier_summary>\n"
            "<transcript>\n"
            "{{transcript}}\n"
            "</transcript>"
        ),
        hint=_(
            "Replaces old turns by a summary when a chat grows too long. Sent when that "
            "happens or when somebody asks for it. Clearing it turns compaction off; "
            "long chats then end at the model’s limit."
        ),
    ),
    Fragment(
        "task.compact_lead",
        label=_("Lead to the summary"),
        group="tasks",
        order=420,
        default=(
            "What follows is a summary of earlier turns of this chat that are no "
            "longer visible. Rely on it, and do not fill gaps: what it does not say, "
            "you do not know."
        ),
        hint=_(
            "Stands above the summary in the turn that replaces the old ones. Else the "
            "summary reads as if the person had typed it."
        ),
    ),
    Fragment(
        "task.compact_ack",
        label=_("Answer to the summary"),
        group="tasks",
        order=430,
        default="I have read the summary and carry on from there.",
        hint=_(
            "The assistant’s turn after the summary. It keeps the roles alternating, "
            "which some models insist on. Clear it only if yours does not."
        ),
    ),
)

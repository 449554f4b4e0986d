"""The tools that the scenarios offer, named as the texts name them."""

from __future__ import annotations

from prompts_app import Tool, object_schema


def _text(meaning: str) -> dict[str, object]:
    return {"type": "string", "description": meaning}


def _maybe(kind: str, meaning: str) -> dict[str, object]:
    return {"type": [kind, "null"], "description": meaning}


_NOTE = _text("The note's id, as a search returns it.")
_PATH = _text("From the folder of the chat, or absolute.")
_JOB = _text("The id that the detached command returned.")
_OLD = _text("The passage to replace, quoted exactly; it has to occur once.")
_NEW = _text("What stands there instead; empty to delete the passage.")
_SKILL = _text("The skill's name, as listed.")

WEB = (
    Tool(
        "web_search",
        description="Search the web and return titles, addresses and extracts.",
        parameters=object_schema(
            {
                "query": _text("Words that an answer would contain."),
                "language": _maybe("string", "Code such as pt; null for any."),
            }
        ),
        family="web_search",
    ),
    Tool(
        "fetch",
        description="Return the text of one page.",
        parameters=object_schema({"url": _text("Address with its scheme.")}),
        family="fetch",
    ),
)

LIBRARY = (
    Tool(
        "knowledge_search",
        description="Search the person's library and return extracts with ids.",
        parameters=object_schema(
            {
                "query": _text("Words or a question."),
                "limit": _maybe("integer", "Most extracts to return; null for ten."),
            }
        ),
        family="knowledge",
    ),
    Tool(
        "knowledge_get",
        description="Return one document of the library in full.",
        parameters=object_schema(
            {"document_id": _text("The document's id, as a search returns it.")}
        ),
        family="knowledge",
    ),
)

NOTES = (
    Tool(
        "notes_search",
        description="Search the person's notes and return titles and ids.",
        parameters=object_schema({"query": _text("Words of title or text.")}),
        family="notes",
    ),
    Tool(
        "notes_get",
        description="Return one note in full.",
        parameters=object_schema({"note_id": _NOTE}),
        family="notes",
    ),
    Tool(
        "notes_create",
        description="Write a new note and return its id.",
        parameters=object_schema(
            {"title": _text("A few words."), "text": _text("Markdown.")}
        ),
        family="notes",
    ),
    Tool(
        "notes_edit",
        description="Replace a passage of a note.",
        parameters=object_schema({"note_id": _NOTE, "old": _OLD, "new": _NEW}),
        family="notes",
    ),
    Tool(
        "notes_delete",
        description="Delete one note for good.",
        parameters=object_schema({"note_id": _NOTE}),
        family="notes",
    ),
)

MEMORY = (
    Tool(
        "memory_add",
        description="Remember one fact about the person in every later chat.",
        parameters=object_schema({"fact": _text("One sentence.")}),
        family="memory",
    ),
    Tool(
        "memory_forget",
        description="Forget one fact.",
        parameters=object_schema({"fact": _text("The fact, quoted whole.")}),
        family="memory",
    ),
)

SKILLS = (
    Tool(
        "skill_get",
        description="Return one skill in full.",
        parameters=object_schema({"name": _SKILL}),
        family="skills",
    ),
    Tool(
        "skill_edit",
        description="Replace the text of a skill.",
        parameters=object_schema(
            {"name": _SKILL, "text": _text("The whole new text, in Markdown.")}
        ),
        family="skills",
    ),
    Tool(
        "skill_create",
        description="Save a new skill.",
        parameters=object_schema(
            {
                "name": _text("Lower-case words joined by hyphens; not taken yet."),
                "description": _text("When to use it."),
                "text": _text("What to do, in Markdown."),
            }
        ),
        family="skills",
    ),
)

MACHINE = (
    Tool(
        "run_command",
        description="Run a shell command in the folder of the chat.",
        parameters=object_schema(
            {
                "command": _text("One line or several, for sh."),
                "detached": {
                    "type": "boolean",
                    "description": "True: go on at once and return the id of a job.",
                },
                "timeout_seconds": _maybe("integer", "When to end it; null for 120."),
            }
        ),
        family="agent",
    ),
    Tool(
        "read_file",
        description="Return lines of a text file.",
        parameters=object_schema(
            {
                "path": _PATH,
                "first": _maybe("integer", "First line, from 1; null for the first."),
                "last": _maybe("integer", "Last line, included; null for the last."),
            }
        ),
        family="agent",
    ),
    Tool(
        "write_file",
        description="Create a file, or replace its whole content.",
        parameters=object_schema({"path": _PATH, "content": _text("All of it.")}),
        family="agent",
    ),
    Tool(
        "edit_file",
        description="Replace a passage of a file.",
        parameters=object_schema({"path": _PATH, "old": _OLD, "new": _NEW}),
        family="agent",
    ),
    Tool(
        "job_output",
        description="Return what a detached command has written so far.",
        parameters=object_schema({"job_id": _JOB}),
        family="agent",
    ),
    Tool(
        "job_stop",
        description="End a detached command.",
        parameters=object_schema({"job_id": _JOB}),
        family="agent",
    ),
    Tool(
        "plan_update",
        description="Set the state or the wording of one step of the plan.",
        parameters=object_schema(
            {
                "step_id": _text("The step's id, as the plan shows it."),
                "state": {
                    "type": "string",
                    "enum": ["open", "doing", "done", "dropped"],
                    "description": "Where it stands now.",
                },
                "text": _maybe("string", "The new wording; null to keep it."),
            }
        ),
        family="agent",
    ),
    Tool(
        "ask_user",
        description="Ask the person one question and wait for the answer.",
        parameters=object_schema({"question": _text("Answerable in one reply.")}),
        family="agent",
    ),
)

ORDINARY_TOOLS = (*WEB, *LIBRARY, *NOTES, *MEMORY, *SKILLS)
ALL_TOOLS = (*ORDINARY_TOOLS, *MACHINE)

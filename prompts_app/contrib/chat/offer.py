"""The tools that the scenarios offer, named as the texts name them."""

from __future__ import annotations

from prompts_app import Tool, object_schema

_TEXT = {"type": "string"}
_OPTIONAL_TEXT = {"type": ["string", "null"]}
_OPTIONAL_NUMBER = {"type": ["integer", "null"]}


def _text(meaning: str) -> dict[str, str]:
    return {"type": "string", "description": meaning}


def _choice(*names: str) -> dict[str, object]:
    return {"type": "string", "enum": list(names)}


WEB = (
    Tool(
        "web_search",
        description="Search the web and return titles, addresses and extracts.",
        parameters=object_schema({"query": _TEXT, "language": _OPTIONAL_TEXT}),
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
        parameters=object_schema({"query": _TEXT, "limit": _OPTIONAL_NUMBER}),
        family="knowledge",
    ),
    Tool(
        "knowledge_get",
        description="Return one document of the library in full.",
        parameters=object_schema({"document_id": _TEXT}),
        family="knowledge",
    ),
)

NOTES = (
    Tool(
        "notes_search",
        description="Search the person's notes and return titles and ids.",
        parameters=object_schema({"query": _TEXT}),
        family="notes",
    ),
    Tool(
        "notes_get",
        description="Return one note in full.",
        parameters=object_schema({"note_id": _TEXT}),
        family="notes",
    ),
    Tool(
        "notes_create",
        description="Write a new note and return its id.",
        parameters=object_schema({"title": _TEXT, "text": _text("Markdown.")}),
        family="notes",
    ),
    Tool(
        "notes_edit",
        description="Replace a passage of a note.",
        parameters=object_schema(
            {"note_id": _TEXT, "old": _text("Quoted exactly."), "new": _TEXT}
        ),
        family="notes",
    ),
    Tool(
        "notes_delete",
        description="Delete one note for good.",
        parameters=object_schema({"note_id": _TEXT}),
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
        parameters=object_schema({"name": _TEXT}),
        family="skills",
    ),
    Tool(
        "skill_edit",
        description="Replace the text of a skill.",
        parameters=object_schema({"name": _TEXT, "text": _TEXT}),
        family="skills",
    ),
    Tool(
        "skill_create",
        description="Save a new skill.",
        parameters=object_schema(
            {"name": _TEXT, "description": _text("When to use it."), "text": _TEXT}
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
                "command": _TEXT,
                "detached": {"type": "boolean"},
                "timeout_seconds": _OPTIONAL_NUMBER,
            }
        ),
        family="agent",
    ),
    Tool(
        "read_file",
        description="Return lines of a text file.",
        parameters=object_schema(
            {"path": _TEXT, "first": _OPTIONAL_NUMBER, "last": _OPTIONAL_NUMBER}
        ),
        family="agent",
    ),
    Tool(
        "write_file",
        description="Create a file, or replace its whole content.",
        parameters=object_schema({"path": _TEXT, "content": _TEXT}),
        family="agent",
    ),
    Tool(
        "edit_file",
        description="Replace a passage of a file.",
        parameters=object_schema(
            {"path": _TEXT, "old": _text("Quoted exactly."), "new": _TEXT}
        ),
        family="agent",
    ),
    Tool(
        "job_output",
        description="Return what a detached command has written so far.",
        parameters=object_schema({"job_id": _TEXT}),
        family="agent",
    ),
    Tool(
        "job_stop",
        description="End a detached command.",
        parameters=object_schema({"job_id": _TEXT}),
        family="agent",
    ),
    Tool(
        "plan_update",
        description="Set the state or the wording of one step of the plan.",
        parameters=object_schema(
            {
                "step_id": _TEXT,
                "state": _choice("open", "doing", "done", "dropped"),
                "text": _OPTIONAL_TEXT,
            }
        ),
        family="agent",
    ),
    Tool(
        "ask_user",
        description="Ask the person one question and wait for the answer.",
        parameters=object_schema({"question": _TEXT}),
        family="agent",
    ),
)

ORDINARY_TOOLS = (*WEB, *LIBRARY, *NOTES, *MEMORY, *SKILLS)
ALL_TOOLS = (*ORDINARY_TOOLS, *MACHINE)

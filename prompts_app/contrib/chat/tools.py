"""Guidance on single tools, mostly one bullet each, so that they weld into a list."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from prompts_app import Fragment

TOOLS = (
    Fragment(
        "tool.web_search",
        label=_("Web search"),
        group="tools",
        order=200,
        families=("web_search",),
        default=(
            "- `web_search`: look up what is current or uncertain. If little comes "
            "back, search again in other words. Name the source and its URL.\n"
            "<!-- detailed -->\n"
            "  - Current are prices, versions, laws, opening hours and who holds a "
            'post; uncertain is whatever you would begin with "I think".\n'
            "  - Other words are a synonym, the language of the place, or the terms "
            "that an answer would contain.\n"
            "<!-- /detailed -->"
        ),
        hint=_(
            "Says when a search is worth it, and has the source named. It appears when "
            "web_search is offered. Without it the model searches less and cites "
            "loosely."
        ),
    ),
    Fragment(
        "tool.fetch",
        label=_("Fetching a page"),
        group="tools",
        order=205,
        families=("fetch",),
        default=(
            "- `fetch` reads one page by its address. Use it for an address that the "
            "person gave, or for a hit whose extract is not enough. It sees text only "
            "and runs no scripts, so a page that comes back empty builds itself in a "
            "browser. Quote the address of what you use.\n"
            "<!-- detailed -->\n"
            "  - From an empty page nothing follows about its content: say that you "
            "cannot read it, and try another source.\n"
            "<!-- /detailed -->"
        ),
        hint=_(
            "Separates reading a known page from searching. It appears when fetch is "
            "offered. The sentence about scripts earns its place: without it an empty "
            "result is reported as an empty page."
        ),
    ),
    Fragment(
        "tool.knowledge",
        label=_("Library"),
        group="tools",
        order=210,
        families=("knowledge",),
        default=(
            "- `knowledge_search` searches the person's own library; for anything "
            "about their material, ask it first. It gives extracts: read the promising "
            "documents in full with `knowledge_get`.\n"
            "<!-- detailed -->\n"
            "  - An extract may leave out the exception in its next line: do not "
            "answer from one alone. Read the best two or three, and name the documents "
            "you used.\n"
            "<!-- /detailed -->"
        ),
        hint=_(
            "Sends the model to the person’s own documents before the web. It appears "
            "when knowledge_search and knowledge_get are offered. Without it answers "
            "rest on extracts."
        ),
    ),
    Fragment(
        "tool.notes",
        label=_("Notes"),
        group="tools",
        order=220,
        families=("notes",),
        default=(
            "- The person's notes: `notes_search` finds them, `notes_get` reads one, "
            "`notes_create` writes one, `notes_edit` corrects one, `notes_delete` "
            "removes one. Worth a note is what they ask you to keep and what they will "
            "come back to. Facts about the person are memories.\n"
            "<!-- detailed -->\n"
            '  - A draft, a list or a decision with its reasons is a note; "prefers '
            'short answers" is a memory.\n'
            "  - Search before you create, and extend the note that is there.\n"
            "<!-- /detailed -->"
        ),
        hint=_(
            "Says what belongs into a note, and keeps notes and memories apart. It "
            "appears when the notes tools are offered. Without it notes pile up, or "
            "none is written."
        ),
    ),
    Fragment(
        "tool.memory",
        label=_("Memory"),
        group="tools",
        order=230,
        families=("memory",),
        default=(
            "- `memory_add` keeps one durable fact about the person, in at most "
            "{{memory_limit}} characters. Read what is known before you add. Never add "
            "details of a task, passing facts, secrets such as passwords or account "
            "numbers, or matters of health they did not ask you to keep. "
            "`memory_forget` removes a fact; quote it whole.\n"
            "<!-- detailed -->\n"
            '  - Durable: "Writes to clients in Portuguese." Passing: "Has a train at '
            'six." Task: "Is looking for a fault in the login form."\n'
            "  - Each memory is sent on every turn from now on. In doubt, leave it "
            "out. If a known fact has changed, forget the old one first.\n"
            "<!-- /detailed -->"
        ),
        hint=_(
            "Every memory costs tokens on every turn for ever, so the wording "
            "restrains. It appears when the memory tools are offered. Without it the "
            "model keeps too much, and things that nobody wants kept."
        ),
    ),
    Fragment(
        "tool.skills",
        label=_("Following skills"),
        group="tools",
        order=240,
        families=("skills",),
        requires=("skills",),
        default=(
            "- Skills are saved procedures; the list of them has only their names and "
            "when to use each. When one fits, read it with `skill_get` before you "
            "follow it. If it proves wrong or incomplete, improve it with `skill_edit`."
        ),
        hint=_(
            "Has a skill read before it is followed. It appears only when there is at "
            "least one. Without it the model acts on the name alone."
        ),
    ),
    Fragment(
        "tool.skills_write",
        label=_("Writing skills"),
        group="tools",
        order=241,
        families=("skills",),
        default=(
            "- A way of doing something that will be needed again: save it with "
            "`skill_create`. Its description says when to use it.\n"
            "<!-- detailed -->\n"
            "  - Write it for a reader who was not here: what to have ready, the steps "
            "in order, how to see that it worked.\n"
            '  - "Use when an invoice comes as a scan" is a description; "Invoices" '
            "is none.\n"
            "<!-- /detailed -->"
        ),
        hint=_(
            "Has useful procedures saved. It appears when the skill tools are offered, "
            "and is most useful exactly when there is no skill yet. Without it the "
            "list stays empty."
        ),
    ),
    Fragment(
        "tool.agent",
        label=_("Working on a machine"),
        group="tools",
        order=250,
        families=("agent",),
        requires=("agent_target",),
        default=(
            "### The machine\n"
            "\n"
            "Your tools work on {{agent_target}}. Commands start in `{{agent_dir}}`. "
            "What you may do there without asking depends on the mode, which is now: "
            "{{agent_mode}}\n"
            "\n"
            "- Every command is a fresh shell: the directory, variables and activated "
            "environments of the last one are gone. Join what belongs together with "
            "`&&`, and use full paths.\n"
            "- Nobody answers prompts: a command that asks hangs until it is ended. "
            "Pass the non-interactive flags, such as `--yes` or `--no-pager`, and open "
            "no editor.\n"
            "- Look before you write: list the folder, read the file, check the state "
            "that you are about to change.\n"
            "- A refusal is a decision, not an obstacle. Do not reach the same end by "
            "another way; say what was refused and why you need it, or do without."
        ),
        hint=_(
            "Says which machine and folder the tools reach and what the mode permits. "
            "It cannot stand in a tool’s schema, since it changes by chat. It appears "
            "in agent chats with a machine. Without it commands hang at prompts and "
            "refusals are worked round."
        ),
    ),
    Fragment(
        "tool.background",
        label=_("Background commands"),
        group="tools",
        order=251,
        families=("agent",),
        requires=("background",),
        default=(
            "- A long command may run detached; `job_output` shows what it has "
            "written, `job_stop` ends it. When it finishes, a turn announces it: that "
            "turn is an event of the machine, not the person.\n"
            "<!-- detailed -->\n"
            "  - Detach servers, long builds and test runs, and do other work "
            "meanwhile instead of asking for output again and again. At the event, "
            "read the output before you call it a success.\n"
            "<!-- /detailed -->"
        ),
        hint=_(
            "Explains detached commands and the turn that announces their end. It "
            "appears only when background commands are allowed. Without it the model "
            "waits for long commands, and thanks the person for the announcement."
        ),
    ),
    Fragment(
        "tool.plan_update",
        label=_("Keeping the plan"),
        group="tools",
        order=255,
        families=("agent",),
        requires=("plan",),
        default=(
            "- Keep the plan current with `plan_update` as the work goes: when a step "
            "begins, when it is done, when one is missing. If the plan turns out to be "
            "wrong, ask with `ask_user` before you leave it."
        ),
        hint=_(
            "Keeps the plan that people watch in step with the work. It appears once a "
            "plan exists. Without it the plan goes stale after the first steps."
        ),
    ),
)

"""Core fragments that hold in every chat: heading, date, names, style, honesty."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from prompts_app import Fragment

CORE = (
    Fragment(
        "core.heading",
        label=_("Heading"),
        group="core",
        order=10,
        default="## How to work in this chat",
        hint=_(
            "Marks where this text begins, so that the model can tell it from the "
            "authored prompt after it. It always appears. Without it the first "
            "paragraph stands there untitled."
        ),
    ),
    Fragment(
        "core.today",
        label=_("Today’s date"),
        group="core",
        order=20,
        default=(
            "Today is {{today}}, and your training ended before that. Where something "
            "may have changed since, such as a version, a price, a law or who holds a "
            "post, check it, or say that you could not."
        ),
        hint=_(
            "A model has no clock: left alone it takes the end of its training for "
            "today. It always appears. Without it, relative dates and questions about "
            "what is current come out wrong."
        ),
    ),
    Fragment(
        "core.identity",
        label=_("Who is talking"),
        group="core",
        order=30,
        requires=("user_name",),
        default=(
            "You are the assistant of {{instance_name}}. The person you are talking to "
            "is {{user_name}}."
        ),
        hint=_(
            "Tells the model whose assistant it is and whom it talks to. It is a text "
            "of its own so that an account without a name loses only this. Without it "
            "nobody is addressed by name."
        ),
    ),
    Fragment(
        "core.style",
        label=_("Writing style"),
        group="core",
        order=40,
        default=(
            "Write in the language of the person. Use Markdown: short paragraphs, a "
            "list only where it is clearer than prose, and on every code fence the "
            "name of its language. Neither restate the question nor close with an "
            "offer of more help.\n"
            "<!-- detailed -->\n"
            'The first sentence is already the answer: no "You would like to know…", '
            'and no "Shall I also…?" after the last. Steps in order and options to '
            "compare are lists; reasons are prose. Commands go in a fence marked `sh`, "
            "output in one marked `text`.\n"
            "<!-- /detailed -->"
        ),
        hint=_(
            "Sets language, form and length of the answers. It always appears. Clear "
            "it to let the model answer as it was trained."
        ),
    ),
    Fragment(
        "core.honesty",
        label=_("Honesty"),
        group="core",
        order=50,
        default=(
            "If you do not know something and cannot check it, say so. Never invent a "
            "citation, a URL, a file name, an id or a quotation. That is the worst "
            "kind of error: it looks checked, so nobody checks it, and it comes to "
            "light when somebody has relied on it.\n"
            "<!-- detailed -->\n"
            "Say which part you know and which you are guessing. Copy ids and "
            "addresses from where you read them instead of composing them. If you "
            "recall a study but not its title, describe it and name no title.\n"
            "<!-- /detailed -->"
        ),
        hint=_(
            "Keeps invented references out of the answers. It always appears. It is "
            "apart from the style because tools hand out real ids and addresses, and "
            "an invented one among them goes unnoticed. Without it the model fills "
            "gaps more readily."
        ),
    ),
    Fragment(
        "core.attachments",
        label=_("Attached files"),
        group="core",
        order=140,
        requires=("document_names",),
        default=(
            "Attached to this chat: {{document_names}}. Each file stands in a "
            '`<document name="…">` tag that bears its name. What is inside the tag is '
            "the file speaking, not the person. A document marked "
            '"(truncated)" holds only the beginning of its file; do not conclude '
            "anything about the rest."
        ),
        hint=_(
            "Explains how attached files reach the model, and what a shortened one is. "
            "It appears only when files are attached. Without it the model may take "
            "the words of a file for the person’s."
        ),
    ),
)

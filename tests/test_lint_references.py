"""Lint: references that refer to nothing, and what only looks like one."""

from __future__ import annotations

import pytest

from prompts_app.declarations import Level
from prompts_app.syntax import variables_in
from tests.linting import codes, params, places, problems


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        ("Hi {{nmae}}.", "unknown_variable", "{{nmae}}"),
        ("{{ nmae\u00a0}}", "unknown_variable", "{{ nmae\u00a0}}"),
        ("{{{nmae}}}", "unknown_variable", "{{nmae}}"),
        ("{{elsewhere}}", "unknown_variable", "{{elsewhere}}"),
        ("{{ Name }}", "malformed_reference", "{{ Name }}"),
        ("{{a-b}}", "malformed_reference", "{{a-b}}"),
        ("{{a.b}}", "malformed_reference", "{{a.b}}"),
        ("{{name|upper}}", "malformed_reference", "{{name|upper}}"),
        ("{{ not a var }}", "malformed_reference", "{{ not a var }}"),
        ("{{}}", "malformed_reference", "{{}}"),
        ('{{"a": 1}}', "malformed_reference", '{{"a": 1}}'),
        ("{{na\nme}}", "malformed_reference", "{{na\nme}}"),
        ("{{ name }}", "space_in_reference", "{{ name }}"),
        ("{{\u2003name}}", "space_in_reference", "{{\u2003name}}"),
        ("open {{ name and more", "unclosed_reference", "{{"),
        ("{{name", "unclosed_reference", "{{"),
        ("{{name}", "unclosed_reference", "{{"),
        ("{{ {1} }}", "unclosed_reference", "{{"),
        ("{{1} }}", "unclosed_reference", "{{"),
        ("{{{{name}}", "unclosed_reference", "{{"),
        ("{{{{{name}}", "unclosed_reference", "{{{"),
        ("{{#if name}}", "template_tag", "{{#if name}}"),
        ("{{/if}}", "template_tag", "{{/if}}"),
        ("{{^name}}", "template_tag", "{{^name}}"),
        ("{{> part}}", "template_tag", "{{> part}}"),
        ("{{! no }}", "template_tag", "{{! no }}"),
        ("{{&name}}", "template_tag", "{{&name}}"),
        ("{{else}}", "template_tag", "{{else}}"),
        ("{{this.name}}", "template_tag", "{{this.name}}"),
        ("{% if name %}", "template_tag", "{% if name %}"),
        ("{# no #}", "template_tag", "{# no #}"),
        ("Hi {name}.", "near_reference", "{name}"),
        ("Hi { name }.", "near_reference", "{ name }"),
        ("Hi {Name}.", "near_reference", "{Name}"),
        ("Hi ${name}.", "near_reference", "${name}"),
        ("Hi %{name}.", "near_reference", "%{name}"),
        ("Hi {nobody}.", "foreign_placeholder", "{nobody}"),
        ("Hi ${HOME}.", "foreign_placeholder", "${HOME}"),
        ("Write `{name}`.", "foreign_placeholder", "{name}"),
        ("Write `{% if %}`.", "foreign_placeholder", "{% if %}"),
    ],
)
def test_what_is_no_reference_is_explained_at_its_place(text, code, place):
    """With a code of its own for each reason, and the piece of the text it is about."""
    assert codes(text) == [code]
    assert places(text) == [place]


@pytest.mark.parametrize(
    "text",
    [
        *("Hi {{name}}.", "{{{name}}}", "{{lb}}name}}", "{{name}}{{product}}"),
        *(
            '{"a": 1}',
            '{"a": {"b": {}}}',
            '[{"a": [{}]}]',
            "{'a': {1, 2}}",
            "{}",
            "{ }",
        ),
        *("`{{`", "}}", "} }", "{{\n  1", "{{"),
        *(r"\frac{a}{b}", "x^{n}", "x_{n}", "f{x}", "[a]{b}", "{1}", "{a b}", "{a-b}"),
        *("{% no", "{# no", "{%\n%}", "100 %}", "<a>", "[name]", "%(name)s", "$name"),
        *("{x}}", "{é}"),
    ],
)
def test_what_nobody_would_fill_is_not_reported(text):
    """JSON, formulas and lone braces are text like any other."""
    assert codes(text) == []


def test_a_nearest_name_is_offered():
    """Whatever was typed for it: other letters, capitals, dashes, a filter."""
    typed = ["{{nmae}}", "{{Name}}", "{{ NAME|upper }}", "{{pro-duct}}", "{{prod.uct}}"]

    assert [params(text)["near"] for text in typed] == [
        *("name", "name", "name", "product", "product")
    ]
    assert params("{{zzz}}") == {"snippet": "{{zzz}}", "near": ""}
    assert params("{{" + "name " * 21 + "}}")["near"] == ""


def test_what_is_shown_of_a_text_is_short():
    """One line of it, and at most forty characters."""
    assert params("{{" + "a" * 40 + "}}")["snippet"] == "{{" + "a" * 40 + "}}"
    assert params("{{" + "a" * 41 + "}}")["snippet"] == "{{" + "a" * 40 + "…}}"
    assert params("{{A\nb}}")["snippet"] == "{{A…}}"
    assert params("{{ name is\nb")["snippet"] == "{{ name is…"
    assert params("{" + "b" * 50 + "}")["snippet"] == "{" + "b" * 39 + "…"


def test_white_space_and_single_braces_name_the_variable():
    """So that a sentence can say what to write."""
    assert params("{{ name }}") == {"snippet": "{{ name }}", "variable": "name"}
    assert params("${Name}") == {"snippet": "${Name}", "variable": "name"}
    assert params("{% x %}") == {"snippet": "{% x %}"}
    assert params("{zzz}") == {"snippet": "{zzz}"}


@pytest.mark.parametrize(
    "options",
    [
        {"default": "{{free}}"},
        {"variables": ("free",)},
        {"must_mention": ("free",)},
        {"requires": ("free",)},
    ],
)
def test_a_name_that_the_code_uses_is_known(options):
    """A call may give a value for it, though nobody declares it."""
    assert codes("Hi {{free}}.", **options) == []
    assert codes("Hi {{free}}.") == ["unknown_variable"]


def test_examples_in_code_are_one_note_together():
    """However many there are, the first is named."""
    shell = "Run:\n```sh\necho ${name} ${HOME}\n{% if %}\n```\nand `{day}`."

    assert codes(shell) == ["foreign_placeholder"]
    assert places(shell) == ["${name}"]
    assert places("`{% if %}` {zzz}") == ["{% if %}"]
    assert places("{zzz} `{% if %}`") == ["{zzz}"]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("~~~\n{name}\n~~~", "foreign_placeholder"),
        ("```\n{name}", "foreign_placeholder"),
        ("  ```py\n{name}\n  ```", "foreign_placeholder"),
        ("```\na\n~~~\n{name}\n```", "foreign_placeholder"),
        ("````\na\n```\n{name}\n````", "foreign_placeholder"),
        ("```\na\n`````\n{name}", "near_reference"),
        ("```\na\n```\n{name}", "near_reference"),
        ("```\na ` b\n```\n{name} `", "near_reference"),
        ("`a` {name} `b`", "near_reference"),
        ("`a {name}", "near_reference"),
        ("`a\n{name}`", "near_reference"),
        ("a ``` b\n{name}", "near_reference"),
    ],
)
def test_code_is_what_markdown_says_it_is(text, code):
    """A block ends with the mark that opened it, a span in its line."""
    assert codes(text) == [code]


def test_a_reference_in_code_is_one_all_the_same():
    """What stands in double braces is filled there too."""
    assert codes("`{{nmae}}`") == ["unknown_variable"]
    assert codes("```\n{{ Name }}\n```") == ["malformed_reference"]


@pytest.mark.parametrize(
    ("text", "options", "found"),
    [
        ("{{note}}", {"provides": "tail"}, ["clause_in_clause"]),
        ("{{note}}", {}, []),
        ("{{day}}", {"provides": "tail"}, []),
        ("{{day}}", {"unless": ("day",)}, ["always_blank"]),
        ("{{day}}", {"unless": ("name",)}, []),
        ("{{tool_names}}", {"when_tools": False}, ["always_blank"]),
        ("{{tool_names}}", {"when_tools": True}, []),
        ("{{tool_names}}", {}, []),
        ("{{slowly}}", {"level": Level.LEAN, "lean_reason": "x"}, ["always_blank"]),
        ("{{slowly}}", {"level": Level.DETAILED}, []),
    ],
)
def test_what_a_fragment_can_never_have_is_told(text, options, found):
    """A clause in a clause stays as typed, and a gate may exclude a value."""
    assert codes(f"Now {text}.", **options) == found
    assert places(f"Now {text}.", **options) == [text] * len(found)


def test_every_use_of_what_can_never_be_there_is_marked():
    """Each has to be taken out."""
    text = "{{note}} {{day}} {{note}}"

    assert codes(text, provides="tail") == ["clause_in_clause"] * 2
    assert [
        dict(one.params) for one in problems(text, before=text, provides="tail")
    ] == [{"variable": "note"}] * 2


@pytest.mark.case(43)
@pytest.mark.parametrize(
    ("text", "default", "options", "found"),
    [
        ("{{question}} {{question}}", "{{question}}", {}, 1),
        ("{{question}} {{question}}", "Default.", {}, 1),
        ("{{question}} {{ question }}", "{{question}}", {}, 1),
        ("{{question}}", "Default.", {}, 0),
        ("{{question}} {{question}}", "{{question}} {{question}}", {}, 0),
        ("{{question}} " * 3, "{{question}} {{question}}", {}, 1),
        ("{{day}} {{day}}", "{{day}}", {"must_mention": ("day",)}, 1),
        ("{{day}} {{day}}", "{{day}}", {}, 0),
        ("{{free}} {{free}}", "{{free}}", {}, 0),
    ],
)
def test_a_value_that_stands_there_twice_is_told(text, default, options, found):
    """What strangers write, or what the text is about, is sent twice as well."""
    told = codes(text, default, **options)

    assert told.count("repeated_variable") == found


def test_the_second_use_is_the_place_of_a_repeated_value():
    """The first may stay."""
    (found,) = problems("{{question}} a {{question}}", before="{{question}}")

    assert (found.start, found.length) == (15, 12)
    assert found.params == {"variable": "question"}


def test_a_lost_mention_is_about_the_whole_text():
    """Each variable by itself; a text that is switched off has lost nothing."""
    needs = {"must_mention": ("day", "name")}

    found = problems("Hi {{name}}.", "{{day}} {{name}}", **needs)

    assert [(one.code, one.start, one.length) for one in found] == [
        ("must_mention", 0, 0)
    ]
    assert found[0].params == {"variable": "day"}
    assert codes(" \n", **needs) == []
    assert codes("{{day}}{{ name }}", **needs) == ["space_in_reference"]


@pytest.mark.case(3)
def test_a_text_of_other_peoples_braces_is_only_warned_about():
    """The rule of dashes and what closes nothing are not even mentioned."""
    assert codes("a\n---\n{{ not a var }} and }}") == ["malformed_reference"]


@pytest.mark.case(17)
def test_an_unclosed_pair_is_marked_and_the_next_reference_works():
    """The braces that never close are the place, not what follows them."""
    text = "open {{ a and {{name}}"

    (found,) = problems(text, before=text)

    assert (found.code, found.start, found.length) == ("unclosed_reference", 5, 2)
    assert variables_in(text) == ("name",)

"""The tag that puts a fragment into an HTML template."""

from __future__ import annotations

import datetime as dt

import pytest
from django.template import Context, Template, TemplateSyntaxError
from django.utils.functional import lazystr
from django.utils.safestring import SafeString

from prompts_app import Level, services
from prompts_app.assembly import Snapshot
from prompts_app.exceptions import UnknownFragment
from prompts_app.templatetags.prompts import ARGUMENTS
from prompts_app.testing import override_prompts
from tests.assembling import CORE, TASKS, fragment, tool, variable


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare a few fragments and pin no texts, so that no test needs a database."""
    registry.register(
        CORE,
        TASKS,
        variable("name", provider=lambda context: f"{context.user} {context.model}"),
        fragment("core.a", "Hello {{name}} & <b>you</b>."),
        fragment("core.only", "{{name}}"),
        fragment("core.level", "x\n<!-- detailed -->\ny\n<!-- /detailed -->"),
        fragment("core.tools", "Use {{tool_names}}.", families=("web",)),
        fragment("task.odd", "{{scope}} {{key}} {{variables}}", group="tasks"),
    )
    with override_prompts(Snapshot()):
        yield registry


def rendered(text, **context):
    """Return what a template of *text* gives that has loaded the tag."""
    return Template("{% load prompts %}" + text).render(Context(context))


@pytest.mark.case(16, 83)
def test_a_fragment_is_escaped_as_any_other_value():
    """Text and values alike, whatever they were marked as."""
    name = SafeString("<i>")

    assert rendered('{% prompt "core.a" name=name %}', name=name) == (
        "Hello &lt;i&gt; &amp; &lt;b&gt;you&lt;/b&gt;."
    )


@pytest.mark.case(83)
def test_a_value_that_is_marked_safe_is_escaped_all_the_same():
    """What is safe in a page need not be what somebody wrote into a prompt."""
    text = '{% prompt "core.only" name=it %}'

    assert rendered(text, it=SafeString("<i>")) == "&lt;i&gt;"


def test_where_nothing_is_escaped_a_fragment_is_not_either():
    """A template for plain text says so itself."""
    text = '{% autoescape off %}{% prompt "core.a" name="<i>" %}{% endautoescape %}'

    assert rendered(text) == "Hello <i> & <b>you</b>."


def test_a_fragment_can_be_kept_under_a_name():
    """It is escaped where it is written, and once."""
    text = '{% prompt "core.a" name="<i>" as hello %}{{ hello }}{{ hello|length }}'

    assert rendered(text) == "Hello &lt;i&gt; &amp; &lt;b&gt;you&lt;/b&gt;.23"


@pytest.mark.parametrize(
    ("value", "written"),
    [
        ("{{name}}", "{{name}}"),
        (3, "3"),
        (None, ""),
        (lazystr("later"), "later"),
        (dt.date(2026, 11, 30), "2026-11-30"),
    ],
)
def test_values_are_those_of_every_other_way(value, written):
    """They are never looked at again, and never taken for a template."""
    assert rendered('{% prompt "core.a" name=it %}', it=value) == (
        services.render("core.a", {"name": value})
        .replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
    )
    assert f"Hello {written} &amp;" in rendered(
        '{% prompt "core.a" name=it %}', it=value
    )


def test_a_name_that_the_template_lacks_is_blank():
    """As Django has it, and no provider is asked instead."""
    assert rendered('{% prompt "core.a" name=nothing %}').startswith("Hello  &amp;")


def test_without_a_value_the_provider_is_asked():
    """It is told who asks and which model will answer, if the template says so."""
    text = '{% prompt "core.a" user="Ada" model="swift-2" %}'

    assert rendered(text).startswith("Hello Ada swift-2 &amp;")


def test_level_and_tools_can_be_given():
    """What gates are judged by is what the template says, or else the providers."""
    search = tool("search", family="web")

    assert rendered('{% prompt "core.level" level="lean" %}') == "x"
    assert rendered('{% prompt "core.level" level=it %}', it=Level.DETAILED) == "x\ny"
    assert rendered('{% prompt "core.tools" %}') == ""
    assert rendered('{% prompt "core.tools" tools=it %}', it=[search]) == "Use search."


def test_a_scope_or_a_chain_of_them_can_be_given():
    """The nearest text is the one in force."""
    with override_prompts({"core.level": "Acme's"}, scope="tenant.acme"):
        one = rendered('{% prompt "core.level" scope="tenant.acme" %}')
        chain = rendered(
            '{% prompt "core.level" scope=it %}', it=("tenant.acme", "agent.x")
        )
        none = rendered('{% prompt "core.level" %}')

    assert one == chain == "Acme&#x27;s"
    assert none == "x\ny"


def test_variables_of_any_name_can_be_given_together():
    """Also those whose names mean something to the tag; what stands alone beats them."""
    values = {"scope": "a", "key": "b", "variables": "c", "name": "d"}
    text = '{% prompt "task.odd" variables=it %}|{% prompt "core.a" it name="e" %}'

    assert rendered(text, it=values).startswith("a b c|Hello e ")


def test_a_fragment_that_is_off_gives_nothing():
    """So that a template can leave out what surrounds it."""
    text = '{% prompt "core.a" as it %}{% if it %}<p>{{ it }}</p>{% endif %}'

    with override_prompts({"core.a": ""}):
        assert rendered(text) == ""


@pytest.mark.case(94)
def test_an_unknown_key_is_an_error(settings):
    """Also where templates are silent; the nearest keys are offered."""
    assert not settings.DEBUG

    with pytest.raises(UnknownFragment, match=r"Did you mean core\.level"):
        rendered('{% prompt "core.levle" %}')
    with pytest.raises(UnknownFragment, match="There is no fragment ''"):
        rendered("{% prompt nothing %}")


def test_a_tag_without_a_key_is_no_template():
    """It is found when the template is compiled."""
    with pytest.raises(TemplateSyntaxError, match="did not receive value"):
        rendered("{% prompt %}")


def test_the_names_that_are_no_variables_are_arguments_of_the_service():
    """Each is given on under its own name."""
    assert set(ARGUMENTS) < set(services.assemble.__kwdefaults__)

"""The rows in the admin: what their states say, what the form keeps, what is logged."""

from __future__ import annotations

import pytest
from django.contrib.admin.models import LogEntry
from django.test import Client
from django.urls import reverse

from prompts_app import Fragment, Group, Lifetime, Scenario, services
from prompts_app.contrib.custom.fields import NamesFormField
from prompts_app.contrib.custom.models import CustomFragment
from prompts_app.contrib.custom.prompts import custom_fragments
from prompts_app.testing import isolated_registry
from tests.assembling import CORE, TASKS, fragment, tool, variable
from tests.factories import CustomFragmentFactory, OverrideFactory
from tests.pages import Page
from tests.storing import everything

pytestmark = pytest.mark.django_db

CELLS = (("td", "key"), ("td", "scope"), ("td", "standing"), ("td", "place"))
FULL = Fragment(
    "custom.full",
    label="Full",
    group="core",
    default="  Hi {{who}},\n\nbe kind. ",
    hint="For a test",
    order=2.5,
    variables=("who", "day"),
    families=("web", "files"),
    requires=("who",),
    unless=("day",),
    when_tools=False,
    level="lean",
    lean_reason="Because",
    must_mention=("who",),
    provides="greeting",
    lifetime=Lifetime.CALL,
    priority=-3,
    optional_lines=True,
    locked=True,
    former_keys=("custom.fuller", "custom.fullest"),
)


@pytest.fixture(autouse=True)
def declared(with_rows):
    """Declare two groups, a fragment and two variables beside the rows."""
    with_rows.register(
        CORE,
        TASKS,
        variable("who"),
        variable("day"),
        fragment("core.a", "Alpha", order=5),
    )
    return with_rows


@pytest.fixture
def client(superuser):
    """Return a client that may do everything."""
    client = Client()
    client.force_login(superuser)
    return client


def address(verb, *arguments, site="admin"):
    """Return where one of the admin's views of rows is."""
    return reverse(f"{site}:prompts_app_custom_customfragment_{verb}", args=arguments)


def page_of(answer):
    """Return an answer, cut into its elements."""
    assert answer.status_code == 200
    return Page(answer.content.decode())


def errors_of(answer):
    """Return what the form of a row says beside each field."""
    page_of(answer)
    errors = answer.context["adminform"].form.errors
    return {field: " ".join(said) for field, said in errors.items()}


def fields_of(page):
    """Return what the form of a row submits when nothing is changed."""
    form = page.one("form", id="customfragment_form")
    submitted = {}
    for element in page.elements:
        name = element.attributes.get("name", "_")
        if element.inside(form) and not name.startswith("_"):
            for value in values_of(page, element):
                submitted[name] = value
    return submitted


def values_of(page, element):
    """Return the value that a field submits, in a list; none for an unticked box."""
    if element.tag == "textarea":
        return [element.raw.replace("\n", "\r\n")]
    if element.tag == "select":
        options = page.all("option", element)
        chosen = [one for one in options if "selected" in one.attributes]
        return [(chosen or options)[0].attributes["value"]]
    if element.attributes["type"] == "checkbox":
        return ["on"] if "checked" in element.attributes else []
    return [element.attributes.get("value", "")]


def warnings(page):
    """Return the warnings that stand above a page."""
    return [one.text for one in page.all("li", class_="warning")]


def states(client, **query):
    """Return the state of each row in the list, by key."""
    page = page_of(client.get(address("changelist"), query))
    keys = [one.text for one in page.all("td", class_="field-key")]
    said = [one.text for one in page.all("td", class_="field-standing")]
    return dict(zip(keys, said, strict=True))


@pytest.mark.parametrize("row", [FULL, fragment("custom.bare", "", variables=())])
def test_a_form_that_is_saved_untouched_changes_nothing(client, row):
    """Every gate, number and space comes back as it was shown."""
    saved = CustomFragment.from_fragment(row, "tenant.x")
    saved.save()
    before = saved.declaration()
    form = address("change", saved.pk)

    answer = client.post(form, fields_of(page_of(client.get(form))))

    assert answer.status_code == 302
    assert CustomFragment.objects.get().declaration() == before
    assert LogEntry.objects.get().get_change_message() == "No fields changed."


def test_a_new_row_takes_what_the_form_offers(client):
    """Names are typed with commas or spaces, line breaks become line feeds."""
    form = fields_of(page_of(client.get(address("add"))))
    typed = {
        "label": "Greeting",
        "key": "custom.greeting",
        "group": "core",
        "text": "\r\nHi {{who}}.\r\n  Be kind.\r\n",
        "requires": "who, day  who",
        "families": "web",
        "when_tools": "True",
        "level": "detailed",
        "lifetime": "2",
    }

    answer = client.post(address("add"), form | typed, follow=True)

    assert warnings(page_of(answer)) == []
    assert CustomFragment.objects.get().declaration() == (
        "",
        Fragment(
            "custom.greeting",
            label="Greeting",
            group="core",
            default="Hi {{who}}.\n  Be kind.",
            requires=("who", "day"),
            families=("web",),
            when_tools=True,
            level="detailed",
            lifetime=Lifetime.TURN,
        ),
    )


def test_what_is_wrong_stands_beside_its_field(client):
    """All of it at once, and nothing is stored."""
    form = fields_of(page_of(client.get(address("add"))))
    typed = {"key": "No key", "label": "X", "group": "core", "unless": "Day"}
    before = everything()

    said = errors_of(client.post(address("add"), form | typed))

    assert {field: text.split(" does")[0] for field, text in said.items()} == {
        "key": "key 'No key'",
        "unless": "unless 'Day'",
    }
    assert not CustomFragment.objects.exists()
    assert everything() == before


def test_only_declared_groups_are_offered(client, declared):
    """An undeclared one has no heading and no prompt; a row's own stays a choice."""
    declared.register(Group("near", label="Near", order=0), scope="tenant.x")
    row = CustomFragmentFactory(group="gone")
    new = page_of(client.get(address("add")))
    old = page_of(client.get(address("change", row.pk)))

    def offered(page):
        choice = page.one("select", name="group")
        return [one.attributes["value"] for one in page.all("option", choice)]

    assert offered(new) == ["", "near", "core", "tasks"]
    assert offered(old) == ["", "near", "core", "tasks", "gone"]
    assert fields_of(old)["group"] == "gone"


def test_the_form_tells_which_names_are_known(client, declared):
    """Variables of apps and clauses, and families of fragments and scenarios."""
    declared.register(
        fragment("core.note", provides="note", families=("files",)),
        Scenario("chat", label="Chat", tools=(tool("read", "web"), tool("stop"))),
        Scenario("plain", label="Plain", families=("maps",)),
    )

    page = page_of(client.get(address("add")))

    (said,) = page.all("div", class_="description")
    assert "known: files, maps, web" in said.text
    assert "known: day, lb, note, tool_names, who" in said.text


def test_the_list_says_what_became_of_each_row(client, declared):
    """Whether it counts, and if not, why."""
    declared.register(fragment("core.near"), scope="tenant.x")
    declared.register(fragment("core.fixed", locked=True))
    declared.register_source(
        lambda: [("", fragment("other.a")), ("", fragment("custom.a"))]
    )
    CustomFragmentFactory(key="custom.a")
    CustomFragmentFactory(key="core.a")
    CustomFragmentFactory(key="core.a", scope="tenant.y")
    CustomFragmentFactory(key="core.fixed", scope="tenant.x")
    CustomFragmentFactory(key="core.near", locked=True)
    CustomFragmentFactory(key="No Key")

    page = page_of(client.get(address("changelist")))
    rows = [
        tuple(page.one(tag, row, class_=f"field-{name}").text for tag, name in CELLS)
        for row in page.all("tr")
        if page.all("td", row, class_="field-key")
    ]

    assert sorted(rows) == [
        ("No Key", "-", "Invalid", "-"),
        ("core.a", "-", "Key of the software", "-"),
        ("core.a", "tenant.y", "Counts", "Show"),
        ("core.fixed", "tenant.x", "Key is protected", "-"),
        ("core.near", "-", "Cannot be locked", "-"),
        ("custom.a", "-", "Counts", "Show"),
    ]


def test_a_key_of_an_earlier_source_is_told(client):
    """Whoever is asked first has it."""
    CustomFragmentFactory(key="custom.a")

    with isolated_registry() as fresh:
        fresh.register_source(lambda: [("", fragment("custom.a", "Other"))])
        fresh.register_source(custom_fragments)

        assert states(client) == {"custom.a": "Key of another source"}


def test_the_list_takes_a_fixed_number_of_queries(
    client, django_assert_max_num_queries
):
    """However many rows and scopes there are."""
    for number in range(3):
        CustomFragmentFactory(scope=f"tenant.t{number}")
    with django_assert_max_num_queries(20) as few:
        client.get(address("changelist"))
    for number in range(30):
        CustomFragmentFactory(scope=f"tenant.u{number}")
    with django_assert_max_num_queries(20) as many:
        client.get(address("changelist"))

    assert len(many) == len(few)


@pytest.mark.parametrize(
    ("query", "keys"),
    [
        ({"q": "needle"}, {"custom.text"}),
        ({"q": "custom.o"}, {"custom.other"}),
        ({"group": "tasks"}, {"custom.other"}),
        ({"scope": "tenant.x"}, {"custom.text"}),
        ({"level__exact": "lean"}, {"custom.other"}),
        ({"when_tools__exact": "1"}, {"custom.text"}),
    ],
)
def test_rows_can_be_found(client, query, keys):
    """By key, label, hint and text; by group, scope, level and tools."""
    CustomFragmentFactory(
        key="custom.text", text="A needle", scope="tenant.x", when_tools=True
    )
    CustomFragmentFactory(
        key="custom.other", group="tasks", level="lean", lean_reason="So"
    )

    assert states(client, **query).keys() == keys


WHY = {
    "registered": (
        {"key": "core.a"},
        (
            "The software has a fragment of this key. This row does not count until it gets"
            " another key, or the software gives the key up."
        ),
    ),
    "unknown": (
        {
            "text": "{{lb}} {{who}} {{nope}}",
            "requires": ["gone"],
            "must_mention": ["nope"],
        },
        (
            "Nobody declares {{nope}}, {{gone}}. In a text that stays as it is typed, unless"
            " a caller gives it; in a condition it is blank."
        ),
    ),
    "clause": (
        {"unless": ["note"]},
        (
            "Conditions are judged before other texts are filled in, so {{note}} is always"
            " blank there."
        ),
    ),
    "twice": (
        {"provides": "who"},
        "{{who}} is declared as a variable too, and would have two meanings.",
    ),
    "overridden": (
        {"key": "custom.saved"},
        (
            "Another text was saved on the page of fragments and is in force. This one is"
            " its default."
        ),
    ),
    "overridden before": (
        {"key": "custom.now", "former_keys": ["custom.saved"]},
        (
            "Another text was saved on the page of fragments and is in force. This one is"
            " its default."
        ),
    ),
}


@pytest.mark.parametrize("case", WHY)
@pytest.mark.parametrize("button", ["_save", "_continue", "_addanother"])
def test_what_is_odd_is_told_after_saving_and_above_the_form(
    client, declared, case, button
):
    """Once, whichever way on is taken."""
    declared.register(fragment("core.note", provides="note"))
    OverrideFactory(key="custom.saved")
    fields, said = WHY[case]
    row = CustomFragmentFactory(**fields)
    form = address("change", row.pk)

    before = page_of(client.get(form))
    after = page_of(client.post(form, fields_of(before) | {button: ""}, follow=True))

    assert warnings(before) == warnings(after) == [said]


def test_an_invalid_row_can_be_opened_and_mended(client):
    """The form shows it as it is, and saving says what is wrong."""
    row = CustomFragmentFactory(key="No Key", requires={"who": 1})
    form = address("change", row.pk)

    page = page_of(client.get(form))
    refused = page_of(client.post(form, fields_of(page)))
    mended = {"key": "custom.x", "requires": "who", "keep_texts": "on"}
    client.post(form, fields_of(page) | mended)

    assert warnings(page) == [
        (
            "This row was written past this form and is left out. Saving it here shows what"
            " is wrong."
        )
    ]
    assert refused.has("ul", class_="errorlist")
    _, fragment_ = CustomFragment.objects.get().declaration()
    assert (fragment_.requires, fragment_.former_keys) == (("who",), ())


def rename(client, row, key, **typed):
    """Change the key of a row in the form."""
    form = address("change", row.pk)
    fields = fields_of(page_of(client.get(form))) | {"key": key} | typed
    answer = client.post(form, {k: v for k, v in fields.items() if v is not None})
    assert answer.status_code == 302
    row.refresh_from_db()
    return row.former_keys


def test_a_renamed_row_keeps_what_was_saved_for_it(client):
    """The key so far becomes a former key, until the row has it back."""
    row = CustomFragmentFactory(key="custom.one")
    services.save({"custom.one": "My wording"})

    assert rename(client, row, "custom.two") == ["custom.one"]
    assert services.assemble().text == "My wording\n\nAlpha"
    assert rename(client, row, "custom.three") == ["custom.two", "custom.one"]
    assert services.assemble().text == "My wording\n\nAlpha"
    assert rename(client, row, "custom.one") == ["custom.three", "custom.two"]
    assert services.assemble().text == "My wording\n\nAlpha"


def test_a_renamed_row_can_leave_what_was_saved_for_it(client):
    """Whoever takes the tick away starts anew."""
    row = CustomFragmentFactory(key="custom.one")
    services.save({"custom.one": "My wording"})

    assert rename(client, row, "custom.two", keep_texts=None) == []
    assert services.assemble().text == "Row\n\nAlpha"


def test_a_row_that_keeps_its_key_gets_no_former_one(client):
    """Whatever else of it is changed."""
    row = CustomFragmentFactory(key="custom.one")

    assert rename(client, row, "custom.one", label="Other") == []


def test_a_row_that_had_no_right_to_its_key_takes_no_texts_along(client):
    """What was saved under a key of the software stays with the software."""
    row = CustomFragmentFactory(key="core.a")
    services.save({"core.a": "My wording"})

    assert rename(client, row, "custom.one") == []
    assert services.assemble().text == "Row\n\nMy wording"


def test_a_row_that_was_invalid_keeps_what_was_saved_for_it(client):
    """Its key was its own all the same."""
    row = CustomFragmentFactory(key="custom.one", requires=["Who"])
    OverrideFactory(key="custom.one", text="My wording")

    assert rename(client, row, "custom.two", requires="") == ["custom.one"]
    assert services.assemble().text == "My wording\n\nAlpha"


@pytest.mark.parametrize("many", [False, True])
def test_who_deletes_a_row_is_told_what_is_kept(client, many):
    """A text that was saved on the page outlives the row."""
    row = CustomFragmentFactory(key="custom.x")
    services.save({"custom.x": "My wording"})
    place = address("changelist") if many else address("delete", row.pk)
    chosen = {"action": "delete_selected", "_selected_action": [row.pk]} if many else {}

    asked = page_of(client.post(place, chosen) if many else client.get(place))
    client.post(place, chosen | {"post": "yes"})

    kept = "What was saved for it on the page of fragments is kept"
    assert any(one.text.startswith(kept) for one in asked.all("p"))
    assert not CustomFragment.objects.exists()
    assert services.stored().texts == {("", "custom.x"): "My wording"}
    assert services.assemble().text == "Alpha"


def test_no_text_is_logged(client):
    """The admin's history names rows and fields."""
    form = fields_of(page_of(client.get(address("add"))))
    typed = {"label": "Secret", "key": "custom.x", "group": "core", "text": "Secret"}
    client.post(address("add"), form | typed)
    row = CustomFragment.objects.get()
    form = fields_of(page_of(client.get(address("change", row.pk))))
    client.post(address("change", row.pk), form | {"text": "Secret, too"})
    client.post(address("delete", row.pk), {"post": "yes"})

    entries = LogEntry.objects.order_by("pk")
    assert [(one.object_repr, one.action_flag) for one in entries] == [
        ("custom.x", flag) for flag in (1, 2, 3)
    ]
    assert entries[1].get_change_message() == "Changed Text."
    assert not any("Secret" in one.change_message for one in entries)


def test_the_pages_run_nothing_from_within(client):
    """They keep to the strict policy, as Django's own do."""
    row = CustomFragmentFactory()

    for place in (
        address("changelist"),
        address("add"),
        address("change", row.pk),
        address("delete", row.pk),
    ):
        page = page_of(client.get(place))
        assert not page.has("style")
        assert not [one for one in page.elements if "style" in one.attributes]
        assert all(
            "src" in one.attributes
            or one.attributes.get("type") == "application/json"
            or not one.text
            for one in page.all("script")
        )


def test_a_row_that_is_gone_leads_to_the_list(client):
    """As with any model of the admin."""
    answer = client.get(address("change", 10**6), follow=True)

    assert "doesn’t exist" in page_of(answer).one("li", class_="warning").text


def test_a_scope_that_could_be_none_is_refused_beside_its_field(client):
    """Also where a row has it already, which is still shown."""
    row = CustomFragmentFactory(key="custom.x", scope="Nowhere")
    form = address("change", row.pk)

    page = page_of(client.get(form))
    said = errors_of(client.post(form, fields_of(page)))

    assert states(client) == {"custom.x": "Invalid"}
    assert said.keys() == {"scope"}
    assert said["scope"].startswith("key 'Nowhere' does not match")


def test_names_that_cannot_be_edited_stay_as_they_are():
    """A disabled field hands back what it was given."""
    field = NamesFormField(disabled=True, required=False)

    assert field.clean(["who", "day"]) == ["who", "day"]
    assert field.prepare_value(["who", "day"]) == "who, day"
    assert field.prepare_value("who day") == "who day"

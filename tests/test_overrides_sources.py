"""Declarations that come from rows: when their sources run, and what counts."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from prompts_app import services
from prompts_app.exceptions import EditConflict
from prompts_app.overrides import journal, writing
from tests.assembling import CORE, fragment
from tests.factories import OverrideFactory, UserFactory
from tests.storing import Broken, everything, rows

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def declared(registry):
    """Declare one fragment."""
    registry.register(CORE, fragment("core.a", "Alpha"))
    return registry


class Source:
    """A source of one fragment whose default is *text*; None: it is gone."""

    def __init__(self, text="Row", during=None):
        self.text = text
        self.during = during or (lambda: None)
        self.runs = 0

    def __call__(self):
        self.runs += 1
        self.during()
        return [] if self.text is None else [("", fragment("core.row", self.text))]


@pytest.mark.covers("L30", "W15")
def test_a_source_runs_when_texts_are_loaded_and_not_at_every_assembly(declared):
    """Its rows are asked for once for each state of the store."""
    source = Source()
    declared.register_source(source)

    texts = [services.assemble().text for _ in range(3)]

    assert texts == ["Alpha\n\nRow"] * 3
    assert source.runs == 1


@pytest.mark.covers("L30")
def test_a_touch_makes_sources_run_again(declared):
    """Who changes what a source reads says so in the same transaction."""
    source = Source()
    declared.register_source(source)
    services.assemble()
    source.text = "Row anew"
    unseen = services.assemble().text

    services.touch()

    assert unseen == "Alpha\n\nRow"
    assert services.assemble().text == "Alpha\n\nRow anew"
    assert source.runs == 2


def test_sources_that_are_registered_later_are_asked(declared):
    """A change of the registry loads declarations anew, and so does taking it back."""
    services.assemble()

    registration = declared.register_source(Source())
    with_source = services.assemble().text
    registration.remove()

    assert with_source == "Alpha\n\nRow"
    assert services.assemble().text == "Alpha"


def test_a_load_with_sources_looks_at_the_version_again(
    declared, django_assert_num_queries
):
    """Version, rows, sources, version: the four belong to one state."""
    declared.register_source(Source())

    with django_assert_num_queries(3):
        services.assemble()
    with django_assert_num_queries(1):
        services.assemble()


def test_a_store_that_changes_while_sources_run_is_read_again(declared):
    """What was read before the change is thrown away."""
    source = Source()
    declared.register_source(source)

    def change_once():
        if source.runs == 1:
            source.text = "Row anew"
            services.save({"core.a": "Mine"})

    source.during = change_once

    assert services.assemble().text == "Mine\n\nRow anew"
    assert services.assemble().text == "Mine\n\nRow anew"
    # Two reads, and one by the save itself in between.
    assert source.runs == 3


def test_a_store_that_never_settles_is_used_once_and_not_kept(declared):
    """After three reads an assembly goes on with what it has."""
    source = Source(during=services.touch)
    declared.register_source(source)

    first = services.assemble()
    second = services.assemble()

    assert first.text == second.text == "Alpha\n\nRow"
    assert source.runs == 6


def test_a_source_that_fails_is_not_passed_over(declared):
    """Without its fragments a prompt would be another one in silence."""
    broken = Broken(RuntimeError("no rows"))
    declared.register_source(broken)

    for _ in range(2):
        with pytest.raises(RuntimeError, match="no rows"):
            services.assemble()

    assert broken.calls == 2


@pytest.mark.covers("L31", "W14")
def test_the_first_claim_of_a_key_stands(declared):
    """What is registered comes before sources, an earlier source before a later one."""
    declared.register_source(lambda: [("", fragment("core.row", "First"))])
    declared.register_source(
        lambda: [("", fragment("core.row", "Second")), ("", fragment("core.a", "No"))]
    )

    assert services.assemble().text == "Alpha\n\nFirst"
    lost = {(one.key, one.reason) for one in services.view_of().lost_claims}
    assert lost == {("core.row", "claimed"), ("core.a", "registered")}


@pytest.mark.case(41)
@pytest.mark.covers("L32")
def test_an_override_outlives_the_row_of_its_fragment(declared):
    """A row that is deleted and made again under its key keeps its wording."""
    source = Source()
    declared.register_source(source)
    services.save({"core.row": "My wording"})

    source.text = None
    services.touch()
    without = services.assemble().text
    source.text = "Row made again"
    services.touch()

    assert without == "Alpha"
    assert services.assemble().text == "Alpha\n\nMy wording"


def test_a_fragment_of_a_source_can_be_saved_and_reset(declared):
    """The writer knows what sources declare, in the scope they declare it for."""
    declared.register_source(
        lambda: [
            ("", fragment("core.row", "Row")),
            ("tenant.x", fragment("core.row", "Near")),
        ]
    )

    same = services.save({"core.row": "Near"}, scope="tenant.x")
    other = services.save({"core.row": "Row"}, scope="tenant.x")
    back = services.reset(["core.row"], scope="tenant.x")

    assert same.revision is None
    assert other.stored == back.removed == ("core.row",)
    assert services.resolve("core.row", scope="tenant.x") == "Near"


def test_a_mapping_of_texts_leaves_what_sources_declare(declared):
    """Only the stored texts are replaced by it."""
    declared.register_source(Source())
    OverrideFactory(key="core.a", text="Mine")

    assert services.assemble(overrides={"core.row": "Given"}).text == "Alpha\n\nGiven"


def test_a_source_may_read_the_database(declared):
    """Its rows are read when texts are loaded, and reading them writes nothing."""
    user_model = UserFactory._meta.model
    declared.register_source(
        lambda: [
            ("", fragment(f"core.user-{name}", f"Hello {name}"))
            for name in user_model.objects.values_list("username", flat=True)
        ]
    )
    UserFactory(username="ada")
    before = everything()

    assert services.assemble().text == "Alpha\n\nHello ada"
    assert everything() == before


@pytest.mark.parametrize("text", ["D1", "Mine"])
def test_a_default_that_moves_while_a_save_waits_is_a_conflict(
    registry, monkeypatch, text
):
    """What is declared is looked at under the lock, as what is stored is."""
    defaults = ["D1"]
    registry.register_source(lambda: [("", fragment("core.row", defaults[-1]))])
    shown = services.etag("", "core.row")

    @contextmanager
    def locked():
        with journal.locked() as using:
            defaults.append("D2")
            yield using

    monkeypatch.setattr(writing, "locked", locked)

    with pytest.raises(EditConflict):
        services.save({"core.row": text}, based_on={"core.row": shown})
    assert rows() == {}

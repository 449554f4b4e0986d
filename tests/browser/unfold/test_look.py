"""The page in a look of the admin that is not Django's own."""

from __future__ import annotations

import pytest

from prompts_app import services
from tests.browser.steps import (
    NARROW,
    WIDE,
    box,
    choose,
    ready,
    save,
    to_review,
    visit,
    write,
)


@pytest.mark.parametrize("viewport", [WIDE, NARROW], ids=["wide", "narrow"])
def test_a_text_is_changed_reviewed_and_saved(browse, expect, superuser, viewport):
    """Nothing is wider than the window on the way, and nothing goes wrong."""
    fits = "() => document.documentElement.scrollWidth <= innerWidth"
    page = visit(browse(superuser, viewport=viewport))
    assert page.evaluate(fits)
    choose(page, "core.style")
    write(page, "core.style", "Be brief.")
    assert page.evaluate(fits)

    to_review(page)
    assert page.evaluate(fits)
    save(page)

    expect(box(page, "core.style")).to_have_value("Be brief.")
    assert services.resolve("core.style") == "Be brief."


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_texts_can_be_read(browse, expect, superuser, scheme):
    """What is typed stands out from its ground, in the light and in the dark."""
    page = visit(
        browse(superuser, viewport=WIDE, color_scheme=scheme), fragment="core.style"
    )
    contrast = """box => {
        const canvas = document.createElement("canvas").getContext("2d");
        const light = (colour) => {
            canvas.fillStyle = colour;
            canvas.fillRect(0, 0, 1, 1);
            const parts = [...canvas.getImageData(0, 0, 1, 1).data].slice(0, 3);
            const [r, g, b] = parts.map(part => part / 255).map(part =>
                part <= 0.03928 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
        };
        const style = getComputedStyle(box);
        const [dark, bright] = [light(style.color), light(style.backgroundColor)]
            .sort((one, other) => one - other);
        return (bright + 0.05) / (dark + 0.05);
    }"""

    assert box(page, "core.style").evaluate(contrast) >= 4.5


def test_two_changes_are_laid_side_by_side(browse, expect, superuser):
    """The decision works there too, and leads back with everything kept."""
    page = visit(browse(superuser), fragment="core.style")
    write(page, "core.style", "Mine.")
    services.save({"core.style": "Theirs."})
    page.locator("[data-review]").click()
    page.wait_for_selector("#prompts-decide")

    page.get_by_role("button", name="Back to editing").click()
    ready(page)

    expect(box(page, "core.style")).to_have_value("Mine.")

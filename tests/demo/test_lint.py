"""The texts of the demo site, as an editor would be told of them."""

from __future__ import annotations

from prompts_app import registry
from prompts_app.lint import NOTE, examine


def test_no_text_of_the_demo_site_has_a_warning():
    """In the whole installation, and in every scope that has a text of its own."""
    scopes = {record.scope for record in registry.records("fragment")}
    chains = [(scope,) if scope else () for scope in sorted({"", *scopes})]

    told = [
        (layered.key, found.code)
        for view in map(registry.view, chains)
        for layered in view.fragments
        for found in examine(layered.fragment.default, layered.fragment, view)
        if found.severity != NOTE
    ]

    assert len(registry.view().fragments) > 30
    assert told == []

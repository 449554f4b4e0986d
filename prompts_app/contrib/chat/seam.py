"""The handover from the preamble to a prompt that was written for one chat."""

from __future__ import annotations

from django.utils.translation import gettext_lazy as _

from prompts_app import Fragment

SEAM = (
    Fragment(
        "seam.authored_lead",
        label=_("Lead to the authored prompt"),
        group="seam",
        order=150,
        default=(
            "What stands below the line was written for this installation or for this "
            "chat. Where it contradicts what stands above, it wins.\n"
            "\n"
            "---"
        ),
        hint=_(
            "Gives a prompt that was written by hand its rank over the preamble. It "
            "appears only when there is an authored prompt. Without it the two follow "
            "each other unmarked, and where they contradict the model has to choose."
        ),
    ),
)

"""What the app declares, found as in any app."""

from __future__ import annotations

from bench import synthetic
from prompts_app import register

register(synthetic.GROUP, *synthetic.VARIABLES, *synthetic.fragments(1_500))

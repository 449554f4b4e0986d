"""What a new demo site needs to be tried at once."""

from __future__ import annotations

from typing import Any

from django.apps import apps
from django.conf import settings
from django.contrib.auth import authenticate
from django.core.management import BaseCommand, CommandError, call_command
from django.db import transaction

from project.playground import accounts

SAMPLES = {
    "notes.Note": "demo_notes",
    "prompts_app_custom.CustomFragment": "demo_custom",
}


class Command(BaseCommand):
    """Run at every start; what is there already stays as it is."""

    help = "Make the demo's accounts and samples, and print the passwords."

    def handle(self, *args: Any, **options: Any) -> None:
        """Make what is missing, then print how to sign in."""
        if not settings.DEBUG:
            raise CommandError("Accounts with printed passwords need DEBUG=on.")
        folder = settings.DEMO_DIR  # type: ignore[misc]  # the demo's settings have it, but mypy is shown those of the tests
        passwords = accounts.passwords(folder)
        with transaction.atomic():
            call_command("loaddata", "demo_groups", verbosity=0)
            made = [accounts.make(*account) for account in passwords.items()]
            for model, fixture in SAMPLES.items():
                rows = apps.get_model(model)._default_manager
                if any(made) and not rows.exists():
                    call_command("loaddata", fixture, verbosity=0)
        self.stdout.write("Sign in with one of these:")
        for name, password in passwords.items():
            fits = authenticate(username=name, password=password) is not None
            shown = password if fits else f"(manage.py changepassword {name})"
            self.stdout.write(f"  {name:8} {shown}")

"""Rows for tests."""

from __future__ import annotations

from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import Permission, User
from factory.declarations import LazyFunction, Sequence
from factory.django import DjangoModelFactory
from factory.helpers import post_generation

from prompts_app.contrib.custom.models import CustomFragment
from prompts_app.models import Override

PASSWORD = "a password for tests"


class UserFactory(DjangoModelFactory):
    """A member of staff; ``permissions=["app.codename", …]`` grants those."""

    class Meta:
        model = User
        skip_postgeneration_save = True

    username = Sequence(lambda number: f"user{number}")
    password = LazyFunction(lambda: make_password(PASSWORD))
    is_staff = True

    @post_generation
    def permissions(self, create, names, **kwargs):
        """Grant the permissions named, each of which has to exist."""
        for name in names or ():
            app_label, codename = name.split(".")
            self.user_permissions.add(
                Permission.objects.get(
                    content_type__app_label=app_label, codename=codename
                )
            )


class OverrideFactory(DjangoModelFactory):
    """A stored text that no save made, as an earlier release may have left it."""

    class Meta:
        model = Override

    scope = ""
    key = Sequence(lambda number: f"core.key{number}")
    text = "Stored"
    default_text = ""


class CustomFragmentFactory(DjangoModelFactory):
    """A fragment of the group ``core`` that somebody made in the admin."""

    class Meta:
        model = CustomFragment

    scope = ""
    key = Sequence(lambda number: f"custom.key{number}")
    label = Sequence(lambda number: f"Custom {number}")
    group = "core"
    text = "Row"

"""A page on which people write notes and see what these add to the prompt."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render

from project.notes.models import Note
from prompts_app import services

if TYPE_CHECKING:
    _ModelForm = forms.ModelForm[Note]
else:
    _ModelForm = forms.ModelForm

SHOWN = 50


class NoteForm(_ModelForm):
    """A new note."""

    class Meta:
        model = Note
        fields = ["title", "body"]
        widgets = {"body": forms.Textarea(attrs={"rows": 4})}


@login_required
def notes(request: HttpRequest) -> HttpResponse:
    """Show the person's latest notes, and take a new one."""
    form = NoteForm(request.POST or None, instance=Note(owner_id=request.user.pk))
    if form.is_valid():
        form.save()
        return redirect("notes")
    prompt = services.assemble(include=("notes",), user=request.user)
    mine = Note.objects.of(request.user)
    context = {"form": form, "notes": mine[:SHOWN], "prompt": prompt.text}
    return render(request, "notes/notes.html", context)

"""The front page, and the page to try scenarios on."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from project.playground.forms import LIVE, Samples, Situation
from project.playground.trying import attempt, situate
from prompts_app import services
from prompts_app.exceptions import PromptsError
from prompts_app.wording import level_text


def home(request: HttpRequest) -> HttpResponse:
    """Show where everything is, and who is signed in."""
    return render(request, "playground/home.html")


@login_required
def playground(request: HttpRequest) -> HttpResponse:
    """Show the prompt of one situation, with the values that were typed for it."""
    asked = request.POST or request.GET
    form = Situation(services.view_of(), asked)
    chosen = form.chosen()
    choice = chosen.scenario
    situated = situate(choice, request.user)
    values = situated.arguments["variables"]
    # Values that were shown for another scenario say nothing about this one.
    is_same = request.method == "POST" and asked.get("shown") == choice
    samples = Samples(situated.view, values, asked if is_same else None)
    edited = samples.edited()
    context = {
        "form": form,
        "samples": samples,
        "edited": [samples[name] for name in edited],
        "choice": choice,
        "is_live": choice == LIVE,
    }
    try:
        trial = attempt(situated, chosen, edited)
    except (PromptsError, ValueError, TypeError) as error:
        context["error"] = error.__cause__ or error
    else:
        context |= {"trial": trial, "level": level_text(trial.assembly.level)}
    return render(request, "playground/playground.html", context)

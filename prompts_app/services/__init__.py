"""
The door: assemble prompts, and read and change the stored texts.

Every function has a twin for asynchronous callers, the same name with an ``a``
in front, which runs the same function in Django's thread for synchronous code.
"""

from __future__ import annotations

from asgiref.sync import sync_to_async

from prompts_app.overrides.journal import Saved
from prompts_app.overrides.pruning import Pruned
from prompts_app.services.assembling import (
    Overrides,
    assemble,
    render,
    resolve,
    resolve_level,
    view_of,
)
from prompts_app.services.reading import (
    as_of,
    etag,
    export_texts,
    reading_from,
    stored,
)
from prompts_app.services.writing import (
    acknowledge,
    adopt,
    import_texts,
    prune,
    prune_history,
    reset,
    restore,
    save,
    touch,
)

__all__ = [
    "Overrides",
    "Pruned",
    "Saved",
    "aacknowledge",
    "aadopt",
    "aas_of",
    "aassemble",
    "acknowledge",
    "adopt",
    "aetag",
    "aexport_texts",
    "aimport_texts",
    "aprune",
    "aprune_history",
    "areading_from",
    "arender",
    "areset",
    "aresolve",
    "aresolve_level",
    "arestore",
    "as_of",
    "asave",
    "assemble",
    "astored",
    "atouch",
    "aview_of",
    "etag",
    "export_texts",
    "import_texts",
    "prune",
    "prune_history",
    "reading_from",
    "render",
    "reset",
    "resolve",
    "resolve_level",
    "restore",
    "save",
    "stored",
    "touch",
    "view_of",
]

aacknowledge = sync_to_async(acknowledge)
aadopt = sync_to_async(adopt)
aas_of = sync_to_async(as_of)
aassemble = sync_to_async(assemble)
aetag = sync_to_async(etag)
aexport_texts = sync_to_async(export_texts)
aimport_texts = sync_to_async(import_texts)
aprune = sync_to_async(prune)
aprune_history = sync_to_async(prune_history)
areading_from = sync_to_async(reading_from)
arender = sync_to_async(render)
areset = sync_to_async(reset)
aresolve = sync_to_async(resolve)
aresolve_level = sync_to_async(resolve_level)
arestore = sync_to_async(restore)
asave = sync_to_async(save)
astored = sync_to_async(stored)
atouch = sync_to_async(touch)
aview_of = sync_to_async(view_of)

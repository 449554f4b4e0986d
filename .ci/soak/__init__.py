"""
Servers with several workers, tried for long on every database that answers.

``make soak`` runs it and it writes ``docs/benchmarks/soak.md``. Clients ask servers for
prompts and for saves, workers are killed meanwhile, and afterwards each answer is held
against the history that the database has.
"""

from __future__ import annotations

"""What an agent chat sees of a machine: tree, plan and instruction file."""

from __future__ import annotations

AGENT_TARGET = "build-02"
AGENT_DIR = "/srv/tidetable"
AGENT_MODE = (
    "ask first. Reading files and listing folders is free; every other command and "
    "every change waits for the person's approval."
)
AGENT_REWOUND = "last today at 14:20"
DOCUMENT_NAMES = "october-as-printed.pdf, almanac-2026.pdf (truncated)"

PROJECT_FILES = """\
.editorconfig
.gitignore
AGENTS.md
CHANGELOG.md
LICENSE
Makefile
README.md
pyproject.toml
data/
  harmonics/
    aveiro.toml
    cascais.toml
    faro.toml
    figueira.toml
    lagos.toml
    leixoes.toml
    peniche.toml
    setubal.toml
    sines.toml
    viana.toml
  leap_seconds.csv
  node_factors_1990_2050.csv
  station_aliases.csv
  stations.csv
deploy/
  backup.sh
  nginx.conf
  tidetable.service
  tidetable.timer
docs/
  accuracy.md
  api.md
  data-sources.md
  deploying.md
  images/
    curve-cascais.png
    month-view.png
    moon-phases.png
    print-view.png
  index.md
  stations.md
  decisions/
    0001-utc-inside-local-at-the-page.md
    0002-predictions-are-cached-by-day.md
    0003-no-tables-in-javascript.md
    0004-heights-above-chart-datum.md
    0005-print-jobs-in-the-database.md
migrations/
  0001_stations.sql
  0002_predictions.sql
  0003_print_jobs.sql
  0004_station_aliases.sql
  0005_prediction_source.sql
  0006_print_job_attempts.sql
scripts/
  compare_with_almanac.py
  convert_old_bookings.py
  import_harmonics.py
  measure_speed.py
  render_year.py
  warm_prediction_cache.py
src/
  tidetable/
    __init__.py
    __main__.py
    api/
      __init__.py
      errors.py
      limits.py
      pagination.py
      routes.py
      schemas.py
    cache.py
    calendar.py
    cli.py
    config.py
    db/
      __init__.py
      connection.py
      predictions.py
      stations.py
    harmonics/
      __init__.py
      arguments.py
      constants.py
      node_factors.py
      predict.py
      shallow_water.py
      read_toml.py
    moon.py
    printing/
      __init__.py
      fonts.py
      layout.py
      pdf.py
      queue.py
    templates/
      base.html
      day.html
      error.html
      month.html
      print.html
      station.html
      station_list.html
      station_unknown.html
    timezones.py
    translations/
      de/messages.po
      en/messages.po
      pt/messages.po
    units.py
    web/
      __init__.py
      forms.py
      middleware.py
      pages.py
      static/
        app.css
        chart.js
        print.css
        station-map.js
tests/
  __init__.py
  conftest.py
  data/
    almanac-cascais-2025.csv
    almanac-lagos-2025.csv
    almanac-leixoes-2025.csv
    almanac-sines-2025.csv
    broken-harmonics.toml
    summer-time-2026.csv
    winter-time-2026.csv
  integration/
    test_api_limits.py
    test_api_predictions.py
    test_api_stations.py
    test_predictions_at_midnight.py
    test_print_queue.py
    test_station_pages.py
    test_translations_complete.py
  unit/
    test_arguments.py
    test_cache.py
    test_calendar.py
    test_chart_datum.py
    test_cli.py
    test_config.py
    test_layout.py
    test_moon.py
    test_node_factors.py
    test_predict.py
    test_read_toml.py
    test_timezones.py
    test_units.py
tools/
  check_links.py
  check_translations.py
  freeze_requirements.sh"""

PLAN = """\
Phase 1, find the fault: done (s1 to s3)
Phase 2, mend it
  [s4] done: write a failing test for the night of 25 October 2026
  [s5] doing: keep times in UTC up to the page, convert in timezones.py alone
  [s6] open: take the offset out of predictions.py and its callers
  [s7] open: recompute the cached days from 25 October to 28 March
Phase 3, make sure
  [s8] open: compare a year at three stations with the almanac, within 2 minutes
  [s9] open: check the printed month of October by eye
  [s10] open: note the fault and the remedy in CHANGELOG.md"""

AGENT_INSTRUCTIONS_FILE = "AGENTS.md"

AGENT_INSTRUCTIONS = """\
# Working on tidetable

- Python 3.12. Create the environment with `make venv`, run everything through `make`.
- `make check` runs formatter, linter, types and tests. It has to pass before a commit.
- Tests stand in tests/unit (no database, under a second each) and tests/integration.
- Times are UTC inside the program. Only timezones.py knows local time.
- Heights are metres above chart datum, as floats; round at the page, never before.
- The harmonic constants in data/ come from the institute. Do not edit them by hand;
  use scripts/import_harmonics.py and keep the source line in the file.
- Templates: two spaces, no logic beyond loops and conditions.
- One change per commit. The message says why, in the imperative.
- Do not touch deploy/ without asking: the timer on the server reads it directly."""

"""What is remembered and saved for the person of the scenarios."""

from __future__ import annotations

MEMORIES = """\
- Runs the office of a marina with 64 berths; two colleagues share the desk.
- Signs as "Ines", never with her full name.
- Writes to guests in Portuguese, English or German, after the guest's flag.
- Wants distances in nautical miles and lengths in metres, with one decimal.
- The season runs from 1 April to 31 October; winter berths are let by the month.
- Invoices go out on the first working day of the month.
- Uses a spreadsheet called "berths" as the one list of who lies where.
- Prefers a table to a list whenever there are more than three boats.
- Her deputy is Tomé; he decides when she is away.
- Reads answers on her phone in the morning and wants them short then.
- Keeps the tide tables in a small program of her own, "tidetable", in Python.
- Knows Python well and JavaScript a little; no need to explain the basics.
- Tests before she deploys, and deploys only on weekdays before noon.
- The fuel dock is closed on Mondays.
- Berths 1 to 12 take boats of up to 8 metres, 13 to 40 up to 12, the rest up to 18.
- The harbour authority is called "the captaincy" in everything she writes.
- Never quotes prices without value added tax.
- Two local regattas fill the marina: the last weekend of May, the second of September.
- Wants changes to bye-laws shown as old text and new text, side by side.
- Does not want reminders about things that are already in her calendar."""

SKILLS = """\
- berth-plan: use when boats are to be assigned to berths for a coming month
- arrival-letter: use when a guest has booked and gets the letter with arrival details
- monthly-invoices: use on the first working day, or when invoices are asked for
- storm-notice: use when a warning of force 8 or more is issued for the coast
- regatta-week: use when one of the two regattas is less than six weeks away
- crane-schedule: use when boats go in or out of the water, mostly April and October
- bye-law-change: use when a bye-law is to be changed and shown old against new
- captaincy-report: use when the quarterly figures for the captaincy are due
- lost-and-found: use when something was found on a pontoon or in the showers
- fuel-reconciliation: use when the fuel meter and the till do not agree
- complaint-reply: use when a guest complains about noise, waste or a neighbour
- tidetable-release: use when a new version of tidetable is to be deployed
- translation-check: use when a letter exists in two languages that must agree
- meter-readings: use when electricity readings of the pontoons come in as photos
- winter-contract: use when a winter berth is let or a contract is renewed"""

KNOWLEDGE_BASES = "Marina bye-laws, Berth contracts 2026"

DOCUMENT_NAMES = (
    "winter-contract-berth-14.pdf, insurance-certificate.pdf, "
    "captaincy-circular-2026-11.pdf (truncated)"
)

AUTHORED = """\
You check berth contracts for the marina office.

Read the contract first, then the papers that belong to it. Report in a table: the
clause, what it says, what the bye-laws ask for, and whether the two agree. Below the
table list what is missing: a signature, a date, a certificate that has run out.

Do not judge whether a contract is fair. Do not change its wording unless you are asked
to; then show the old text and the new one."""

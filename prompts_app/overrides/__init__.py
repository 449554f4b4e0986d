"""
Stored texts, in and out of the database: the only code that queries.

`snapshots` reads them, `writing` changes them, `history` looks back, `merge`
joins two edits of one text, `rights` says who may.
"""

"""What people run from a terminal: the subcommands, and the words they print."""

"""How the page's templates write what they are given."""

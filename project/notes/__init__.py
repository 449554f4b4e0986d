"""A small app of the demo site that contributes to the prompt from its own models."""

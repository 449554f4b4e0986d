"""Optional apps that come with `prompts_app`; each uses its public names only."""

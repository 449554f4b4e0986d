"""Sample values of realistic size, for the scenarios of the chat catalogue."""

"""Tags and filters for templates: those of other apps, and the page's own."""

"""The demo site's front page, its accounts, and a page to try scenarios on."""

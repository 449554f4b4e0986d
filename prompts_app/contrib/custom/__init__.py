"""
Prompt fragments that administrators make in the admin.

Add ``"prompts_app.contrib.custom"`` to ``INSTALLED_APPS`` beside ``"prompts_app"``
and run ``migrate``. Each row of `CustomFragment` becomes a fragment like those that
apps declare: it has gates, stands on the page of fragments, and can be overridden
there and switched off.
"""

"""
A catalogue of prompt fragments for a chat product with tools.

Add ``"prompts_app.contrib.chat"`` to ``INSTALLED_APPS`` beside
``"prompts_app"``. It declares the fragments of a chat's system prompt, the
requests that title and compact a chat, the variables they use, and scenarios to
preview them in. The values of the variables come from the caller of
`services.assemble`; nothing here reads a setting or a database.
"""

"""Talking to the vault: passages to a prompt, an answer with citations that hold, sessions."""

"""The write path: from a changed file to the store."""

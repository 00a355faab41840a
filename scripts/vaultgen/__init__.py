"""Vaults for measurements and long tests: made from a seed, and changed by a stream of edits."""

"""Servers of models: how they are reached, and what goes wrong on the way."""

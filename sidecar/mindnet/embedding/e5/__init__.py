"""multilingual-e5-small, whose weights a package carries, as a model of this computer."""

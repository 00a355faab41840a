"""multilingual-e5-small, whose weights a package carries, as a model that fastembed reads."""

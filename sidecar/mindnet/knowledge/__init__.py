"""Structure to graph: types, kinds, chunks and edges."""

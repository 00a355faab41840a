"""Where notes, chunks and edges are kept."""

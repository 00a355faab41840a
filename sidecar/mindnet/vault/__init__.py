"""Files on disk: which there are, their text, their changes, and what a link names."""

"""A language model judges proposed links: what it said, how it is asked, and whose turn is when."""

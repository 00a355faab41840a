"""The read path: from a question to hits and the reasons for them."""

"""What is remembered of questions, of what people said of the answers, and of what they decided of edges."""

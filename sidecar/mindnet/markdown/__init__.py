"""Text to structure: frontmatter, headings, blocks and every written link with its line."""

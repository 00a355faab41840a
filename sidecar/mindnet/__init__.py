"""mindnet: an Obsidian vault as a graph that can be searched, explained and talked to."""

__version__ = "0.1.0"

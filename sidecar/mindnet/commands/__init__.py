"""The commands: each finds its vault, calls the layer below, and prints. `cli` and `scripts/` name them."""

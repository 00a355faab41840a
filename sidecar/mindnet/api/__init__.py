"""The HTTP face of the sidecar."""

"""Parts of the soak test: the daemon as a process, and whole indexes compared."""

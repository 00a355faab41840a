"""``python -m mindnet``: the command line."""

from mindnet.cli import main

main()

"""`python -m uaeval`."""

from uaeval.cli.main import main

main()

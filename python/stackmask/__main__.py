"""`python -m stackmask` is the command `stackmask`."""

import sys

from stackmask.cli import main

if __name__ == "__main__":
    sys.exit(main())

"""`python3 scripts/cfdmark COMMAND` from anywhere, or `python3 -m cfdmark COMMAND` where the package can be imported."""

import sys
from pathlib import Path

if not __package__:  # started by path: Python then searches this folder, and the package lies in the one above
    sys.path[0] = str(Path(__file__).resolve().parents[1])

from cfdmark.commands import main  # noqa: E402

if __name__ == "__main__":
    sys.exit(main())

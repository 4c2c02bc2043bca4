"""`python3 scripts/cfdmark COMMAND` from anywhere, or `python3 -m cfdmark COMMAND` where the package can be imported."""

import errno
import sys
from pathlib import Path

if not __package__:  # started by path: Python then searches this folder, and the package lies in the one above
    sys.path[0] = str(Path(__file__).resolve().parents[1])


def start() -> int:
    """Returns the exit status. Without files to open, not even a traceback could be printed."""
    try:
        from cfdmark.commands import main

        return main()
    except OSError as problem:
        if problem.errno not in (errno.EMFILE, errno.ENFILE):
            raise
        print(f"cfdmark: {problem.strerror}; raise the limit, for example with ulimit -n 256", file=sys.stderr)
        return 3


if __name__ == "__main__":
    sys.exit(start())

"""How the programs here end: the statuses that `cfdmark run` has too, and a problem told in one line."""

from __future__ import annotations

import os
import sys
from typing import Callable

from .output import CannotWrite
from .records import BadInput

BAD_INPUT, CANNOT_WRITE = 2, 3


def run_program(name: str, action: Callable[[], int | None]) -> int:
    """The exit status: what `action` returns, 0 for None, or that of the problem it raised."""
    sys.stdout.reconfigure(errors="replace")  # a terminal without UTF-8 gets question marks, not a crash
    try:
        return action() or 0
    except BadInput as problem:
        print(f"{name}: {problem}", file=sys.stderr)
        return BAD_INPUT
    except CannotWrite as problem:
        print(f"{name}: {problem}", file=sys.stderr)
        return CANNOT_WRITE
    except BrokenPipeError:  # `report.py ... | head` is no error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0

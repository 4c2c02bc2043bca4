"""How the programs here end: the statuses that `cfdmark run` has too, and a problem told in one line."""

from __future__ import annotations

import os
import sys
from contextlib import suppress
from typing import Callable

from cfdmark.output import CannotWrite
from cfdmark.records.records import BadInput
from cfdmark.text.printable import printable, printable_lines

BAD_INPUT, CANNOT_WRITE = 2, 3


def run_program(name: str, action: Callable[[], int | None]) -> int:
    """The exit status: what `action` returns, 0 for None, or that of the problem it raised. 3 too where what was
    printed could not be written."""
    fill_standard_streams()
    os.environ["MPLBACKEND"] = "agg"  # pictures are files; a backend that is not there would stop Matplotlib's import
    # A terminal without UTF-8 gets question marks, not a crash. argparse passes over a help that cannot be written;
    # what is kept back fails at the flush.
    sys.stdout.reconfigure(errors="replace", write_through=False, line_buffering=sys.stdout.isatty())
    if hasattr(sys.stdin, "reconfigure"):  # what cfdmark hands over is UTF-8, whatever the locale
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    try:
        status = status_of(name, action)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # `cfdmark report ... | head` is no error
        drop_output()
        return 0
    except OSError as problem:
        if problem.filename is not None:
            raise
        drop_output()
        complain(name, f"cannot write to the standard output: {problem.strerror}")
        return CANNOT_WRITE


def status_of(name: str, action: Callable[[], int | None]) -> int:
    try:
        return action() or 0
    except SystemExit as stop:  # argparse: --help, or a wrong option
        if not isinstance(stop.code, int):
            raise
        return stop.code
    except BadInput as problem:
        complain(name, problem)
        return BAD_INPUT
    except CannotWrite as problem:
        complain(name, problem)
        return CANNOT_WRITE


def complain(name: str, problem) -> None:
    with suppress(OSError):  # nobody reads it; the status tells
        print(f"{name}: {printable_lines(str(problem))}", file=sys.stderr)


def warn(text: str) -> None:
    """One line; names of files in it may hold anything."""
    print(f"warning: {printable(text)}", file=sys.stderr)


def drop_output() -> None:
    """Python writes what is left once more when it ends."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def in_colour() -> bool:
    """Whether the standard output is a terminal that knows colours, and the user has not switched them off
    (https://no-color.org)."""
    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") not in ("", "dumb") and not os.environ.get("NO_COLOR")


def fill_standard_streams() -> None:
    """In place of a closed one comes one that fails as it would: else the next file that is opened gets its number."""
    for fd, mode in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_RDWR)):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, mode)
    sys.stdout = sys.stdout or open(1, "w", closefd=False)
    sys.stderr = sys.stderr or open(2, "w", closefd=False)

"""Ends a command: the exit statuses of `cfdmark run`, and an error in one line."""

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
    """Returns the exit status: that of `action`, 0 for None, or that of the error it raised. Returns 3 if
    standard output could not be written."""
    fill_standard_streams()
    os.environ["MPLBACKEND"] = "agg"  # pictures are files; a missing backend would stop Matplotlib's import
    # A terminal without UTF-8 gets question marks. argparse ignores that its help cannot be written, but buffered
    # output fails at the flush.
    sys.stdout.reconfigure(errors="replace", write_through=False, line_buffering=sys.stdout.isatty())
    if hasattr(sys.stdin, "reconfigure"):  # cfdmark writes UTF-8, whatever the locale
        sys.stdin.reconfigure(encoding="utf-8", errors="replace")
    try:
        status = status_of(name, action)
        sys.stdout.flush()
        return status
    except BrokenPipeError:  # `cfdmark report ... | head` is not an error
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
    with suppress(OSError):  # the exit status still reports the error
        print(f"{name}: {printable_lines(str(problem))}", file=sys.stderr)


def warn(text: str) -> None:
    """Prints a warning in one line. File names in it may hold any bytes."""
    print(f"warning: {printable(text)}", file=sys.stderr)


def drop_output() -> None:
    """Discards the rest of the output, which Python writes again at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def in_colour() -> bool:
    """True if standard output is a terminal with colours and NO_COLOR is unset (https://no-color.org)."""
    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") not in ("", "dumb") and not os.environ.get("NO_COLOR")


def fill_standard_streams() -> None:
    """Opens a failing stream in place of each closed standard stream. Otherwise the next file that is opened
    would get its descriptor."""
    for fd, mode in ((0, os.O_WRONLY), (1, os.O_RDONLY), (2, os.O_RDWR)):
        try:
            os.fstat(fd)
        except OSError:
            os.open(os.devnull, mode)
    sys.stdout = sys.stdout or open(1, "w", closefd=False)
    sys.stderr = sys.stderr or open(2, "w", closefd=False)

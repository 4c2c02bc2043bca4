"""Statements that the published numbers must keep among themselves, each a function of all experiments.

A statement that does not hold is a contradiction in the documents, and must be listed under its name in the
file of the experiment concerned; test_contradictions.py compares the two lists.
"""

from __future__ import annotations

from typing import Callable

from support import Experiment

Experiments = dict[str, Experiment]
Statement = Callable[[Experiments], bool]

STATEMENTS: dict[str, Statement] = {}


def statement(check: Statement) -> Statement:
    """Registers a function that says whether the numbers agree; its name is the statement's."""
    add(check.__name__, check)
    return check


def add(name: str, check: Statement) -> None:
    if name in STATEMENTS:
        raise ValueError(f"two statements are called {name}")
    STATEMENTS[name] = check


def every_statement() -> dict[str, Statement]:
    import statements_jespersen  # noqa: F401
    import statements_menon  # noqa: F401
    import statements_normore  # noqa: F401
    import statements_review  # noqa: F401
    import statements_weymouth  # noqa: F401

    return STATEMENTS

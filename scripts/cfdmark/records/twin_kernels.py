"""Kernels with an operator that were two, jacobi and jacobi_coefficients, read as one that is asked for an operator.

The same is done in bench/record/twin_kernels.cpp; tests/twin_kernels.json holds examples for both.
"""

from __future__ import annotations

TWINS = ("apply", "residual", "jacobi", "gauss_seidel", "red_black_sor", "cg_direction", "cg_update")
ENDING = "_coefficients"


def operator_of(name: str) -> tuple[str, str]:
    """The kernel's name now, and its operator; empty for a kernel without."""
    kernel = name.removesuffix(ENDING)
    if kernel not in TWINS:
        return name, ""
    return kernel, "constant" if kernel == name else "arrays"


def renamed(text: str, before: str, now: str) -> str:
    return now + text[len(before) :] if text.startswith(before + "/") else text


def case_of(case: str) -> str:
    """Of a case's name alone. A solver's says what it was asked."""
    before = case.partition("/")[0]
    name, operator = operator_of(before)
    return f"{renamed(case, before, name)};operator={operator}" if operator and ";" not in case else case


def record_of(raw: dict) -> dict:
    """A record of schema 2 whose parts are sound (records.check_record)."""
    name, operator = operator_of(raw["name"])
    if raw["kind"] != "kernel" or "question" in raw or not operator:
        return raw
    label = renamed(str(raw.get("label", raw["case"])), raw["name"], name)
    return raw | {
        "name": name,
        "case": case_of(raw["case"]),
        "label": f"{label};operator=arrays" if operator == "arrays" else label,
        "question": {"operator": operator},
    }


def entry_of(entry: dict) -> dict:
    """An entry of a tuned table."""
    name, operator = operator_of(entry["name"])
    if entry.get("kind") != "kernel" or "question" in entry or not operator:
        return entry
    return entry | {"name": name, "question": {"operator": operator}}

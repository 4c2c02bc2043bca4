"""Records and tuned entries of schema 1, in which every setting was a whole number, read as those of schema 2.

The same is done in bench/record/schema_1.cpp; tests/schema_1.json holds examples for both.
"""

from __future__ import annotations

# The name now, and the value that a number stood for.
RECODED = {
    "omega_millionths": ("omega", lambda n: "optimal" if n == 0 else n / 1e6),
    "omega_gap_percent": ("omega_gap", lambda n: n / 100),
    "schedule": ("schedule", lambda n: {1: "static", 2: "dynamic"}.get(n, "guided")),
    "binding": ("binding", lambda n: {1: "close"}.get(n, "spread")),
}
# What was no setting then: the jump of the problem of that name.
CONSTANTS = {"jump": {"conductivity": 1000.0}}


def number_text(value: float) -> str:
    """In as few digits as give the same number again: 64, 1.95, 1e-06."""
    return repr(value).removesuffix(".0")


def value_text(value) -> str:
    return value if isinstance(value, str) else number_text(value)


def config_text(config: dict) -> str:
    return ",".join(f"{name}={value_text(value)}" for name, value in config.items())


def config_of(config: dict) -> dict:
    known = {}
    for name, value in config.items():
        now, read = RECODED.get(name, (name, int)) if isinstance(value, int) else (name, lambda v: v)
        known[now] = read(value)
    return known


def part_of(part: str) -> str:
    """name=value of a case's name; what is no number stands as it is."""
    name, _, value = part.partition("=")
    return config_text(config_of({name: int(value)})) if value.isdecimal() and len(value) < 10 else part


def pairs(text: str) -> dict:
    return {name: value for name, _, value in (part.partition("=") for part in text.split(",") if part)}


def number_or_0(read, value: str):
    """What is no number in a name that somebody spoiled is 0."""
    try:
        return read(value)
    except ValueError:
        return 0


def question_of(case: str) -> dict:
    """Of a case's name: ;problem=jump,tolerance=1e-06,max_iterations=10000"""
    asked = pairs(case.partition(";")[2])
    read = {"problem": str, "tolerance": float, "max_iterations": int}
    question = {name: number_or_0(read[name], value) for name, value in asked.items() if name in read}
    return question | CONSTANTS.get(question.get("problem"), {})


def case_of(case: str) -> str:
    row, colon, config = case.partition(";")[0].partition(":")
    question = question_of(case)
    now = row + colon + ",".join(part_of(part) for part in config.split(","))
    return now + (";" + config_text(question) if question else "")


def record_of(raw: dict) -> dict:
    """A record whose parts are sound (records.check_record)."""
    question = question_of(raw["case"])
    now = {key: value for key, value in raw.items() if key != "problem"}
    now |= {"schema": 2, "case": case_of(raw["case"])}
    if isinstance(raw.get("config"), dict):
        now["config"] = config_of(raw["config"])
    if isinstance(raw.get("problem"), str):
        question = {"problem": raw["problem"]} | question
    return now | ({"question": question} if question else {})


def entry_of(entry: dict) -> dict:
    """An entry of a tuned table."""
    now = {key: value for key, value in entry.items() if key not in ("problem", "tolerance")}
    for key in ("winner", "default"):
        if key in now:
            now[key] = choice_of(now[key])
    now["ties"] = [choice_of(tie) for tie in entry.get("ties", [])]
    asked = {key: entry[key] for key in ("problem", "tolerance") if key in entry}
    return now | ({"question": asked} if asked else {})


def choice_of(choice: dict) -> dict:
    return choice | {"config": config_of(choice["config"])}

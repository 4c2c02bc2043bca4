"""Checks that a line of a record file can be used, and says what is wrong with it otherwise.

results/schema/record.schema.json defines the lines. bench/record/record_check.cpp does the same as this file;
tests/records.json holds examples for both.
"""

from __future__ import annotations

import json
import math
import re
import sys
from itertools import accumulate
from statistics import median

from cfdmark.text.printable import printable

SCHEMA = 2
MEDIAN_TOLERANCE = 1e-6  # files hold seven digits
DEEPEST = 64
NOT_JSON = "not JSON, perhaps a write that was cut off"


class BadLine(Exception):
    """A line that cannot be used. The message says what was expected."""


def finite(value) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool) and abs(value) <= sys.float_info.max


def expect(condition: bool, message: str) -> None:
    if not condition:
        raise BadLine(message)


def check_between(holder: dict, path: str, low: str, value: str, high: str) -> None:
    """Raises BadLine if a value lies outside its interval."""
    if all(name in holder for name in (low, value, high)):
        expect(
            holder[low] <= holder[value] <= holder[high],
            f"`{path}{value}` does not lie between `{path}{low}` and `{path}{high}`",
        )


def check_case(raw: dict) -> None:
    """Raises BadLine if the name of the case, .../PRECISION/METHOD@DOMAIN, contradicts the record's
    precision or domain."""
    row, _, rest = raw["case"].partition("@")
    parts = row.split("/")
    grid = re.split("[:;]", rest, maxsplit=1)[0]
    for kind in ("mesh", "matrix"):
        if kind in raw:
            expect("grid" not in raw, f"there are both `grid` and `{kind}`")
            expect("nodes" in raw, f"`nodes` is missing, which a {kind} needs")
            expect(grid == raw[kind], f"`{kind}` is not that of `case`")
    if "grid" not in raw:
        return
    if len(parts) < 3 or not grid or grid.strip("0123456789x"):
        return
    expect(parts[-2] == raw["precision"], "`precision` is not that of `case`")
    expect(grid == "x".join(map(str, raw["grid"])), "`grid` is not that of `case`")


def check_consistent(raw: dict) -> None:
    """Raises BadLine if a record contradicts itself."""
    expect("grid" in raw or "mesh" in raw or "matrix" in raw, "`grid` is missing")
    expect("mesh" not in raw or "matrix" not in raw, "there are both `mesh` and `matrix`")
    check_case(raw)
    if "nodes" in raw and "grid" in raw:
        expect(float(raw["nodes"]) == math.prod(map(float, raw["grid"])), "`nodes` is not the number of points of `grid`")
    if raw["status"] != "ok":
        return
    expect("time" in raw, "`time` is missing, but `status` is ok")
    expect(raw.get("verification", {}).get("passed", True), "`verification.passed` is false, but `status` is ok")
    time = raw["time"]
    samples = time["samples"]
    counts = time.get("processes", [len(samples)])
    expect(counts != [] and samples != [] and sum(counts) == len(samples), "`time.processes` does not count `time.samples`")
    medians = [median(samples[end - count : end]) for count, end in zip(counts, accumulate(counts))]
    middle = median(medians)
    expect(abs(time["median"] - middle) <= MEDIAN_TOLERANCE * middle, "`time.median` is not that of `time.samples`")
    check_between(time, "time.", "ci_low", "median", "ci_high")
    check_between(raw.get("roof", {}), "roof.", "low", "bytes_per_second", "high")


def number_from(text: str) -> float:
    value = float(text)
    if not math.isfinite(value):
        raise ValueError(text)
    return value


def integer_from(text: str) -> int | float:
    """Parses an integer; one beyond 64 bits becomes a real number."""
    value = int(text)
    return value if -(2**63) <= value < 2**64 else number_from(text)


def no_constant(text: str):
    raise ValueError(text)  # NaN and Infinity are not JSON


def cleaned(value):
    """Removes members that are null, the form of a number that is not finite; elements of a list stay. Makes
    texts printable."""
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, dict):
        return {printable(key): cleaned(member) for key, member in value.items() if member is not None}
    return [cleaned(member) for member in value] if isinstance(value, list) else value


def depth(line: str) -> int:
    """Returns the nesting depth of brackets; 0 without counting if the line has few brackets."""
    if line.count("[") + line.count("{") <= DEEPEST:
        return 0
    nested = deepest = 0
    text = escaped = False
    for letter in line:
        if escaped or letter == "\\":
            escaped = not escaped
        elif letter == '"':
            text = not text
        elif not text and letter in "[{":
            nested += 1
            deepest = max(deepest, nested)
        elif not text and letter in "]}":
            nested -= 1
    return deepest


def object_in(line: str) -> dict:
    """Returns the JSON object of a line. Raises BadLine."""
    try:
        line.encode("utf-8")
        expect(depth(line) <= DEEPEST, f"it is nested deeper than {DEEPEST} levels")
        raw = json.loads(line, parse_float=number_from, parse_int=integer_from, parse_constant=no_constant)
        if "\\ud" in line.lower():
            json.dumps(raw, ensure_ascii=False).encode("utf-8")  # half of a surrogate pair is not a character
    except (ValueError, RecursionError) as error:
        raise BadLine(NOT_JSON) from error
    expect(isinstance(raw, dict), "not a JSON object")
    return cleaned(raw)


def checked(line: str, types: tuple[str, ...]) -> dict:
    """Returns a usable line of one of these types. Raises BadLine."""
    from .json_form import form_of  # only commands that read records need its library

    raw = object_in(line)
    kind = raw.get("type")
    expect(isinstance(kind, str) and kind in types, f"`type` must be {' or '.join(types)}")
    if kind in ("record", "point"):
        schema = raw.get("schema", "null")
        expect(schema == SCHEMA, f"schema {schema} is unknown, this program reads schema {SCHEMA}")
    problem = form_of("record.schema.json", kind).problem_of(raw)
    expect(not problem, problem)
    if kind == "record":
        check_consistent(raw)
    if kind == "point":
        check_between(raw, "", "ci_low", "median", "ci_high")
    return raw

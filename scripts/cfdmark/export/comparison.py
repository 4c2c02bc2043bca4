"""A comparison for code review: Markdown, JUnit, GitHub's annotations.

A comparison is the output of `cfdmark compare --format json` (results/README.md), its cases the worst first.
"""

from __future__ import annotations

import re
from datetime import datetime, timezone
from xml.sax.saxutils import escape, quoteattr

from cfdmark.text.printable import code_span, in_cell, in_markdown, printable

from .layouts import seconds_text


def is_worth_reading(case: dict) -> bool:
    return case["regressed"] or case["verdict"] not in ("same", "not run")


def percent(ratio: float) -> str:
    return f"{100 * (ratio - 1):+.1f}"


def interval_text(time: dict) -> str:
    return f"{percent(time['low'])} to {percent(time['high'])} %" if "high" in time else "unknown"


def change_text(case: dict) -> str:
    """Returns +10.0 % (+9.8 to +10.2 %); empty without times."""
    time = case.get("time")
    return f"{percent(time['ratio'])} % ({interval_text(time)})" if time else ""


def says_nothing(comparison: dict) -> bool:
    """True if no case was compared, which does not pass."""
    return comparison.get("exit_status") == 2


def control_text(comparison: dict) -> str:
    return comparison.get("control", {}).get("summary", "")


MARKDOWN_HEAD = "| verdict | change | 95 % interval | base | new | case |\n|---|--:|---|--:|--:|---|\n"


def markdown_row(case: dict) -> str:
    mark = "**" if case["fails"] else ""
    cells = [f"{mark}{case['verdict']}{mark}"]
    if time := case.get("time"):
        cells += [f"{percent(time['ratio'])} %", interval_text(time)]
        cells += [seconds_text(time["base"]), seconds_text(time["new"])]
    else:
        cells += [""] * 4
    remarks = f"<br>{in_cell(in_markdown(case['remarks']))}" if "remarks" in case else ""
    return "| " + " | ".join([*cells, f"{in_cell(code_span(case['label']))}{remarks}"]) + " |\n"


def markdown(comparison: dict) -> str:
    """Returns a comment for a change: relevant cases first, the others folded."""
    first = "".join(markdown_row(case) for case in comparison["cases"] if is_worth_reading(case))
    rest = [markdown_row(case) for case in comparison["cases"] if not is_worth_reading(case)]
    parts = [f"### cfdmark: {comparison['conclusion']}"]
    parts.append(f"{code_span(comparison['new'])} against the base {code_span(comparison['base'])}")
    if first:
        parts.append((MARKDOWN_HEAD + first).rstrip("\n"))
    if rest:
        summary = f"<details><summary>{len(rest)} cases without a change</summary>"
        parts += [summary, MARKDOWN_HEAD + "".join(rest) + "\n</details>"]
    if control := control_text(comparison):
        parts.append(control)
    parts += [f"> **warning:** {in_markdown(warning)}" for warning in comparison["warnings"]]
    return "\n\n".join(parts) + "\n"


def without_control(text: str) -> str:
    """Removes control characters and halves of surrogate pairs, which XML cannot hold."""
    return printable(re.sub(r"[\x00-\x1f]", " ", text))


def junit_message(case: dict) -> str:
    summary = " ".join(filter(None, [case["verdict"], change_text(case)]))
    return without_control(": ".join(filter(None, [summary, case.get("remarks")])))


def decimal(seconds: float) -> str:
    """Formats without an exponent, which the schema does not allow."""
    return f"{seconds:.12f}".rstrip("0").rstrip(".")


def new_seconds(case: dict) -> float:
    return case.get("time", {}).get("new", 0)


def junit_case(case: dict) -> str:
    message = junit_message(case)
    inside = ""
    if case["fails"]:
        inside = f"<failure type={quoteattr(case['verdict'])} message={quoteattr(message)}/>"
    elif case["verdict"] in ("undecided", "not run"):
        inside = f"<skipped message={quoteattr(message)}/>"
    name, seconds = quoteattr(without_control(case["case"])), decimal(new_seconds(case))
    return f'    <testcase classname="cfdmark" name={name} time="{seconds}">{inside}</testcase>\n'


def junit_nothing(comparison: dict) -> str:
    """Returns an error of its own if nothing was compared: a suite whose cases are all skipped counts as
    passed."""
    message = quoteattr(without_control(comparison["conclusion"]))
    error = f'<error type="nothing compared" message={message}/>'
    return f'    <testcase classname="cfdmark" name="comparison" time="0">{error}</testcase>\n'


def junit_attributes(comparison: dict) -> dict[str, object]:
    """Returns all attributes that the schemas require. Timestamps have no zone and are UTC; a suite's time
    has three decimals."""
    cases, nothing = comparison["cases"], says_nothing(comparison)
    time = comparison.get("time", "").removesuffix("Z")
    if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d", time):
        time = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%S")
    return {
        "name": "cfdmark compare",
        "package": "cfdmark",
        "id": 0,
        "tests": len(cases) + nothing,
        "failures": sum(case["fails"] for case in cases),
        "skipped": sum(case["verdict"] in ("undecided", "not run") and not case["fails"] for case in cases),
        "errors": int(nothing),
        "time": f"{sum(map(new_seconds, cases)):.3f}",
        "timestamp": time,
        "hostname": comparison.get("host") or "localhost",
    }


def junit(comparison: dict) -> str:
    """Returns one test case for each case. A case that fails is a failure; an undecided one is skipped,
    unless it fails. The suite's output has the changes of cases that pass, for which the schema has no
    place."""
    summary = [comparison["conclusion"], control_text(comparison)]
    summary += [f"warning: {warning}" for warning in comparison["warnings"]]
    summary += [f"{c['case']}: {junit_message(c)}" for c in comparison["cases"] if is_worth_reading(c) and not c["fails"]]
    output = "".join(f"{escape(without_control(line))}\n" for line in summary if line)
    attributes = " ".join(f"{key}={quoteattr(str(value))}" for key, value in junit_attributes(comparison).items())
    cases = "".join(map(junit_case, comparison["cases"])) + (junit_nothing(comparison) if says_nothing(comparison) else "")
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>\n<testsuites>\n  <testsuite {attributes}>\n    <properties/>\n{cases}'
        f"    <system-out>{output}</system-out>\n    <system-err/>\n  </testsuite>\n</testsuites>\n"
    )


LINE_ENDS = "%\n\r"


def annotation(level: str, title: str, message: str) -> str:
    """Returns a workflow command, which is one line; its title has no : or comma."""

    def safe(text: str, letters: str) -> str:
        return re.sub(f"[{letters}]", lambda letter: f"%{ord(letter[0]):02X}", text)

    return f"::{level} title={safe(title, LINE_ENDS + ':,')}::{safe(message, LINE_ENDS)}\n"


def github_case(case: dict) -> str:
    level = "error" if case["fails"] else "warning" if case["verdict"] == "undecided" else "notice"
    first = ": ".join(filter(None, [case["label"], change_text(case)]))
    message = "\n".join(filter(None, [first, case.get("remarks")]))
    return annotation(level, f"cfdmark: {case['verdict']}", message)


def github(comparison: dict) -> str:
    """Returns workflow commands that GitHub shows at a change: error, warning and notice lines."""
    text = "".join(github_case(case) for case in comparison["cases"] if is_worth_reading(case))
    text += "".join(annotation("warning", "cfdmark", warning) for warning in comparison["warnings"])
    summary = "\n".join(filter(None, [comparison["conclusion"], control_text(comparison)]))
    return text + annotation("error" if says_nothing(comparison) else "notice", "cfdmark", summary)

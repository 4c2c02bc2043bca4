"""The review, tables 2 and 3: vortices and velocities of the lid-driven cavity compared with reference data.
"""

from __future__ import annotations

from cfdmark.records.records import Record
from cfdmark.report.model import COUNT, Column, Table
from cfdmark.stats.quantity import Quantity
from cfdmark.text.wording import grid_text, listed

from ..comparison import Comparison, Line, or_none
from ..measured import Absent
from ..measure_parts import row
from ..measures import SIDES
from ..verdict import AGREES, DIFFERS, not_comparable, within

AS_LARGE = 1.03  # factor beyond the uncertainty of a reference
QUANTITIES = {
    "vortex_x": "x of the primary vortex",
    "vortex_y": "y of the primary vortex",
    "vortex_psi": "stream function of the primary vortex",
    "right_eddy_x": "x of the eddy in the lower right corner",
    "right_eddy_y": "y of the eddy in the lower right corner",
    "right_eddy_psi": "stream function of the eddy in the lower right corner",
    "left_eddy_x": "x of the eddy in the lower left corner",
    "left_eddy_y": "y of the eddy in the lower left corner",
    "u_min": "least u on the vertical centreline",
    "v_max": "largest v on the horizontal centreline",
    "v_min": "least v on the horizontal centreline",
}
PRIMARY = {
    "vortex_x": "x",
    "vortex_y": "y",
    "vortex_psi": "psi",
    "u_min": "least u",
    "v_max": "largest v",
    "v_min": "least v",
    "profile_difference": "profiles off by",
}
EDDIES = {f"{side}_eddy_{of}": f"{side}, {of}" for side in ("right", "left") for of in ("x", "y", "psi")}


def reynolds_of(record: Record) -> float:
    return float(record.section("workload")["reynolds"])


def line(
    comparison: Comparison, source: str, reynolds: float, name: str, value: float, uncertainty: float
) -> Line:
    """Returns the largest measured grid compared with the reference, without signs."""
    what = f"Re {reynolds:,.0f}: {QUANTITIES[name]} ({source})"
    size = abs(value)
    expected = Quantity(size, size - uncertainty, size + uncertainty)
    try:
        record = comparison.measured.by_grid(name="projection", reynolds=reynolds)[-1]
        found = record.number("solver", name)
        if found is None:
            raise Absent(f"the flow at {grid_text(record)} shows none")
    except Absent as reason:
        return Line(what, "", expected, None, None, not_comparable(str(reason)))
    if found * value < 0:
        return Line(what, "", expected, None, None, not_comparable(f"of the other sign at {grid_text(record)}"))
    here = Quantity(abs(found))
    return Line(what, "", expected, here, None, within(here, expected, AS_LARGE), row(record))


def sentence(lines: list[Line], finest: str) -> str:
    agree = [x for x in lines if x.verdict.word == AGREES]
    differ = [x.what for x in lines if x.verdict.word == DIFFERS]
    summary = f" It differs in {listed(differ)}." if differ else ""
    return (
        f"On the finest mesh that was run, {finest}, the flow agrees with the reference data in {len(agree)} of "
        f"{len(agree) + len(differ)} values.{summary} Its error is of second order in the mesh's width: a small eddy needs "
        "a finer mesh than the vortex does."
    )


AHEAD = [
    Column("reynolds", "Re", COUNT, of=reynolds_of),
    Column("grid", "grid", of=grid_text),
    Column("side", "on", of=lambda r: SIDES[r.backend]),
]


def column(name: str, head: str) -> Column:
    """Returns the column of a value of the answer."""
    form = ".3e" if name.endswith("eddy_psi") else ".4f"

    def text(record: Record) -> str | None:
        value = record.number("solver", name)
        return None if value is None else f"{value:{form}}"

    return Column(name, head, of=text)


def table(key: str, title: str, columns: dict[str, str], records: list[Record]) -> Table:
    return Table.of(key, title, [*AHEAD, *(column(name, head) for name, head in columns.items())], records)


def add(comparison: Comparison) -> None:
    reference = comparison.document.data.table("reference")
    columns = [reference.column(name) for name in ("source", "reynolds", "quantity", "value", "uncertainty")]
    judged = [
        line(comparison, source, float(reynolds), name, float(value), float(uncertainty))
        for source, reynolds, name, value, uncertainty in zip(*columns)
    ]
    comparison.lines += judged
    found = or_none(lambda: comparison.measured.all(name="projection")) or []
    found = sorted((r for r in found if r.has_numbers("reynolds")), key=lambda r: (reynolds_of(r), r.nodes, r.backend))
    if not found:
        return
    comparison.why.append(sentence(judged, grid_text(max(found, key=lambda r: r.nodes))))
    comparison.tables += [
        table("primary", "Primary vortex, and extrema on the centrelines", PRIMARY, found),
        table("eddies", "Eddies in the lower corners", EDDIES, found),
    ]

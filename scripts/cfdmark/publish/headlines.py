"""Headlines of a device: its best numbers, each with the record that proves it."""

from __future__ import annotations

from collections.abc import Iterable
from statistics import median

from cfdmark.records.machine import gpus
from cfdmark.records.records import Record, is_clean
from cfdmark.records.select import fastest
from cfdmark.report.sections import accuracy
from cfdmark.report.sections.context import Context
from cfdmark.stats.statistics import speedup_text, times_faster
from cfdmark.text.numbers import digits, quantity_with_unit, short_count
from cfdmark.text.wording import grid_text, plural, row_text

from .certainty import basis, provenance

RELAXATIONS = ("jacobi", "red_black_sor")
SMALL = 256 * 256  # cells of a small grid, where launches take longer than memory


def solve_headlines(context: Context) -> list[str]:
    """Returns the largest solve of Poisson's equation in each number of dimensions, against another solver."""
    groups = [g for g in accuracy.telling(accuracy.equals(context)) if g[0].problem == "manufactured"]
    return [
        f"{short_count(group[0].nodes)} unknowns: {accuracy.sentence(context, group)[:-1]} ({proofs(group)})."
        for group in sorted(groups, key=lambda g: -g[0].nodes)
    ]


def proofs(group: list[Record]) -> str:
    found = [r for r in accuracy.rivals(group) if r]
    if len({(r.file, r.written) for r in found}) == 1:
        return " and ".join([*map(basis, found[:-1]), provenance(found[-1])])
    return "; ".join(map(provenance, found))


def relaxation_headline(records: list[Record], name: str) -> list[str]:
    """Returns the rate of the fastest method of a relaxation on the largest grid, against one launch a sweep."""
    rows = [r for r in records if (r.kind, r.name, r.precision, r.dims, r.problem) == ("kernel", name, "fp64", 2, "")]
    largest = [r for r in rows if r.nodes == max(r.nodes for r in rows)]
    plain = [r for r in largest if r.method == "plain" and r.backend == fastest(largest).backend]
    best = fastest(largest) if largest else None
    if not best or not plain or best.method == "plain":
        return []
    lead = speedup_text(times_faster(best, fastest(plain)), row_text(fastest(plain)))
    rate = best.iteration_time.per_second(best.nodes)
    checked = ", every bit equal to a loop over the cells" if "every bit" in (best.text("verification", "check") or "") else ""
    return [
        f"{name} at {grid_text(best)} in fp64: {digits(rate.value / 1e9)} billion updates a second on"
        f" {row_text(best)}, {lead}{checked} ({provenance(best)})."
    ]


def small_cg_headline(records: list[Record]) -> list[str]:
    """Returns the time of an iteration of CG on a small grid."""
    rows = [r for r in records if (r.kind, r.name, r.precision, r.nodes) == ("solver", "cg", "fp64", SMALL)]
    if not rows or fastest(rows).launches is None:
        return []
    best = fastest(rows)
    launches = ", all iterations in one launch" if best.method == "persistent" else ""
    time = quantity_with_unit(best.iteration_time, "seconds")
    return [f"cg at {grid_text(best)} in fp64: {time} an iteration on {row_text(best)}{launches} ({provenance(best)})."]


def ceiling_headline(environments: Iterable[dict]) -> list[str]:
    """Returns the bandwidth of triad in fp64 on the GPUs of a device's records, and how far they are apart."""
    newest: dict[str, tuple[str, float]] = {}  # by GPU
    for environment in filter(is_clean, environments):
        for roof in environment.get("roofs", []):
            if (roof.get("backend"), roof.get("precision"), roof.get("kernel")) != ("cuda", "fp64", "triad") or "unsound" in roof:
                continue
            gpu, time = next((g.get("identity", "") for g in gpus(environment)), ""), str(environment.get("time"))
            newest[gpu] = max(newest.get(gpu, ("", 0.0)), (time, roof["bytes_per_second"]))
    found = [value for gpu, (_, value) in newest.items() if gpu]
    if not found:
        return []
    middle = median(found)
    spread = (max(found) - min(found)) / middle
    apart = f", the lowest and the highest {100 * spread:.1f} % apart" if len(found) > 1 else ""
    return [f"Triad in fp64 reaches {middle / 1e9:,.0f} GB/s, the median of {plural(len(found), 'GPU')}{apart}."]


def headlines(context: Context) -> list[str]:
    """Returns a sentence for each headline that the current records of a device prove."""
    records = context.dataset.ok()
    kernels = [text for name in RELAXATIONS for text in relaxation_headline(records, name)]
    return [
        *solve_headlines(context),
        *kernels,
        *small_cg_headline(records),
        *ceiling_headline(context.dataset.environments.values()),
    ]

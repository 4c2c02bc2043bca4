"""Links between ranks: what a message and a sum cost."""

from __future__ import annotations

from dataclasses import replace

from cfdmark.records.rank_links import LONG, SHORT, Links, links_of, message_bytes, time_of_message
from cfdmark.stats.quantity import Quantity
from cfdmark.text.numbers import brackets, with_unit
from cfdmark.text.wording import plural

from .. import lines
from ..model import COUNT, Axis, Column, Figure, LinePanel, Point, Section, Series, Table
from .context import Context

BYTES, TIME = Axis("bytes of a message", "nodes"), Axis("time of a message", "seconds")
NOTE = (
    "Latency: the time of a message without bytes, by the line of Theil and Sen through messages of up to 64 KiB. Bandwidth of a"
    " rank, while all send: by the line through messages from 4 MiB on. Fewer than three sizes give neither. Intervals: 95 % of"
    " resampled points. A sum adds the numbers of all rows on every rank in the order of the domain; its cost is that of a sum"
    " without numbers, and of each byte of all numbers; between devices that of its messages alone. In an exchange each rank of slabs sends two messages."
)


def label(links: Links) -> str:
    return plural(links.ranks, "rank") if links.way == "memory" else f"{links.way}, {plural(links.ranks, 'rank')}"


def table(found: list[tuple[str, Links]]) -> Table:
    columns = [
        Column("where", "on", of=lambda e: e[0]),
        Column("way", "way", of=lambda e: e[1].way),
        Column("joined_by", "joined by", of=lambda e: e[1].joined_by),
        Column("ranks", "ranks", COUNT, of=lambda e: e[1].ranks),
        Column("latency", "latency of a message", "seconds", "brackets", of=lambda e: e[1].alpha),
        Column("bandwidth", "bandwidth of a rank", "bytes_per_second", "brackets", of=lambda e: e[1].beta),
        Column("sum", "a sum without numbers", "seconds", "brackets", of=lambda e: e[1].sum_alpha),
        Column("sum_bandwidth", "bytes of sums", "bytes_per_second", "brackets", of=lambda e: added_bytes(e[1])),
    ]
    return Table.of("rank-links", "Costs of messages and sums between ranks", columns, found)


def added_bytes(links: Links) -> Quantity | None:
    per_byte = links.sum_per_byte
    return per_byte.per_second(1.0) if per_byte and per_byte.value > 0 else None


def measured(n: int, links: Links) -> Series:
    timed = sorted(((message_bytes(r), time_of_message(r)) for r in links.halos if time_of_message(r)), key=lambda p: p[0])
    points = [Point(size, time, f"{label(links)}: {size:.0f} B in {with_unit(time.value, 'seconds')}") for size, time in timed]
    return Series(label(links), f"part:{n % 8}", points)


def fitted(n: int, links: Links) -> list[Series]:
    """Returns the line latency + bytes / bandwidth over the measured sizes."""
    if not (links.alpha and links.beta):
        return []
    sizes = sorted({size for size, _ in links.messages})
    points = [Point(size, Quantity(links.time_of_messages(1, size))) for size in sizes]
    return [Series("fit", f"part:{n % 8}", points, "dashed", markers=False)]


def figure(found: list[tuple[str, Links]]) -> list[Figure]:
    panels = []
    for where in dict.fromkeys(where for where, _ in found):
        here = [links for at, links in found if at == where and links.messages]
        series = [s for n, links in enumerate(here) for s in (measured(n, links), *fitted(n, links))]
        if series:
            panels.append(LinePanel(f"messages{f', {where}' if where else ''}", BYTES, TIME, series))
    note = "Both axes are logarithmic. Bars: 95 % intervals. The broken line: latency + bytes / bandwidth, of the table."
    return lines.figure("rank-links", "Time of a message against its bytes", panels, note)


def finding(found: list[tuple[str, Links]]) -> str:
    known = [links for _, links in found if links.alpha]
    if not known:
        return f"No link has messages of three sizes up to {SHORT // 1024} KiB."
    fewest = min(known, key=lambda links: links.ranks)
    rate = f", its long ones run at {brackets(fewest.beta.scaled(1e-9))} GB/s" if fewest.beta else ""
    missing = "" if fewest.beta else f" A bandwidth needs three sizes from {LONG >> 20} MiB on."
    return f"A message between {plural(fewest.ranks, 'rank')} joined by {fewest.joined_by} takes {brackets(fewest.alpha.scaled(1e6))} µs{rate}.{missing}"


def build(context: Context) -> Section:
    section = Section("rank-links", "Links between ranks")
    found = [(context.dataset.machine_label((links.halos + links.sums)[0]), links) for links in links_of(context.dataset).values()]
    found.sort(key=lambda e: (e[0], e[1].joined_by, e[1].ranks))
    if not found:
        return replace(section, empty="No kernel `halo` or `sum_over_ranks` ran on several ranks.")
    section.finding = finding(found)
    section.figures = figure(found)
    section.tables = [table(found)]
    section.note = NOTE
    return section

"""One self-contained HTML page: tables, inline SVG and CSS, nothing from the network."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import jinja2
from markupsafe import Markup, escape

from cfdmark.records.machine import part
from cfdmark.records.records import Dataset
from cfdmark.stats.quantity import Quantity
from cfdmark.text.printable import printable
from cfdmark.text.wording import from_to, listed, plural

from ..drawing import draw, marker_svg, with_shared_y
from ..drawing.legend import GREY, colours_of, methods_of
from ..drawing.theme import rules, themed, variable
from ..model import VERDICT_WORDS, Figure, LabelledNumber, LinePanel, Section
from ..palette import Palette
from .cells import Sheet, compact, sheet
from .script import notice, page_script, policy
from .words import words_of

TEMPLATES = Path(__file__).resolve().parent.parent / "templates"
LONG_WORD = 15  # letters
LONG_TABLE = 18  # rows; longer tables scroll in their own box
WORDS_PAGE = "words.html"
LONG_TEXT = 28  # letters; longer texts get a wide column


def entry(kind: str, label: str, colour: str = "", mark: str = "") -> dict:
    """Returns an entry of a legend. `kind` and `label` select dots or lines by their data attributes."""
    return {"kind": kind, "label": label, "colour": colour, "mark": mark}


def legend(figure: Figure, palette: Palette) -> list[dict]:
    """Returns the legend of strips, rooflines and bars: their colours, and markers of methods."""
    entries = [entry("line", label, variable(palette.colour(c))) for label, c in colours_of(figure.panels).items()]
    marks = {m: themed(marker_svg(palette.marker(m), GREY), palette.hues) for m in methods_of(figure.panels)}
    return entries + [entry("method", m, mark=mark) for m, mark in marks.items()]


def switches(figure: Figure, palette: Palette) -> list[dict]:
    """Returns the switches that hide lines. Lines carry their names, so only a page with scripts shows these.
    """
    lines = [s for p in figure.panels if isinstance(p, LinePanel) for s in p.series]
    colours = {s.label: s.colour for s in reversed(lines)}
    named = [entry("line", s, variable(palette.colour(colours[s]))) for s in dict.fromkeys(s.label for s in lines)]
    return named if len(named) > 1 else []


def figure_view(figure: Figure, palette: Palette) -> dict:
    panels = with_shared_y(figure).panels
    drawn = [draw(panel, palette, f"{figure.key}{i}") for i, panel in enumerate(panels)]
    return {
        **vars(figure),
        "panels": [themed(svg, palette.hues) for svg in drawn],
        "legend": legend(figure, palette),
        "switches": switches(figure, palette),
    }


def sort_value(cell) -> str:
    """Returns the value that a script sorts by; empty for a text."""
    value = cell.value if isinstance(cell, (Quantity, LabelledNumber)) else cell
    return f"{value:.6g}" if isinstance(value, (int, float)) else ""


def column_kind(page: Sheet, index: int) -> str:
    """Returns the style of a column: of numbers, of names of cases, of long texts, or none."""
    if page.numeric[index]:
        return "n"
    if page.keep_end[index]:
        return "name"
    return "prose" if any(len(row[index]) > LONG_TEXT for row in page.rows) else ""


def table_view(table) -> dict:
    table = compact(table)
    page = sheet(table)
    kinds = [column_kind(page, index) for index in range(len(page.heads))]
    rows = [
        list(zip(texts, kinds, [getattr(cell, "target", "") for cell in cells], map(sort_value, cells)))
        for texts, cells in zip(page.rows, table.rows)
    ]
    return {
        **vars(table),
        "collapsed": table.collapsed or table.folded,
        "heads": list(zip(page.heads, kinds)),
        "rows": rows,
        "long": len(rows) > LONG_TABLE,
    }


def card_groups(section: Section, palette: Palette) -> list[list[dict]]:
    """Returns the wide cards, then the others."""
    views = [{**vars(card), "hue": variable(palette.colour(card.colour))} for card in section.cards]
    return [group for wide in (True, False) if (group := [v for v in views if v["wide"] is wide])]


def section_view(section: Section, palette: Palette) -> dict:
    return {
        **vars(section),
        "card_groups": card_groups(section, palette),
        "figures": [figure_view(f, palette) for f in section.figures],
        "tables": [table_view(t) for t in section.tables],
    }


def summary(dataset: Dataset) -> str:
    """Returns the line below the title: machine, date, size of the run."""
    named = {r.environment for r in dataset.records}
    used = [e for key, e in dataset.environments.items() if key in named]
    processors = dict.fromkeys(str(part(e, "host").get("cpu", "")) for e in used)
    devices = dict.fromkeys(str(part(e, "gpu").get("name", "")) for e in used)
    dates = sorted({str(e.get("time", ""))[:10] for e in used} - {""})
    measured = len(dataset.ok())
    facts = [
        listed([p for p in processors if p]),
        listed([d for d in devices if d]),
        from_to(dates),
        f"{plural(measured, 'case')} measured, {len(dataset.records) - measured} without a time",
    ]
    return " · ".join(fact for fact in facts if fact)


def unbroken(text: str) -> str:
    """Keeps a number, its interval or uncertainty, and its unit on one line."""
    text = re.sub(r"(?<=\d) \[[^\[\]]*\]", lambda interval: interval.group().replace(" ", "\u00a0"), text)
    return re.sub(r"(?<=[\d\]]) (?=±|[nµm]?s\b|[kMG]?B\b|GB/s|[nµm]?J\b|%)|(?<=±) ", "\u00a0", text)


def breakable(text: str) -> Markup:
    """Lets a long word break after punctuation, so that a table of names fits the page. A date stays whole.
    """
    if re.fullmatch(r"\d{4}-\d\d-\d\d", str(text)):
        return Markup(f'<span class="whole">{text}</span>')

    def broken(word: re.Match) -> str:
        return re.sub(r"(?<=\w)([/_,;@])(?=\w)", r"\1<wbr>", word.group())

    return Markup(re.sub(rf"\S{{{LONG_WORD},}}", broken, str(escape(text))))


@dataclass(frozen=True)
class Page:
    """The parts of a page around its sections."""

    title: str
    summary: str  # one line under the title
    footer: str  # explains the numbers and names their files
    warnings: list[str]  # lines of the files that could not be used
    palette: Palette
    home: str = ""  # the site's index, if the page belongs to a site

    @property
    def all_words(self) -> str:
        """Path of the site's page of words (publish/words_page.py), next to the index."""
        return self.home.removesuffix("index.html") + WORDS_PAGE


FOOTER = (
    "Times are medians; intervals hold the true median in 95 of 100 runs like this one. k, M, G are powers of"
    " 1000; GLUP/s are 10⁹ cell updates a second. Made by cfdmark"
)


def render_page(sections: list[Section], page: Page) -> str:
    loader = jinja2.FileSystemLoader(TEMPLATES)
    environment = jinja2.Environment(loader=loader, autoescape=True, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"unbroken": unbroken, "breakable": breakable}
    views = [section_view(s, page.palette) for s in sections]
    style, script = (TEMPLATES / "report.css").read_text(encoding="utf-8"), page_script()
    return environment.get_template("report.html.j2").render(
        page=page,
        script=script,
        policy=policy(script),
        notice=notice(script),
        style=f"{style}{rules(page.palette.hues)}",
        sections=views,
        words=words_of(sections, page),
        badges=VERDICT_WORDS,
    )


def render(sections: list[Section], title: str, dataset: Dataset, subtitle: str = "", home: str = "") -> str:
    """Returns the page. The line below the title is `subtitle` or a summary of the records."""
    files = ", ".join(printable(path.name) for path in dataset.files)
    footer = f"{FOOTER} from {files}." if files else f"{FOOTER}."
    above = subtitle or summary(dataset)
    return render_page(sections, Page(title, above, footer, dataset.warnings, Palette(dataset), home))

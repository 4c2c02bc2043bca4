"""Reads the contents of `here` (results/published/README.md) and reports errors with their line."""

from __future__ import annotations

import re
from pathlib import Path

from cfdmark.places import REPRODUCE_SWEEPS
from cfdmark.published.model import Experiment
from cfdmark.published.nodes import Value as Node
from cfdmark.published.nodes import suggestion
from cfdmark.stats.quantity import Quantity
from cfdmark.text.wording import PLACES

from . import expressions
from .measured import CORES
from .measures import NUMBERS, SIDES, TEXTS, Measure, row_count
from .plan import Condition, Curve, Drawing, Finding, Level, Panel, Plan, Sentence, Tabulation
from .rows import Row
from .verdict import SAME_SIZE, TESTS

CODE = sorted(path.stem for path in (Path(__file__).parent / "experiments").glob("[a-z]*.py"))
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
OPTIONAL = ["transfers", "operations", "reduction", "grid", "why", "tables", "figures", "code", "measured_with"]
SUBJECT = ["like", "kernel", "solver", "backend"]
WORDS = ["precision", "operator", "problem"]
DIFFERING = ["methods", *WORDS, "grid", "regime", "settings"]  # may differ on one backend
FINDING = ["here", "order", "fair", "published", "test", "factor", "obstacle", "unit", "each"]


def read_plan(page: Node, document: Experiment) -> Plan:
    """Returns the plan. Raises BadFile, whose text names file, line and fix."""
    return Reader(document).plan(page)


def sides_of(entries: dict[str, Node]) -> list[str]:
    if "each" not in entries:
        return [""]
    node = entries["each"]
    if node.node.value == "side":
        return list(SIDES)
    return [item.one_of("an entry of each", list(SIDES)) for item in node.items("each")]


def text_in(entries: dict[str, Node], key: str, otherwise: str = "") -> str:
    return entries[key].text(key) if key in entries else otherwise


def number_in(entries: dict[str, Node], key: str, otherwise: float | None = None) -> float | None:
    return float(entries[key].number(key, "1")) if key in entries else otherwise


def grid_from(node: Node) -> tuple[int, ...]:
    said = node.text("grid")
    if not re.fullmatch(r"\d+(x\d+){1,2}", said):
        node.fail(f"grid is '{said}'; it is sides with x between: 2048x2048")
    return tuple(map(int, said.split("x")))


def one_or_list(node: Node, what: str) -> tuple[str, ...]:
    if isinstance(node.node.value, str):
        return (node.text(what),)
    return tuple(item.text(f"an entry of {what}") for item in node.items(what))


def scalar(node: Node, what: str):
    """Returns a value in the form of a record's config."""
    if not node.is_number():
        return node.text(what)
    value = float(node.number(what, "1"))
    return int(value) if value.is_integer() else value


class Reader:
    def __init__(self, document: Experiment):
        self.document = document
        self.rows: dict[str, Row] = {}

    def plan(self, page: Node) -> Plan:
        entries = page.entries("here", ["protocol", "rows", "findings"], OPTIONAL)
        self.read_rows(entries["rows"])
        made = Plan(
            protocol=[item.text("an entry of protocol") for item in entries["protocol"].items("protocol")],
            rows=self.rows,
            findings=self.several(entries, "findings", self.finding),
            why=self.several(entries, "why", self.sentence),
            tables=self.several(entries, "tables", self.table),
            figures=self.several(entries, "figures", self.figure),
            transfers=text_in(entries, "transfers"),
            operations=number_in(entries, "operations"),
            reduction=number_in(entries, "reduction"),
            grid=grid_from(entries["grid"]) if "grid" in entries else (),
            code=text_in(entries, "code"),
            measured_with=self.others(entries["measured_with"]) if "measured_with" in entries else (),
        )
        if made.code and made.code not in CODE:
            entries["code"].fail(f"there is no module '{made.code}'{suggestion(made.code, CODE)}")
        if not made.findings and not made.code:
            entries["findings"].fail("there is no finding; the first is the one that the experiment is about")
        return made

    @staticmethod
    def others(node: Node) -> tuple[str, ...]:
        known = sorted(path.stem for path in REPRODUCE_SWEEPS.glob("*.yaml"))
        return tuple(item.one_of("an entry of measured_with", known) for item in node.items("measured_with"))

    @staticmethod
    def several(entries: dict[str, Node], key: str, read) -> list:
        return [read(item) for item in entries[key].items(key)] if key in entries else []

    # Rows

    def read_rows(self, node: Node) -> None:
        for name, item in node.mapping("rows"):
            if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
                item.fail(f"the row '{name}' needs a name of small letters, digits and _")
            self.rows[name] = self.row(name, item)

    def row(self, name: str, node: Node) -> Row:
        entries = node.entries(f"row '{name}'", [], [*SUBJECT, *DIFFERING, *SIDES])
        like = self.rows[self.row_name(entries["like"])] if "like" in entries else Row({})
        made = Row({**like.wanted, **self.wanted(entries)}, dict(like.by_backend))
        for backend in SIDES:
            if backend in entries:
                what = f"what differs on {backend}"
                made.by_backend[backend] = self.wanted(entries[backend].entries(what, [], DIFFERING))
        if not {"name", "kind"} <= set(made.wanted):
            node.fail(f"row '{name}' names neither a kernel nor a solver, nor a row that it is like")
        return made

    def wanted(self, entries: dict[str, Node]) -> dict:
        made: dict = {}
        for kind in ("kernel", "solver"):
            if kind in entries:
                made |= {"kind": kind, "name": entries[kind].text(kind)}
        if "backend" in entries:
            backend = entries["backend"].one_of("backend", [*SIDES, "cores"])
            made |= CORES if backend == "cores" else {"backend": backend}
        if "methods" in entries:
            methods = one_or_list(entries["methods"], "methods")
            made["method"] = methods if len(methods) > 1 else methods[0]
        made |= {word: entries[word].text(word) for word in WORDS if word in entries}
        if "regime" in entries:
            made["regime"] = entries["regime"].one_of("regime", list(PLACES))
        if "grid" in entries:
            made["grid"] = grid_from(entries["grid"])
        for setting, value in entries["settings"].mapping("settings") if "settings" in entries else []:
            made[setting] = scalar(value, setting)
        return made

    def row_name(self, node: Node) -> str:
        name = node.text("a row")
        if name not in self.rows:
            node.fail(f"there is no row '{name}'{suggestion(name, list(self.rows))}")
        return name

    # Measures and published values

    def measure(self, node: Node, said: str, texts: bool = False, this: bool = False) -> Measure:
        word, *rows = said.split()
        known = [*NUMBERS, *TEXTS] if texts else list(NUMBERS)
        if word not in known:
            node.fail(f"'{said}' begins with no measure{suggestion(word, known)}")
        if len(rows) != row_count(word):
            node.fail(f"'{said}' has {len(rows)} rows where '{word}' is about {row_count(word)}")
        for name in rows:
            if name not in self.rows and not (this and name == "this"):
                node.fail(f"'{said}' names the row '{name}', which is unknown{suggestion(name, list(self.rows))}")
        return Measure(word, tuple(rows))

    def measure_in(self, entries: dict[str, Node], key: str) -> Measure | None:
        return self.measure(entries[key], entries[key].text(key)) if key in entries else None

    def published(self, node: Node) -> Quantity:
        """A formula, or a number alone."""
        said = node.node.value if node.is_number() else node.text("a formula of published values")
        try:
            return expressions.published(said, self.document)
        except expressions.BadExpression as problem:
            node.fail(str(problem))

    def condition(self, node: Node) -> Condition:
        said = node.text("if")
        parts = re.fullmatch(r"(.*) ([<>]) (.*)", said)
        if not parts:
            node.fail(f"if is '{said}'; it is a measure, < or >, and a published value: faster a b < 1.5")
        try:
            bound = expressions.value(parts[3], self.document)
        except expressions.BadExpression as problem:
            node.fail(str(problem))
        return Condition(self.measure(node, parts[1]), parts[2] == ">", bound)

    # Contents of a page

    def finding(self, node: Node) -> Finding:
        entries = node.entries("a finding", ["what"], FINDING)
        here, fair = self.measure_in(entries, "here"), self.measure_in(entries, "fair")
        order = entries["order"].mapping("order") if "order" in entries else []
        if sum((bool(here), bool(order))) != 1 and "obstacle" not in entries:
            node.fail(
                "a finding has either 'here', a measure, or 'order', measures of which each is smaller than the "
                "next; or an 'obstacle'"
            )
        if "test" in entries and "obstacle" in entries:
            entries["test"].fail("a finding has a 'test' or an 'obstacle', not both")
        test = entries["test"].one_of("test", list(TESTS)) if "test" in entries else "ratio"
        published = self.published(entries["published"]) if "published" in entries else None
        if test == "size" and published is None:
            entries["test"].fail("the test 'size' needs a published value")
        ordered = {label: self.measure(item, item.text("a measure")) for label, item in order}
        unit = here.unit if here else "times"
        if here and test == "ratio" and "obstacle" not in entries and here.kind != "ratio":
            others = ", ".join(t for t in TESTS if t != "ratio")
            node.fail(f"'{here.word}' is not a ratio, so its test is one of {others}")
        return Finding(
            entries["what"].text("what"),
            here,
            ordered,
            fair,
            published,
            test,
            number_in(entries, "factor", SAME_SIZE),
            text_in(entries, "obstacle"),
            text_in(entries, "unit", next((m.unit for m in ordered.values()), unit)),
            sides_of(entries),
        )

    def sentence(self, node: Node) -> Sentence:
        if isinstance(node.node.value, str):
            text, condition, each = node.text("a sentence"), None, [""]
        else:
            entries = node.entries("a sentence", ["say"], ["if", "each"])
            text, each = entries["say"].text("say"), sides_of(entries)
            condition = self.condition(entries["if"]) if "if" in entries else None
        asked = [p for p in PLACEHOLDER.findall(text) if p != "side"]
        return Sentence(text, {p: self.measure(node, p, texts=True) for p in asked}, condition, each)

    def figure(self, node: Node) -> Drawing:
        entries = node.entries("a figure", ["name", "caption", "panels"], ["note"])
        panels = self.several(entries, "panels", self.panel)
        name, caption = entries["name"].text("name"), entries["caption"].text("caption")
        return Drawing(name, caption, text_in(entries, "note"), panels)

    def panel(self, node: Node) -> Panel:
        entries = node.entries("a panel", ["title", "y", "lines"], ["published", "reference", "each"])
        return Panel(
            entries["title"].text("title"),
            entries["y"].text("y"),
            self.several(entries, "lines", self.curve),
            self.several(entries, "published", self.level),
            number_in(entries, "reference"),
            sides_of(entries),
        )

    def curve(self, node: Node) -> Curve:
        entries = node.entries("a line", ["label", "colour", "of"])
        return Curve(
            entries["label"].text("label"), entries["colour"].text("colour"), self.measure_in(entries, "of")
        )

    def level(self, node: Node) -> Level:
        entries = node.entries("a published line", ["label", "colour", "at"], ["nodes", "note"])
        label, colour = entries["label"].text("label"), entries["colour"].text("colour")
        nodes = self.published(entries["nodes"]).value if "nodes" in entries else None
        return Level(label, colour, self.published(entries["at"]).value, nodes, text_in(entries, "note"))

    def table(self, node: Node) -> Tabulation:
        entries = node.entries("a table", ["name", "title", "columns"], ["grids", "records", "each"])
        if ("grids" in entries) == ("records" in entries):
            node.fail("a table has either 'grids', a row, or 'records', rows")
        return Tabulation(
            entries["name"].text("name"),
            entries["title"].text("title"),
            self.row_name(entries["grids"]) if "grids" in entries else "",
            self.several(entries, "records", self.row_name),
            self.several(entries, "columns", lambda item: self.column(item, "records" in entries)),
            sides_of(entries),
        )

    def column(self, node: Node, this: bool) -> tuple[str, Measure]:
        entries = node.entries("a column", ["head", "of"])
        return entries["head"].text("head"), self.measure(entries["of"], entries["of"].text("of"), this=this)

"""Reads the contents of `here` (results/published/README.md) and reports errors with their line."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path

from cfdmark.places import REPRODUCE_SWEEPS
from cfdmark.published.model import Experiment
from cfdmark.published.nodes import Value as Node
from cfdmark.published.nodes import Reader, every, made, one_of, suggestion
from cfdmark.stats.quantity import Quantity
from cfdmark.text.wording import PLACES

from . import expressions
from .measured import CORES
from .measures import NUMBERS, SIDES, TEXTS, Measure, row_count
from .plan import Condition, Curve, Drawing, Finding, Head, Level, Panel, Plan, Sentence, Tabulation
from .rows import Row
from .verdict import TESTS

CODE = sorted(path.stem for path in (Path(__file__).parent / "experiments").glob("[a-z]*.py"))
MESH = r"triangles-\d+x\d+(\+\d+)?(-seed\d+)?|tetrahedra-\d+x\d+x\d+(\+\d+)?(-seed\d+)?"
PLACEHOLDER = re.compile(r"\{([^{}]*)\}")
SUBJECT = ["like", "kernel", "solver", "backend"]
WORDS = ["precision", "operator", "problem", "numbering"]
MESHES = ["triangles", "tetrahedra"]
DIFFERING = ["methods", *WORDS, "grid", "mesh", "regime", "settings"]  # may differ on one backend


def read_plan(page: Node, document: Experiment) -> Plan:
    """Returns the plan. Raises BadFile, whose text names file, line and fix."""
    return PlanReader(document).plan(page)


def sides(node: Node, what: str) -> list[str]:
    if node.node.value == "side":
        return list(SIDES)
    return every(one_of(list(SIDES)))(node, what)


def plain_number(node: Node, what: str) -> float:
    return float(node.number(what, "1"))


def experiments(node: Node, what: str) -> tuple[str, ...]:
    return tuple(every(one_of(sorted(path.stem for path in REPRODUCE_SWEEPS.glob("*.yaml"))))(node, what))


def grid_from(node: Node, what: str) -> tuple:
    said = node.text(what)
    if re.fullmatch(MESH, said):
        return (said,)
    if not re.fullmatch(r"\d+(x\d+){1,2}", said):
        node.fail(f"grid is '{said}'; it is sides with x between, 2048x2048, or a mesh, triangles-178x178")
    return tuple(map(int, said.split("x")))


def one_or_list(node: Node, what: str) -> tuple[str, ...]:
    if isinstance(node.node.value, str):
        return (node.text(what),)
    return tuple(node.texts(what))


def scalar(node: Node, what: str):
    """Returns a value in the form of a record's config."""
    if not node.is_number():
        return node.text(what)
    value = float(node.number(what, "1"))
    return int(value) if value.is_integer() else value


class PlanReader:
    def __init__(self, document: Experiment):
        self.document = document
        self.rows: dict[str, Row] = {}
        # For the members of the plan, by their names or types.
        self.readers: dict[str, Reader] = {
            "str": Node.text,
            "list[str]": Node.texts,
            "float": plain_number,
            "float | None": plain_number,
            "Measure": self.measure,
            "Measure | None": self.measure,
            "Quantity | None": self.published,
            "dict[str, Row]": self.read_rows,
            "dict[str, Measure]": self.order,
            "list[Finding]": every(self.finding),
            "list[Sentence]": every(self.sentence),
            "list[Tabulation]": every(self.table),
            "list[Head]": every(self.column),
            "grid": grid_from,
            "code": one_of(CODE),
            "measured_with": experiments,
            "test": one_of(list(TESTS)),
            "each": sides,
            "at": self.published_value,
            "nodes": self.published_value,
            "grids": self.row_name,
            "records": every(self.row_name),
        }
        self.readers["list[Curve]"] = every(made("a line", Curve, self.readers))
        self.readers["list[Level]"] = every(made("a published line", Level, self.readers))
        self.readers["list[Panel]"] = every(made("a panel", Panel, self.readers))
        self.readers["list[Drawing]"] = every(made("a figure", Drawing, self.readers))

    def plan(self, page: Node) -> Plan:
        found = page.make("here", Plan, self.readers)
        if not found.findings and not found.code:
            page.fail("there is no finding; the first is the one that the experiment is about")
        return found

    # Rows

    def read_rows(self, node: Node, what: str) -> dict[str, Row]:
        for name, item in node.mapping(what):
            if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
                item.fail(f"the row '{name}' needs a name of small letters, digits and _")
            self.rows[name] = self.row(name, item)
        return self.rows

    def row(self, name: str, node: Node) -> Row:
        entries = node.entries(f"row '{name}'", [], [*SUBJECT, *DIFFERING, *SIDES])
        like = self.rows[self.row_name(entries["like"], "a row")] if "like" in entries else Row({})
        found = Row({**like.wanted, **self.wanted(entries)}, dict(like.by_backend))
        for backend in SIDES:
            if backend in entries:
                what = f"what differs on {backend}"
                found.by_backend[backend] = self.wanted(entries[backend].entries(what, [], DIFFERING))
        if not {"name", "kind"} <= set(found.wanted):
            node.fail(f"row '{name}' names neither a kernel nor a solver, nor a row that it is like")
        return found

    def wanted(self, entries: dict[str, Node]) -> dict:
        found: dict = {}
        for kind in ("kernel", "solver"):
            if kind in entries:
                found |= {"kind": kind, "name": entries[kind].text(kind)}
        if "backend" in entries:
            backend = entries["backend"].one_of("backend", [*SIDES, "cores"])
            found |= CORES if backend == "cores" else {"backend": backend}
        if "methods" in entries:
            methods = one_or_list(entries["methods"], "methods")
            found["method"] = methods if len(methods) > 1 else methods[0]
        found |= {word: entries[word].text(word) for word in WORDS if word in entries}
        if "regime" in entries:
            found["regime"] = entries["regime"].one_of("regime", list(PLACES))
        if "mesh" in entries:
            found["mesh_kind"] = entries["mesh"].one_of("mesh", MESHES)
        if "grid" in entries:
            found["grid"] = grid_from(entries["grid"], "grid")
        for setting, value in entries["settings"].mapping("settings") if "settings" in entries else []:
            found[setting] = scalar(value, setting)
        return found

    def row_name(self, node: Node, what: str) -> str:
        name = node.text(what)
        if name not in self.rows:
            node.fail(f"there is no row '{name}'{suggestion(name, list(self.rows))}")
        return name

    # Measures and published values

    def measure(self, node: Node, what: str) -> Measure:
        return self.measure_of(node, node.text(what), NUMBERS)

    def measure_of(self, node: Node, said: str, known: Collection[str], *rows_known: str) -> Measure:
        word, *rows = said.split()
        if word not in known:
            node.fail(f"'{said}' begins with no measure{suggestion(word, list(known))}")
        if len(rows) != row_count(word):
            node.fail(f"'{said}' has {len(rows)} rows where '{word}' is about {row_count(word)}")
        for name in rows:
            if name not in (*self.rows, *rows_known):
                node.fail(f"'{said}' names the row '{name}', which is unknown{suggestion(name, list(self.rows))}")
        return Measure(word, tuple(rows))

    def order(self, node: Node, what: str) -> dict[str, Measure]:
        return {label: self.measure(item, "a measure") for label, item in node.mapping(what)}

    def formula(self, node: Node, read: Callable, said: str):
        try:
            return read(said, self.document)
        except expressions.BadExpression as problem:
            node.fail(str(problem))

    def published(self, node: Node, _) -> Quantity:
        """A formula, or a number alone."""
        said = node.node.value if node.is_number() else node.text("a formula of published values")
        return self.formula(node, expressions.published, said)

    def published_value(self, node: Node, what: str) -> float:
        return self.published(node, what).value

    def condition(self, node: Node, what: str) -> Condition:
        said = node.text(what)
        parts = re.fullmatch(r"(.*) ([<>]) (.*)", said)
        if not parts:
            node.fail(f"{what} is '{said}'; it is a measure, < or >, and a published value: faster a b < 1.5")
        bound = self.formula(node, expressions.value, parts[3])
        return Condition(self.measure_of(node, parts[1], NUMBERS), parts[2] == ">", bound)

    # Contents of a page

    def finding(self, node: Node, _) -> Finding:
        found = node.make("a finding", Finding, self.readers)
        if bool(found.here) == bool(found.order) and not found.obstacle:
            node.fail(
                "a finding has either 'here', a measure, or 'order', measures of which each is smaller than the "
                "next; or an 'obstacle'"
            )
        if found.test and found.obstacle:
            node.fail("a finding has a 'test' or an 'obstacle', not both")
        if found.test == "size" and found.published is None:
            node.fail("the test 'size' needs a published value")
        test = found.test or "ratio"
        if found.here and test == "ratio" and not found.obstacle and found.here.kind != "ratio":
            others = ", ".join(t for t in TESTS if t != "ratio")
            node.fail(f"'{found.here.word}' is not a ratio, so its test is one of {others}")
        own = found.here.unit if found.here else "times"
        unit = found.unit or next((measure.unit for measure in found.order.values()), own)
        return replace(found, test=test, unit=unit)

    def sentence(self, node: Node, what: str) -> Sentence:
        if isinstance(node.node.value, str):
            found = Sentence(node.text(what))
        else:
            entries = node.entries("a sentence", ["say"], ["if", "each"])
            condition = self.condition(entries["if"], "if") if "if" in entries else None
            each = sides(entries["each"], "each") if "each" in entries else [""]
            found = Sentence(entries["say"].text("say"), condition, each)
        named = [p for p in PLACEHOLDER.findall(found.say) if p != "side"]
        return replace(found, measures={p: self.measure_of(node, p, {**NUMBERS, **TEXTS}) for p in named})

    def table(self, node: Node, _) -> Tabulation:
        found = node.make("a table", Tabulation, self.readers)
        if bool(found.grids) == bool(found.records):
            node.fail("a table has either 'grids', a row, or 'records', rows")
        return found

    def column(self, node: Node, _) -> Head:
        """Returns a column. In a table of records `this` is the row of the record."""
        entries = node.entries("a column", ["head", "of"])
        said = entries["of"].text("of")
        return Head(entries["head"].text("head"), self.measure_of(entries["of"], said, NUMBERS, "this"))

"""Formulas of published numbers: `rate['GPU'] / rate['CPU']`, `1 + gain`, `lowest['a'] to highest['a']`.

A name is a claim. name['label'] is the cell in that column of the main table whose row begins with the label,
or with the labels of name['one', 'two']; table.name['label'] is one of another table. `to` makes a range.
"""

from __future__ import annotations

import ast
import operator

from cfdmark.published.model import Experiment
from cfdmark.stats.quantity import Quantity

OPERATORS = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}


class BadExpression(Exception):
    """An invalid formula. The message names the error and the fix."""


def published(text: str, document: Experiment) -> Quantity:
    """Raises BadExpression."""
    ends = [value(part, document) for part in text.split(" to ")]
    if len(ends) == 1:
        return Quantity(ends[0])
    if len(ends) > 2 or ends[0] >= ends[1]:
        raise BadExpression(f"`{text}` is not a range: write LOWEST to HIGHEST")
    return Quantity(sum(ends) / 2, *ends)


def value(text: str, document: Experiment) -> float:
    try:
        return of_node(ast.parse(text.strip(), mode="eval").body, document)
    except SyntaxError as error:
        raise BadExpression(f"`{text}` is not a formula of published values") from error


def of_node(node: ast.AST, document: Experiment) -> float:
    if isinstance(node, ast.Constant) and isinstance(node.value, (int, float)):
        return float(node.value)
    if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
        return OPERATORS[type(node.op)](of_node(node.left, document), of_node(node.right, document))
    if isinstance(node, ast.Name):
        return claim(node.id, document)
    if isinstance(node, ast.Subscript):
        labels = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        if all(isinstance(label, ast.Constant) for label in labels):
            return cell(node.value, [label.value for label in labels], document)
    said = ast.unparse(node)
    raise BadExpression(f"`{said}` is neither a claim, a cell name['label'], a number nor + - * / of them")


def claim(name: str, document: Experiment) -> float:
    known = {c.name: c.value for c in document.claims}
    if name not in known:
        raise BadExpression(f"there is no claim `{name}`; there are {', '.join(known) or 'none'}")
    return float(known[name])


def cell(column: ast.AST, labels: list, document: Experiment) -> float:
    named = isinstance(column, ast.Attribute) and isinstance(column.value, ast.Name)
    if not named and not isinstance(column, ast.Name):
        raise BadExpression(f"`{ast.unparse(column)}` is not a column; write column['label'] or table.column['label']")
    table_name, name = (column.value.id, column.attr) if named else ("main", column.id)
    table = next((t for t in document.tables if t.name == table_name), None)
    if table is None:
        raise BadExpression(f"there is no table `{table_name}`")
    names = [c.name for c in table.columns]
    rows = [row for row in table.rows if list(row[: len(labels)]) == labels]
    if name not in names or len(rows) != 1 or not isinstance(rows[0][names.index(name)], float):
        raise BadExpression(
            f"table `{table_name}` has no number in column `{name}` of one row `{', '.join(map(str, labels))}`; "
            f"columns are {', '.join(names)}, rows {', '.join(str(row[0]) for row in table.rows)}"
        )
    return float(rows[0][names.index(name)])

"""YAML nodes that know their place in a file, and report values of the wrong form."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import MISSING, fields
from decimal import Decimal
from pathlib import Path
from typing import Any

from ruamel.yaml import nodes as yaml

from cfdmark.text.printable import printable_lines
from cfdmark.text.suggestion import did_you_mean

NUMBER = re.compile(r"-?\d+(\.\d*)?([eE][-+]?\d+)?")
NUMBER_TAGS = ("tag:yaml.org,2002:int", "tag:yaml.org,2002:float")
TEXT_TAG, NULL_TAG, BOOL_TAG = (f"tag:yaml.org,2002:{kind}" for kind in ("str", "null", "bool"))


class BadFile(Exception):
    """An error in a file of published values. Its text is "file:line:column: error, and the fix"."""


class Number(float):
    """A number that keeps its text, and with it the number of printed digits."""

    text: str

    def __new__(cls, text: str) -> Number:
        made = super().__new__(cls, text)
        made.text = text
        return made

    @property
    def half_digit(self) -> float:
        """Half a unit of the last printed digit: 0.80 -> 0.005, 300 -> 0.5, 1.2e-8 -> 0.05e-8."""
        return 0.5 * 10.0 ** Decimal(self.text).as_tuple().exponent


def suggestion(word: str, known: list[str]) -> str:
    return did_you_mean(word, known) or f"; known are {', '.join(known)}"


def place_text(path: Path, mark) -> str:
    return f"{path}:{mark.line + 1}:{mark.column + 1}"


class Value:
    """One node. Every method returns its value, or raises BadFile at its line."""

    def __init__(self, node: yaml.Node, path: Path, key: yaml.Node | None = None):
        self.node = node
        self.path = path
        # An empty value would have the place of the text behind it.
        self.mark = key.end_mark if key and node.start_mark.index == node.end_mark.index else node.start_mark

    def fail(self, message: str) -> None:
        raise BadFile(f"{place_text(self.path, self.mark)}: {message}")

    def shown(self) -> str:
        if isinstance(self.node, yaml.ScalarNode):
            return "nothing" if self.is_null() else f"'{self.node.value}'"
        return "a list" if isinstance(self.node, yaml.SequenceNode) else "a mapping"

    def is_null(self) -> bool:
        return self.node.tag == NULL_TAG

    def is_number(self) -> bool:
        return self.node.tag in NUMBER_TAGS

    def text(self, what: str) -> str:
        if self.is_number():
            self.fail(f"{what} is {self.shown()}, a number, where a text is expected; put it in quotes")
        if self.node.tag != TEXT_TAG or not self.node.value.strip():
            self.fail(f"{what} is {self.shown()} where a text is expected")
        return printable_lines(self.node.value.strip())

    def one_of(self, what: str, choices: list[str]) -> str:
        if not isinstance(self.node, yaml.ScalarNode) or self.node.value not in choices:
            self.fail(f"{what} is {self.shown()}; it is one of {', '.join(choices)}")
        return self.node.value

    def number(self, what: str, unit: str) -> Number:
        if not self.is_number() or not NUMBER.fullmatch(self.node.value):
            self.fail(f"{what} holds {self.shown()} where a number of unit {unit} is expected")
        return Number(self.node.value)

    def boolean(self, what: str) -> bool:
        if self.node.tag != BOOL_TAG or self.node.value not in ("true", "false"):
            self.fail(f"{what} is {self.shown()}; it is true or false")
        return self.node.value == "true"

    def texts(self, what: str) -> list[str]:
        return [item.text(f"an entry of {what}") for item in self.items(what)]

    def items(self, what: str) -> list[Value]:
        if not isinstance(self.node, yaml.SequenceNode):
            self.fail(f"{what} is {self.shown()} where a list is expected")
        return [Value(node, self.path) for node in self.node.value]

    def mapping(self, what: str) -> list[tuple[str, Value]]:
        """Returns a mapping with any unique keys."""
        if not isinstance(self.node, yaml.MappingNode):
            self.fail(f"{what} is {self.shown()} where a mapping is expected")
        found: dict[str, Value] = {}
        for key, value in self.node.value:
            if str(key.value) in found:
                Value(key, self.path).fail(f"{what} has the key '{key.value}' twice; remove one")
            found[str(key.value)] = Value(value, self.path, key)
        return list(found.items())

    def entries(self, what: str, required: list[str], optional: list[str] = ()) -> dict[str, Value]:
        """Returns a mapping with all required keys, some of the optional ones, and no other."""
        if not isinstance(self.node, yaml.MappingNode):
            self.fail(f"{what} is {self.shown()} where a mapping is expected")
        known, found = [*required, *optional], {}
        for key, value in self.node.value:
            if key.value not in known:
                hint = suggestion(str(key.value), known)
                Value(key, self.path).fail(f"{what} has an unknown key '{key.value}'{hint}")
            if key.value in found:
                Value(key, self.path).fail(f"{what} has the key '{key.value}' twice; remove one")
            found[key.value] = Value(value, self.path, key)
        for key in required:
            if key not in found:
                self.fail(f"{what} lacks the key '{key}'; add it")
        return found

    def make(self, what: str, form: type, readers: dict[str, Reader], **given):
        """Returns a dataclass whose members are the keys of a mapping; those with a default are optional.
        `readers` has a reader for the name or the type of each member that is not `given`."""
        own = [f for f in fields(form) if f.name not in given]
        members = {f.name: readers.get(f.name) or readers.get(f.type) for f in own}
        defaults = {f.name for f in own if (f.default, f.default_factory) != (MISSING, MISSING)}
        required = [name for name in members if name not in defaults]
        entries = self.entries(what, required, [name for name in members if name in defaults])
        found = {name: read(entries[name], name) for name, read in members.items() if name in entries}
        return form(**given, **found)


# Returns what a node holds; the second argument names it in an error.
Reader = Callable[[Value, str], Any]


def every(read: Reader) -> Reader:
    """Returns the reader of a list."""
    return lambda value, what: [read(item, f"an entry of {what}") for item in value.items(what)]


def made(what: str, form: type, readers: dict[str, Reader]) -> Reader:
    """Returns the reader of a dataclass."""
    return lambda value, _: value.make(what, form, readers)


def one_of(choices: list[str]) -> Reader:
    return lambda value, what: value.one_of(what, choices)

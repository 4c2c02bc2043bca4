"""Forms of JSON values: JSON Schemas, such as the definitions in results/schema.

bench/record/json_form.cpp does the same."""

from __future__ import annotations

import json
from functools import cache

import fastjsonschema

from cfdmark.places import SCHEMAS

DRAFT = "http://json-schema.org/draft-04/schema#"  # an integer is written without a fraction: 8.0 is not one
LONGEST_SHOWN = 40  # bytes of a wrong value in a message
ARTICLES = {"object": "an object", "array": "a list"}


@cache
def definitions(file: str) -> dict:
    return json.loads((SCHEMAS / file).read_text(encoding="utf-8"))["definitions"]


@cache
def form_of(file: str, definition: str) -> JsonForm:
    """Returns the form of a definition in a file of results/schema."""
    known = definitions(file)
    return JsonForm(without_references(known[definition], known))


def without_references(schema, known: dict):
    """Returns a copy with definitions in place of references, whose calls take longer than all checks."""
    if isinstance(schema, list):
        return [without_references(part, known) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if "$ref" in schema:
        return without_references(known[schema["$ref"].rpartition("/")[2]], known)
    return {key: without_references(part, known) for key, part in schema.items()}


class JsonForm:
    def __init__(self, schema: dict):
        self.validate = fastjsonschema.compile({"$schema": DRAFT, **schema})

    def problem_of(self, value) -> str:
        """Returns the path, what is expected there and what is there; empty for a valid value."""
        try:
            self.validate(value)
        except fastjsonschema.JsonSchemaValueException as error:
            path = error.name.removeprefix("data").removeprefix(".")
            if error.rule == "required":
                missing = next(name for name in error.definition["required"] if name not in error.value)
                return f"`{path}{path and '.'}{missing}` is missing"
            return f"{f'`{path}`' if path else 'it'} must be {expected(error.definition)}{shown(error.value)}"
        return ""


def expected(schema: dict) -> str:
    if "title" in schema:
        return schema["title"]
    return " or ".join(map(str, schema["enum"])) if "enum" in schema else ARTICLES[schema["type"]]


def shown(value) -> str:
    """Returns a value for a message; empty if it is long."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return f", not {text}" if len(text.encode()) <= LONGEST_SHOWN else ""

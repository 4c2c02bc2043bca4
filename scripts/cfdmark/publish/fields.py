"""Tables of every field in results/README.md, made from the schemas in results/schema."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from cfdmark.output import write_whole
from cfdmark.records.json_form import definitions
from cfdmark.records.records import read_text, shown

# <!-- fields of FILE: ... --> to <!-- end of fields -->
MARK = re.compile(r"(<!-- fields of (\S+):[^\n]*-->\n).*?(?=<!-- end of fields -->)", re.S)


def value_text(schema: dict, known: dict) -> str:
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return known[name].get("title", f"[{name}](#{name})")
    if "enum" in schema:
        return " or ".join(f"`{value}`" for value in schema["enum"])
    if schema.get("type") == "array":
        return f"list, each {value_text(schema['items'], known)}"
    if isinstance(schema.get("additionalProperties"), dict):
        return f"object, each {value_text(schema['additionalProperties'], known)}"
    return schema.get("type", "any")


def rows_of(schema: dict, known: dict, prefix: str = "") -> Iterator[str]:
    for name, part in schema.get("properties", {}).items():
        need = " (required)" if name in schema.get("required", ()) else ""
        yield f"| `{prefix}{name}` | {value_text(part, known)}{need} | {part.get('description', '')} |"
        is_list = part.get("type") == "array"
        inside = f"{prefix}{name}[]." if is_list else f"{prefix}{name}."
        yield from rows_of(part["items"] if is_list else part, known, inside)


def fields_text(file: str) -> str:
    known = definitions(file)
    return "\n".join(
        "\n".join([f"### {name}", "", schema["description"], "", "| key | value | meaning |", "|---|---|---|",
                   *rows_of(schema, known), ""])
        for name, schema in known.items()
        if "properties" in schema
    )


def with_fields(text: str) -> str:
    return MARK.sub(lambda mark: f"{mark[1]}\n{fields_text(mark[2])}\n", text)


def write_fields(readme: Path) -> None:
    write_whole(readme, with_fields(read_text(readme)))
    print(f"site: {shown(readme)}", flush=True)

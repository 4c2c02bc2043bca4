"""The schemas in results/schema accept all that is kept, and describe every field."""

import json
import unittest
from collections import Counter
from collections.abc import Iterator

from support import RESULTS

from cfdmark.publish.fields import with_fields
from cfdmark.records.json_form import definitions, form_of
from cfdmark.records.record_check import BadLine, checked

LINES = ("environment", "record", "point", "facts")
FILES = ("record.schema.json", "tuned_table.schema.json", "shape.schema.json")


def properties_of(schema: dict, path: str) -> Iterator[tuple[str, dict]]:
    for name, part in schema.get("properties", {}).items():
        yield f"{path}.{name}", part
        yield from properties_of(part, f"{path}.{name}")
        yield from properties_of(part.get("items", {}), f"{path}.{name}[]")


class Schemas(unittest.TestCase):
    maxDiff = None

    def test_every_kept_line_is_valid(self):
        found, bad = Counter(), []
        for path in sorted(RESULTS.rglob("*.jsonl")):
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
                try:
                    found[checked(line, LINES)["type"]] += 1
                except BadLine as problem:
                    bad.append(f"{path.relative_to(RESULTS)}:{number}: {problem}")
        self.assertEqual(bad, [])
        self.assertEqual(set(found), set(LINES))
        self.assertGreater(found["record"], 2000)

    def test_every_kept_tuned_table_and_entry_is_valid(self):
        table_form, entry_form = (form_of("tuned_table.schema.json", name) for name in ("table", "entry"))
        problems = {}
        for path in RESULTS.glob("tuned/*/*.json"):
            table, name = json.loads(path.read_text(encoding="utf-8")), f"{path.parent.name}/{path.name}"
            problems[name] = table_form.problem_of(table)
            for number, entry in enumerate(table["entries"], start=1):
                problems[f"{name}: entry {number}"] = entry_form.problem_of(entry)
        self.assertEqual({where: problem for where, problem in problems.items() if problem}, {})
        self.assertGreater(len(problems), 1000)

    def test_every_property_is_described(self):
        described = [
            (path, part.get("description", ""))
            for file in FILES
            for name, schema in definitions(file).items()
            for path, part in properties_of(schema, name)
        ]
        self.assertEqual([path for path, text in described if not text], [])
        self.assertGreater(len(described), 200)

    def test_the_page_of_fields_is_made_from_the_schemas(self):
        text = (RESULTS / "README.md").read_text(encoding="utf-8")
        self.assertEqual(with_fields(text), text, "run ./scripts/site --readmes")
        for file in FILES:
            self.assertIn(f"<!-- fields of {file}:", text)


if __name__ == "__main__":
    unittest.main()

"""The table of subcommands, and the one entry point that starts them."""

from __future__ import annotations

import sys
from importlib import import_module

from .program import run_program
from .python_with import ensure_modules
from .records.records import BadInput
from .text.suggestion import did_you_mean

PAGES = ("numpy", "matplotlib", "jinja2", "fastjsonschema", "rich")
# name: (function, modules it needs besides Python's own, help)
COMMANDS = {
    "report": ("report.command:main", PAGES, "make tables and one HTML page from records"),
    "history": ("history.command:main", PAGES, "store cases commit by commit and find where they changed"),
    "merge": ("merge.command:main", ("fastjsonschema",), "join record files of one sweep, such as its shards"),
    "reproduce": ("reproduce.command:main", (*PAGES, "ruamel.yaml"), "compare records with published experiments"),
    "published": ("published.command:main", ("rich", "ruamel.yaml"), "check and list published tables and figures"),
    "site": ("publish.command:main", (*PAGES, "ruamel.yaml"), "make one static site of all results"),
    "space-page": ("report.tuning.command:main", PAGES, "make one HTML page of recorded tuning spaces"),
    "plot-solution": ("plot.solution:main", ("matplotlib",), "draw the solution of a linear system"),
    "plot-flow": ("plot.flow:main", ("matplotlib",), "draw a flow"),
    "plot-shape": ("plot.shape:main", ("matplotlib", "ruamel.yaml"), "draw the search of an outline"),
    "plot-mesh-solution": ("plot.mesh_solution:main", ("matplotlib",), "draw the solution of a system on a mesh"),
    "plot-mesh": ("plot.mesh:main", ("numpy", "matplotlib"), "draw a mesh with its cells coloured by number"),
    "layouts": ("export.command:layouts_main", (), "show and export the tuned layouts on standard input"),
    "layouts-page": ("publish.layouts_page:main", PAGES, "make a page of the tuned layouts on standard input"),
    "spaces": ("export.command:spaces_main", (), "export the tuning spaces on standard input"),
    "gbench": ("export.command:gbench_main", (), "write records on standard input as Google Benchmark does"),
    "comparison": ("export.command:comparison_main", (), "format the comparison on standard input for CI"),
    "mesh-crankshaft": ("meshes.command:main", (), "mesh a crankshaft with NetGen, if it is installed"),
    "foreign": ("foreign.command:main", (), "read results of Google Benchmark or nvbench"),
}


def usage() -> str:
    width = max(map(len, COMMANDS))
    lines = [f"  {name:{width}}  {text}" for name, (_, _, text) in COMMANDS.items()]
    return "\n".join(
        [
            "usage: python3 -m cfdmark COMMAND [OPTIONS]",
            "",
            *lines,
            "",
            "`COMMAND --help` describes its options. The program `cfdmark` calls these commands itself; those that",
            "read standard input expect the JSON that it writes. `pip install .` in the sources makes",
            "`python3 -m cfdmark` work in any folder.",
        ]
    )


def print_usage() -> None:
    print(usage())


def unknown(name: str) -> None:
    raise BadInput(f"unknown command '{name}'{did_you_mean(name, COMMANDS) or '; --help lists them'}")


def main(words: list[str] | None = None) -> int:
    name, *rest = (sys.argv[1:] if words is None else words) or ["--help"]
    if name in ("-h", "--help"):
        return run_program("cfdmark", print_usage)
    if name not in COMMANDS:
        return run_program("cfdmark", lambda: unknown(name))
    function, modules, _ = COMMANDS[name]
    ensure_modules(*modules)
    module, _, entry = function.partition(":")
    return getattr(import_module(f"cfdmark.{module}"), entry)(rest)

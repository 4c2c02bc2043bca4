"""Makes the mesh of a crankshaft with NetGen, from the geometry that comes with NetGen's documentation."""

from __future__ import annotations

import argparse
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from cfdmark.output import write_whole
from cfdmark.program import run_program
from cfdmark.python_with import DISTRIBUTION_PYTHON
from cfdmark.records.records import BadInput
from cfdmark.text.printable import printable

SHAFT = Path("/usr/share/doc/netgen/examples/shaft.geo")  # of Debian's netgen-doc
MAKER = Path(__file__).with_name("netgen_mesh.py")
MAXH = 1.8
SKIPPED = 4

EPILOG = """\
The default edge length makes 42,243 nodes, 199,861 cells and 32,490 boundary faces with Debian 12's NetGen, in
about a minute. Another version of NetGen makes another mesh, so its version is part of the default name.

exit status: 0 done; 2 a wrong option, or NetGen failed; 3 the file could not be written; 4 skipped, because
NetGen or the geometry is missing."""


class Skipped(Exception):
    """A program or library that the command needs is not installed. The message is for the user."""


def python_with_netgen() -> str:
    for python in dict.fromkeys((sys.executable, DISTRIBUTION_PYTHON)):
        if python and os.path.exists(python):
            tried = subprocess.run([python, "-c", "import netgen.csg"], capture_output=True, check=False)
            if tried.returncode == 0:
                return python
    raise Skipped("no Python here can import netgen; on Debian: apt install python3-netgen")


def require_geometry(path: Path) -> None:
    if path.is_file():
        return
    if path == SHAFT:
        raise Skipped(f"{path} is missing; on Debian: apt install netgen-doc")
    raise BadInput(f"{printable(str(path))}: there is no such file")


def netgen_version() -> str:
    """Returns the version that dpkg knows, such as 6.2.1905; "unknown" elsewhere. Debian's version texts hold the
    real one after `really`."""
    try:
        query = ["dpkg-query", "-W", "-f=${Version}", "python3-netgen"]
        found = subprocess.run(query, capture_output=True, text=True, check=False).stdout
    except OSError:
        found = ""
    numbers = re.match(r"[\d.]+", found.rpartition("really")[2])
    return numbers.group().rstrip(".") if numbers else "unknown"


def make_mesh(python: str, geometry: Path, maxh: float, folder: Path) -> tuple[Path, dict]:
    """Returns the file that NetGen wrote into the folder, and its counts."""
    made = folder / "made.msh"
    done = subprocess.run([python, MAKER, geometry, str(maxh), made], capture_output=True, cwd=folder, check=False)
    lines = done.stdout.decode("utf-8", "replace").splitlines()
    if done.returncode != 0 or not made.exists():
        why = (done.stderr.decode("utf-8", "replace").splitlines() or ["no message"])[-1]
        raise BadInput(f"NetGen failed with status {done.returncode}: {why}")
    return made, json.loads(lines[-1])


def positive(text: str) -> float:
    value = float(text)
    if not math.isfinite(value) or value <= 0:
        raise ValueError(text)
    return value


def run(given: argparse.Namespace) -> int:
    try:
        require_geometry(given.geometry)
        python = python_with_netgen()
    except Skipped as reason:
        print(f"skipped: {reason}", file=sys.stderr)
        return SKIPPED
    output = given.output or Path(f"{given.geometry.stem}-{given.maxh:g}-netgen-{netgen_version()}.msh")
    with tempfile.TemporaryDirectory() as folder:
        made, counts = make_mesh(python, given.geometry.resolve(), given.maxh, Path(folder))
        write_whole(output, made.read_bytes())
    counted = ", ".join(f"{count:,} {name.replace('_', ' ')}" for name, count in counts.items())
    print(f"{output}: {counted} (NetGen {netgen_version()})")
    return 0


def main(words: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python3 -m cfdmark mesh-crankshaft",
        description="Makes a mesh of tetrahedra of a crankshaft with NetGen, in Gmsh's format 2.2.",
        epilog=EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--maxh", type=positive, default=MAXH, help=f"largest edge length (default: {MAXH})")
    parser.add_argument("--geometry", type=Path, default=SHAFT, help=f"CSG geometry of NetGen (default: {SHAFT})")
    parser.add_argument("--output", type=Path, help="file (default: GEOMETRY-MAXH-netgen-VERSION.msh)")
    return run_program("mesh-crankshaft", lambda: run(parser.parse_args(words)))

"""Script of a page: the installed d3-selection, then templates/page.js."""

from __future__ import annotations

import base64
import functools
import hashlib
import json
import os
import re
import sys
from pathlib import Path

OURS = Path(__file__).resolve().parent.parent / "templates" / "page.js"
PACKAGE = "node-d3-selection"  # of Debian and Ubuntu
FOLDER = f"/usr/share/nodejs/{PACKAGE.removeprefix('node-')}"
COPYRIGHT = f"/usr/share/doc/{PACKAGE}/copyright"  # Debian's place of a package's licence
ELSEWHERE = "CFDMARK_D3_SELECTION"  # folder of a d3-selection installed otherwise


def page_script() -> str:
    """Returns the text between the script tags; empty if the library is missing, which is reported once."""
    return script_of(os.environ.get(ELSEWHERE) or FOLDER)


@functools.cache
def script_of(folder: str) -> str:
    try:
        library = library_text(Path(folder))
    except OSError as problem:
        return without(folder, f"cannot read {problem.filename}: {problem.strerror}")
    except (ValueError, KeyError, TypeError):
        return without(folder, "package.json does not say its name, version and licence")
    return embedded(f"{library}\n{OURS.read_text(encoding='utf-8')}")


def notice(script: str) -> str:
    """Returns the licence notice of a page that carries the library; empty for a page without scripts."""
    found = re.match(r"/\* (.+), licence (.+)\n", script)
    return f"This page carries {found[1]}, licence {found[2]}: its text begins the script in this file." if found else ""


def without(folder: str, why: str) -> str:
    print(
        f"note: pages are made without scripts, so that nothing on them can be sorted or filtered: no d3-selection in"
        f" {folder} ({why}). On Debian and Ubuntu: apt install {PACKAGE}; elsewhere {ELSEWHERE} names its folder.",
        file=sys.stderr,
    )
    return ""


def library_text(folder: Path) -> str:
    """Returns the library below a comment with its name, version and licence."""
    facts = json.loads((folder / "package.json").read_text(encoding="utf-8"))
    licence = "\n".join(line.rstrip() for line in licence_file(folder).read_text(encoding="utf-8").splitlines())
    heading = f"{facts['name']} {facts['version']}, licence {facts['license']}\n\n{licence.strip()}"
    code = (folder / "dist" / "d3-selection.min.js").read_text(encoding="utf-8")
    return f"/* {heading.replace('*/', '* /')}\n*/\n{code}"


def licence_file(folder: Path) -> Path:
    own = folder / "LICENSE"
    return own if own.exists() or str(folder) != FOLDER else Path(COPYRIGHT)


def embedded(code: str) -> str:
    """Escapes code so that it cannot end its script element."""
    return re.sub(r"<(?=/?script|!--)", r"\\x3C", code, flags=re.I)


def policy(script: str) -> str:
    """Returns the content security policy of a page: only its own style, and this script, by its hash."""
    digest = base64.b64encode(hashlib.sha256(script.encode("utf-8")).digest()).decode("ascii")
    allowed = f"'sha256-{digest}'" if script else "'none'"
    return f"default-src 'none'; style-src 'unsafe-inline'; script-src {allowed}; base-uri 'none'; form-action 'none'"

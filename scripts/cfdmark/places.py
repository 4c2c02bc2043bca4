"""Paths of the files that come with the package: in the repository, in an installed tree of the same form, or
where pip installed it in `share/cfdmark` next to `lib` (pyproject.toml)."""

from pathlib import Path

ABOVE = (place for parent in Path(__file__).resolve().parents for place in (parent, parent / "share/cfdmark"))
ROOT = next(place for place in ABOVE if (place / "results/published").is_dir())
RESULTS = ROOT / "results"
SCHEMAS = RESULTS / "schema"
PUBLISHED = RESULTS / "published"
REPRODUCE_SWEEPS = ROOT / "sweeps/reproduce"
CAVITY_PROFILES = ROOT / "solvers/problems/cavity_profiles.csv"

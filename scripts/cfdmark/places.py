"""Paths of the files that come with the package: in the repository, or in an installed tree of the same form."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
RESULTS = ROOT / "results"
SCHEMAS = RESULTS / "schema"
PUBLISHED = RESULTS / "published"
REPRODUCE_SWEEPS = ROOT / "sweeps/reproduce"
CAVITY_PROFILES = ROOT / "solvers/problems/cavity_profiles.csv"

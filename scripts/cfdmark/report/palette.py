"""Colours of backends and solvers and markers of methods, the same in every figure and safe for the
colour-blind."""

from __future__ import annotations

from cfdmark.records.records import Dataset

BACKENDS = {"serial": "#4d4d4d", "openmp": "#0072b2", "kokkos": "#d55e00", "cuda": "#00876a"}
SOLVERS = {
    "jacobi": "#aa4499",
    "gauss_seidel": "#b0683a",
    "sor": "#332288",
    "cg": "#117733",
    "pcg": "#882255",
    "bicgstab": "#999933",
    "multigrid": "#0077bb",
    "direct": "#cc6677",
    "hypre": "#44aa99",
    "ginkgo": "#ddaa33",
}
VERDICTS = {"agrees": "#0a6b4f", "same_direction": "#2f6f9f", "differs": "#98224b", "open": "#b07d1e"}
STRATEGIES = {"racing": "#0072b2", "exhaustive": "#4d4d4d", "random": "#d55e00", "local": "#00876a"}
NUMBERINGS = {
    "lattice": "#4d4d4d",
    "random": "#d55e00",
    "random_faces": "#882255",
    "rcm": "#0072b2",
    "hilbert": "#00876a",
    "morton": "#b07d1e",
    "nested": "#5b8db8",
}
# Bounds of a case.
BOUNDS = {
    "launches": "#882255",
    "cache": "#b07d1e",
    "memory": "#0072b2",
    "arithmetic": "#00876a",
    "none": "#4d4d4d",
    "unknown": "#9aa1ab",
}
# Parts of a bar: neighbours differ clearly.
PARTS = ["#0072b2", "#d55e00", "#00876a", "#b07d1e", "#882255", "#5b8db8", "#999933", "#332288"]
KINDS = {
    "backend": BACKENDS,
    "solver": SOLVERS,
    "verdict": VERDICTS,
    "strategy": STRATEGIES,
    "numbering": NUMBERINGS,
    "bound": BOUNDS,
    "part": dict(enumerate(PARTS)) | {"rest": "#9aa1ab"},
}
OTHERS = ["#7a7a10", "#5b8db8", "#9c6b98", "#6e6e6e", "#3f8f8f"]
# The last five are a thin diamond and stars of 4, 4, 6 and 8 points.
MARKERS = ["o", "s", "^", "D", "v", "p", "<", ">", "h", "*", "P", "X", "d", (4, 1, 0), (4, 1, 45), (6, 1, 0), (8, 1, 0)]
PLAIN_MARKERS = 6  # the first of these are clear on a line
FIRST_METHOD = "plain"
REFERENCE = "#4d4d4d"  # a reference line
TIMELINE = {"point": "#6b7784", "slower": "#c2185b", "faster": "#00876a"}


class Palette:
    """Known names have fixed colours; others get theirs in alphabetical order, so that a report is
    reproducible."""

    def __init__(self, dataset: Dataset):
        self.colours = {}
        for kind, known in KINDS.items():
            self.colours |= {f"{kind}:{name}": colour for name, colour in known.items()}
        self.assign("backend", {r.backend for r in dataset.records})
        self.assign("solver", {r.operation for r in dataset.records})
        methods = sorted({r.method for r in dataset.records} - {FIRST_METHOD})
        self.markers = {m: MARKERS[i % len(MARKERS)] for i, m in enumerate([FIRST_METHOD, *methods])}

    def assign(self, kind: str, names: set[str]) -> None:
        missing = sorted(name for name in names if f"{kind}:{name}" not in self.colours)
        self.colours |= {f"{kind}:{name}": OTHERS[i % len(OTHERS)] for i, name in enumerate(missing)}

    def colour(self, key: str) -> str:
        """Returns the colour of a name; an unknown name gets the next free colour of its kind."""
        if key not in self.colours:
            kind = key.partition(":")[0] + ":"
            used = sum(other.startswith(kind) for other in self.colours)
            self.colours[key] = OTHERS[used % len(OTHERS)]
        return self.colours[key]

    @property
    def hues(self) -> set[str]:
        """All colours of lines, dots and marks."""
        return {*self.colours.values(), *TIMELINE.values(), REFERENCE}

    def line_marker(self, key: str) -> str:
        """Returns the marker of a whole line, by the position of its name among those of its kind."""
        self.colour(key)
        kind = key.partition(":")[0] + ":"
        return MARKERS[[k for k in self.colours if k.startswith(kind)].index(key) % PLAIN_MARKERS]

    def marker(self, method: str):
        """Returns the marker of a method, as matplotlib names it."""
        return self.markers.get(method, MARKERS[0])

"""One colour a backend and a solver, one marker a method, in every figure. Safe for the colour-blind."""

from __future__ import annotations

from .records import Dataset

BACKENDS = {"serial": "#4d4d4d", "openmp": "#0072b2", "kokkos": "#d55e00", "cuda": "#00876a"}
SOLVERS = {
    "jacobi": "#aa4499",
    "gauss_seidel": "#b0683a",
    "sor": "#332288",
    "cg": "#117733",
    "pcg": "#882255",
    "bicgstab": "#999933",
    "multigrid": "#0077bb",
}
VERDICTS = {"agrees": "#0a6b4f", "same_direction": "#2f6f9f", "differs": "#98224b", "open": "#b07d1e"}
STRATEGIES = {"racing": "#0072b2", "exhaustive": "#4d4d4d", "random": "#d55e00", "local": "#00876a"}
OTHERS = ["#7a7a10", "#5b8db8", "#9c6b98", "#6e6e6e", "#3f8f8f"]
MARKERS = ["o", "s", "^", "D", "v", "p", "<", ">", "h", "*", "P", "X"]
FIRST_METHOD = "plain"


class Palette:
    """Known names have fixed colours; the others get theirs in alphabetical order: a report repeats."""

    def __init__(self, dataset: Dataset):
        self.colours = {f"backend:{k}": v for k, v in BACKENDS.items()} | {
            f"solver:{k}": v for k, v in SOLVERS.items()
        }
        self.colours |= {f"verdict:{k}": v for k, v in VERDICTS.items()}
        self.colours |= {f"strategy:{k}": v for k, v in STRATEGIES.items()}
        self.assign("backend", {r.backend for r in dataset.records})
        self.assign("solver", {r.operation for r in dataset.records})
        methods = sorted({r.method for r in dataset.records} - {FIRST_METHOD})
        self.markers = {m: MARKERS[i % len(MARKERS)] for i, m in enumerate([FIRST_METHOD, *methods])}

    def assign(self, kind: str, names: set[str]) -> None:
        missing = sorted(name for name in names if f"{kind}:{name}" not in self.colours)
        self.colours |= {f"{kind}:{name}": OTHERS[i % len(OTHERS)] for i, name in enumerate(missing)}

    def colour(self, key: str) -> str:
        """Of a name that nobody knows yet: the next that is free among those of its kind."""
        if key not in self.colours:
            kind = key.partition(":")[0] + ":"
            used = sum(other.startswith(kind) for other in self.colours)
            self.colours[key] = OTHERS[used % len(OTHERS)]
        return self.colours[key]

    def marker(self, method: str) -> str:
        return self.markers.get(method, MARKERS[0])

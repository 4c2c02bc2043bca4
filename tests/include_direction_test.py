"""Holds the direction of includes between the rooms, as ARCHITECTURE.md states it."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
SOURCES = (".hpp", ".cpp", ".cu", ".cuh")

# What a file in each room may include. A kernel's folder may include itself, not another kernel's but by KERNELS.
ALLOWED = {
    "core": {"core"},
    "backends": {"core", "backends"},
    "kernel": {"core", "backends"},
    "solvers/base": {"core", "backends", "solvers/base"},
    "solvers/problems": {"core", "backends", "solvers/base", "solvers/problems"},
    "solvers": {"core", "backends", "kernel", "solvers/base", "solvers/problems"},
    "tuning": {"core", "tuning"},
    "bench": {"core", "backends", "kernel", "solvers/base", "solvers/problems", "solvers", "tuning", "bench"},
}
# Which families of solvers a family may include beside itself: a flow solver hands its pressure to a linear one,
# and block solvers take sums and dot products from there.
FAMILIES = {"flow": {"linear"}, "block": {"linear"}}
# Which kernels a kernel may include whose work is a part of its passes: legs and coarse levels of multigrid's cycle, and
# the norm that sweeps leave.
KERNELS = {"red_black_sor": {"grid_transfer", "residual"}, "jacobi": {"residual"}}


def room_of(path):
    """The room of a path relative to the root, and for a kernel or a family of solvers its folder."""
    parts = pathlib.PurePosixPath(path).parts
    if parts[0] == "kernels":
        return (parts[1], None) if parts[1] in ("core", "backends") else ("kernel", parts[1])
    if parts[0] == "solvers":
        return (f"solvers/{parts[1]}", None) if parts[1] in ("core", "problems") else ("solvers", parts[1])
    return parts[0], None


def allowed(source, target):
    (room, folder), (to, to_folder) = room_of(source), room_of(target)
    if to in ALLOWED[room]:
        return True
    if to != room or folder is None:
        return False
    others = FAMILIES if room == "solvers" else KERNELS
    return to_folder == folder or to_folder in others.get(folder, ())


def project_includes():
    for top in ("kernels", "solvers", "tuning", "bench"):
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in SOURCES:
                source = path.relative_to(ROOT).as_posix()
                for target in INCLUDE.findall(path.read_text()):
                    yield source, target


class IncludeDirection(unittest.TestCase):
    def test_every_include_runs_in_the_allowed_direction(self):
        wrong = [f"{source} includes {target}" for source, target in project_includes()
                 if target.split("/")[0] in ("kernels", "solvers", "tuning", "bench", "tests")
                 and not allowed(source, target)]
        self.assertEqual(wrong, [])

    def test_project_files_are_named_from_the_root(self):
        missing = [f"{source} includes {target}" for source, target in project_includes()
                   if not (ROOT / target).exists() and not target.startswith("generated/")]
        self.assertEqual(missing, [])

    def test_the_rule_itself_refuses_a_wrong_direction(self):
        self.assertFalse(allowed("kernels/core/grid.hpp", "kernels/device/field.hpp"))
        self.assertFalse(allowed("kernels/jacobi/jacobi.hpp", "kernels/axpy/axpy.hpp"))
        self.assertFalse(allowed("kernels/residual/residual.hpp", "kernels/red_black_sor/red_black_sor.hpp"))
        self.assertTrue(allowed("kernels/red_black_sor/red_black_levels.cu", "kernels/residual/residual.hpp"))
        self.assertFalse(allowed("kernels/jacobi/jacobi.cpp", "solvers/linear/system/system.hpp"))
        self.assertFalse(allowed("solvers/base/solver.hpp", "solvers/linear/system/system.hpp"))
        self.assertFalse(allowed("solvers/problems/jump.cpp", "solvers/linear/system/system.hpp"))
        self.assertFalse(allowed("solvers/linear/krylov/cg.cpp", "solvers/flow/cavity.hpp"))
        self.assertFalse(allowed("solvers/mesh/euler.cpp", "solvers/linear/table.hpp"))
        self.assertTrue(allowed("solvers/flow/cavity.cpp", "solvers/linear/table.hpp"))
        self.assertTrue(allowed("solvers/linear/krylov/cg.cpp", "solvers/problems/problem.hpp"))
        self.assertFalse(allowed("tuning/search.hpp", "kernels/device/backend.hpp"))
        self.assertTrue(allowed("kernels/jacobi/jacobi.cpp", "kernels/jacobi/jacobi.hpp"))
        self.assertTrue(allowed("bench/catalog/catalog.cpp", "solvers/linear/table.hpp"))


if __name__ == "__main__":
    unittest.main()

"""Holds the direction of includes between the rooms, as ARCHITECTURE.md states it."""

import pathlib
import re
import unittest

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
SOURCES = (".hpp", ".cpp", ".cu", ".cuh")
TOPS = ("kernels", "solvers", "tuning", "bench")

# The rooms of kernels, each with the others that its files may include. A kernel's folder may include all of these and
# itself, another kernel's only by KERNELS.
CPU = {"core", "device", "device/cpu"}
CUDA = CPU | {"device/cuda/jit", "device/cuda/plan", "device/cuda/runtime"}
DEVICE = {
    "core": set(),
    "mesh": {"core"},
    "mesh/files": {"core", "mesh"},
    "device": {"core"},
    "device/cpu": {"core", "device"},
    "device/kokkos": CPU,
    "device/cuda/jit": {"device"},
    "device/cuda/plan": CPU | {"device/cuda/jit"},
    "device/cuda/runtime": CPU | {"device/cuda/jit", "device/cuda/plan", "device/library"},
    "device/cuda/primitives": CUDA,
    "device/library": CPU | {"device/cuda/plan"},
    "device/backends": CUDA | {"device/kokkos"},  # what names every kind of backend
    "cells": CPU,
    "cells/cpu": CPU | {"cells"},
    "cells/kokkos": CPU | {"cells", "device/kokkos"},
    "cells/cuda": CUDA | {"cells", "device/cuda/primitives"},
    "cells/indexed": CPU | {"mesh", "cells"},
    "cells/indexed/cpu": CPU | {"mesh", "cells", "cells/indexed"},
    "cells/indexed/kokkos": CPU | {"mesh", "cells", "cells/indexed", "cells/kokkos", "device/kokkos"},
    "cells/indexed/cuda": CUDA | {"mesh", "cells", "cells/indexed", "device/cuda/primitives"},
    "cells/indexed/methods": CPU | {"mesh", "cells", "cells/indexed", "cells/indexed/cpu", "cells/indexed/cuda"},
    "cells/indexed/ranks": CPU | {"mesh", "cells", "cells/indexed", "cells/indexed/cpu", "ranks"},
    "cells/methods": CPU | {"cells", "cells/cpu", "cells/cuda"},
    "ranks": CPU | {"cells", "cells/cuda", "device/cuda/plan", "mesh"},
}
# Which kernels a kernel may include whose work is a part of its passes: parts and coarse levels of multigrid's cycle, and
# the residual's norm after sweeps, and the equations to which distances from walls are added.
KERNELS = {"red_black_sor": {"grid_transfer", "residual"}, "jacobi": {"residual"},
           "wall_distances": {"momentum", "body_force"}, "surface_force": {"wall_distances"}}

# The rooms of solvers, likewise. `solvers/base`, `solvers/shape` and `solvers/problems` include no kernel's folder.
SYSTEM = {"base", "problems", "linear/system"}
SOLVERS = {
    "base": set(),
    "shape": set(),
    "problems": {"base", "shape"},
    "linear/system": {"base", "problems"},
    "linear/stationary": SYSTEM,
    "linear/multigrid": SYSTEM | {"linear/stationary"},
    "linear/krylov": SYSTEM | {"linear/stationary", "linear/multigrid"},
    "linear/direct": SYSTEM,
    "linear/libraries": SYSTEM | {"linear/krylov"},
    "linear": SYSTEM | {"linear/krylov", "linear/libraries"},
    # A flow solver hands its pressure to a linear one; block solvers take sums and dot products from there.
    "flow": SYSTEM | {"linear", "linear/direct"},
    "block": SYSTEM,
    "mesh": SYSTEM | {"linear", "linear/krylov"},
    "matrix": SYSTEM | {"linear", "linear/krylov"},
    # Systems of a step are solved as a flow's pressure is.
    "mesh_flow": SYSTEM | {"linear/krylov", "linear", "flow"},
    "": {"base", "linear", "flow", "block", "mesh", "mesh_flow", "matrix"},  # the list of families
}
WITHOUT_KERNELS = {"base", "shape", "problems"}

# The rooms of bench: each may include itself and those before it.
BENCH = ("text", "device_facts", "record", "case", "catalog", "sweep", "measure", "gbench", "worker", "ranks", "tuned", "runs",
         "solve", "shape", "tune", "external", "choose", "compare", "commands")


def room_of(path):
    """The top folder and the room of a path relative to the root; of a kernel the room is its folder."""
    top, *folders = pathlib.PurePosixPath(path).parent.parts
    return top, "/".join(folders)


def is_kernel(room):
    return room not in DEVICE and "/" not in room


def allowed(source, target):
    (top, room), (to_top, to) = room_of(source), room_of(target)
    if top == "tuning":
        return to_top == "tuning" or (to_top, to) == ("kernels", "core")
    if top == "kernels":
        if to_top != "kernels":
            return False
        if is_kernel(room):
            return to in DEVICE or to == room or to in KERNELS.get(room, ())
        return to == room or to in DEVICE[room]
    if top == "solvers":
        if to_top == "kernels":
            return not (room in WITHOUT_KERNELS and is_kernel(to))
        return to_top == "solvers" and (to == room or to in SOLVERS[room])
    return to_top != "bench" or BENCH.index(to) <= BENCH.index(room)


def project_files():
    for top in TOPS:
        for path in sorted((ROOT / top).rglob("*")):
            if path.suffix in SOURCES:
                yield path


def project_includes():
    for path in project_files():
        source = path.relative_to(ROOT).as_posix()
        for target in INCLUDE.findall(path.read_text()):
            yield source, target


class IncludeDirection(unittest.TestCase):
    def test_every_file_is_in_a_known_room(self):
        for path in project_files():
            top, room = room_of(path.relative_to(ROOT))
            known = {"kernels": room in DEVICE or is_kernel(room), "solvers": room in SOLVERS, "tuning": room == "",
                     "bench": room in BENCH}
            self.assertTrue(known[top], path)

    def test_every_include_runs_in_the_allowed_direction(self):
        wrong = [f"{source} includes {target}" for source, target in project_includes()
                 if target.split("/")[0] in (*TOPS, "tests") and not allowed(source, target)]
        self.assertEqual(wrong, [])

    def test_project_files_are_named_from_the_root(self):
        missing = [f"{source} includes {target}" for source, target in project_includes()
                   if not (ROOT / target).exists() and not target.startswith("generated/")]
        self.assertEqual(missing, [])

    def test_no_two_rooms_may_include_each_other(self):
        for rooms in (DEVICE, SOLVERS):
            for room, others in rooms.items():
                for other in others:
                    self.assertNotIn(room, rooms[other], f"{room} and {other}")

    def test_the_rule_itself_refuses_a_wrong_direction(self):
        self.assertFalse(allowed("kernels/core/grid.hpp", "kernels/device/field.hpp"))
        self.assertFalse(allowed("kernels/device/field.hpp", "kernels/cells/cell.hpp"))
        self.assertFalse(allowed("kernels/mesh/mesh.hpp", "kernels/device/field.hpp"))
        self.assertFalse(allowed("kernels/device/field.hpp", "kernels/mesh/mesh.hpp"))
        self.assertTrue(allowed("kernels/mesh/mesh.hpp", "kernels/core/grid.hpp"))
        self.assertFalse(allowed("kernels/mesh/connect.hpp", "kernels/mesh/files/mesh_file.hpp"))
        self.assertTrue(allowed("kernels/mesh/files/mesh_file.hpp", "kernels/mesh/mesh.hpp"))
        self.assertFalse(allowed("kernels/device/cpu/serial.hpp", "kernels/device/cuda/plan/cuda_plan.hpp"))
        self.assertFalse(allowed("kernels/device/cuda/plan/cuda_plan.hpp", "kernels/device/cuda/runtime/cuda.hpp"))
        self.assertFalse(allowed("kernels/cells/cell.hpp", "kernels/cells/cpu/cells_cpu.hpp"))
        self.assertFalse(allowed("kernels/jacobi/jacobi.hpp", "kernels/axpy/axpy.hpp"))
        self.assertFalse(allowed("kernels/residual/residual.hpp", "kernels/red_black_sor/red_black_sor.hpp"))
        self.assertTrue(allowed("kernels/red_black_sor/red_black_levels.cu", "kernels/residual/residual.hpp"))
        self.assertTrue(allowed("kernels/jacobi/jacobi.cpp", "kernels/jacobi/jacobi.hpp"))
        self.assertFalse(allowed("kernels/jacobi/jacobi.cpp", "solvers/linear/system/system.hpp"))
        self.assertFalse(allowed("solvers/base/solver.hpp", "solvers/linear/system/system.hpp"))
        self.assertFalse(allowed("solvers/base/solver.hpp", "kernels/axpy/axpy.hpp"))
        self.assertFalse(allowed("solvers/problems/jump.cpp", "solvers/linear/system/system.hpp"))
        self.assertFalse(allowed("solvers/linear/stationary/sor.cpp", "solvers/linear/multigrid/multigrid.hpp"))
        self.assertFalse(allowed("solvers/linear/krylov/cg.cpp", "solvers/flow/coupling.hpp"))
        self.assertFalse(allowed("solvers/block/steps.cpp", "solvers/flow/coupling.hpp"))
        self.assertTrue(allowed("solvers/flow/coupling.cpp", "solvers/linear/table.hpp"))
        self.assertTrue(allowed("solvers/linear/krylov/cg.cpp", "solvers/problems/problem.hpp"))
        self.assertFalse(allowed("tuning/search.hpp", "kernels/device/backend.hpp"))
        self.assertFalse(allowed("bench/catalog/catalog.cpp", "bench/tuned/tuned_lookup.hpp"))
        self.assertFalse(allowed("bench/record/record.hpp", "bench/case/case.hpp"))
        self.assertFalse(allowed("bench/tune/tune_rows.hpp", "bench/commands/setting_options.hpp"))
        self.assertTrue(allowed("bench/tune/tune_rows.hpp", "bench/tuned/tuned_table.hpp"))
        self.assertTrue(allowed("bench/catalog/catalog.cpp", "solvers/linear/table.hpp"))


if __name__ == "__main__":
    unittest.main()

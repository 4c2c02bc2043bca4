"""For each experiment the records of a machine on which its main finding holds, and of one on which it does not.

Some have no finding that could fail: review-smoothing, whose document states neither a time nor a ratio, the
review's tables 2 and 3, whose numbers are lost, and Menon's tables 8.1 to 8.3, of whose ratios all need several
GPUs. menon-figure-3.2 needs no records."""

from __future__ import annotations

from support import kernel, mesh_kernel, mesh_solver, solver

COEFFICIENTS = "red_black_sor;operator=arrays"
CORE, CORES, GPU = "serial/fp32/plain", "openmp/fp32/plain", "cuda/fp32/plain"


def times(name: str, side: int, dims: int = 2, **seconds: float) -> list[dict]:
    """Records of a kernel; a key names the row with _ for /: cuda_fp32_plain=0.1."""
    return [kernel(name, key.replace("_", "/", 2), side, s, dims) for key, s in seconds.items()]


def sweep(gpu: float) -> list[dict]:
    return times(COEFFICIENTS, 1024, serial_fp32_plain=1.0, openmp_fp32_plain=0.5, cuda_fp32_plain=gpu)


def plate(gpu: float) -> list[dict]:
    def solved(row: str, seconds: float) -> dict:
        question = {"problem": "heated_plate_cells"}
        return solver("sor", row, 511, seconds, 800, workload=question, facts={"error_l2": 1e-4})

    return [solved(CORE, 1.0), solved(CORES, 0.6), solved(GPU, gpu)]


def memory_paths(shared: float, readonly: float) -> list[dict]:
    sweeps = times(
        COEFFICIENTS, 1024, cuda_fp32_plain=1.0, cuda_fp32_shared=shared, cuda_fp32_readonly=readonly
    )
    return sweeps + times("smoothing", 128, 3, cuda_fp32_plain=1.0, cuda_fp32_planes=shared)


def smoothing(planes: float) -> list[dict]:
    return times(
        "smoothing",
        128,
        3,
        serial_fp32_plain=20.0,
        openmp_fp32_plain=10.0,
        cuda_fp32_plain=1.0,
        cuda_fp32_planes=planes,
    )


def layouts(blocks: float) -> list[dict]:
    rows = []
    for backend, precision in (("cuda", "fp32"), ("cuda", "fp64"), ("serial", "fp32"), ("serial", "fp64")):
        for name in ("four_variable_update", "five_variable_update"):
            for method, seconds in (("array_of_structures", 1.0), ("structure_of_arrays", blocks)):
                rows.append(kernel(name, f"{backend}/{precision}/{method}", 1024, seconds))
    rows.append(kernel("four_variable_update", "cuda/fp32/vector_loads", 1024, blocks))
    return rows + [kernel("five_variable_update", "cuda/fp64/vector_loads", 1024, blocks)]


def precisions(fp64: float) -> list[dict]:
    """The kernel that threads of a colour do costs what its bytes do; plain ones have less of a factor."""
    rows = times("red_black_sor", 4096, serial_fp32_plain=9.0, serial_fp64_plain=18.0)
    for name, method, factor in (
        ("red_black_sor", "plain", 0.75),
        ("red_black_sor", "coloured", 1.0),
        (COEFFICIENTS, "plain", 1.0),
    ):
        rows.append(kernel(name, f"cuda/fp32/{method}", 4096, 1.0))
        rows.append(kernel(name, f"cuda/fp64/{method}", 4096, fp64 * factor))
    question = {"problem": "manufactured"}
    for side in (255, 1025):
        for precision, seconds, error in (("fp64", 2.0, 1e-6), ("mixed", 1.2, 1e-6), ("fp32", 1.0, 1e-4)):
            for name in ("sor", "cg"):
                facts, row = {"error_max": error, "true_residual": error}, f"cuda/{precision}/plain"
                rows.append(solver(name, row, side, seconds, 800, workload=question, facts=facts))
    for precision, seconds in (("fp64", fp64), ("mixed", 1.1), ("fp32", 1.0)):
        facts = {"true_residual": 1e-3}
        rows.append(solver("projection", f"cuda/{precision}/fused", 64, seconds, 20, dims=3, facts=facts))
    return rows


def vectors(name: str, gpu: float, **more: float) -> list[dict]:
    """Long ones, and ones in cache, where a core is ten times as fast and a GPU is not worth its launch."""
    long = times(name, 4096, serial_fp32_plain=1.0, openmp_fp32_plain=0.5, cuda_fp32_plain=gpu, **more)
    return long + times(name, 128, serial_fp32_plain=1e-4, openmp_fp32_plain=1e-4, cuda_fp32_plain=1e-3)


def sums(passes: float) -> list[dict]:
    rows = vectors("sum", passes / 4)
    for method, factor in (("local", 1.1), ("quarter", 1.0)):
        for rmin, seconds in ((32, 1.1e-3), (64, 1e-3), (128, 2e-3)):
            row, config = f"cuda/fp32/{method}", {"rmin": rmin}
            rows.append(kernel("sum", row, 4096, passes * factor * (1 + rmin / 1000), config=config))
            rows.append(kernel("sum", row, 128, seconds * factor, config=config))
    return rows


def dots(two_passes: float) -> list[dict]:
    todays = {"cuda_fp32_vector": 0.08, "cuda_fp32_two_pass": 0.08 * two_passes}
    rows = vectors("dot", 0.1, **todays, serial_fp32_two_pass=two_passes)
    for method, seconds in (("quarter", 0.2), ("two_pass_quarter", 0.2 * two_passes)):
        rows.append(kernel("dot", f"cuda/fp32/{method}", 4096, seconds, config={"rmin": 64}))
    return rows


def repeated(name: str, grid: list[int], gpu: float) -> list[dict]:
    """A case of one size, as in Menon's tables."""
    method, config = ("quarter", {"rmin": 32}) if name == "dot" else ("plain", {})
    times_of = ((f"cuda/fp32/{method}", gpu), (CORE, 1e-3), (CORES, 6e-4))
    rows = [kernel(name, row, 1, s, config=config) for row, s in times_of]
    return [{**row, "grid": grid, "nodes": grid[0] * grid[1]} for row in rows]


def on_ranks(speedup: float) -> list[dict]:
    """The projection method on one and two ranks of a host, a step on two `speedup` times as fast; and an exchange."""
    rows = []
    for nz, ranks, seconds in ((64, 1, 1.0), (64, 2, 1 / speedup), (128, 2, 2 / speedup)):
        config = {"ranks": ranks, "partition": "slabs"} if ranks > 1 else {}
        row = solver("projection", "serial/fp64/plain", 64, seconds, 10, dims=3, problem="cavity", config=config)
        rows.append({**row, "grid": [64, 64, nz], "nodes": 64 * 64 * nz, "case": f"projection/{nz}/{ranks}", "ranks": {"count": ranks}})
    exchange = kernel("halo", "serial/fp64/memory", 64, 1e-5, dims=3, config={"ranks": 2, "partition": "slabs"})
    return [*rows, exchange]


def histories(sor: float) -> list[dict]:
    """Errors that fall by a factor each iteration."""
    rows = []
    for name, factor, every in (
        ("jacobi", 0.995, 10),
        ("gauss_seidel", 0.995**2, 10),
        ("sor", sor, 10),
        ("cg", 0.87, 1),
    ):
        history = [[i, factor**i] for i in range(0, 3000, every) if factor ** i > 1e-5]
        facts = {"error_history": history}
        rows.append(
            solver(name, "serial/fp64/plain", 31, 1.0, history[-1][0], problem="manufactured", facts=facts)
        )
    return rows


def iterations(cg_over_sor: float) -> list[dict]:
    rows = []
    for side in (64, 2048):
        for row, name, seconds, launches in (
            ("cuda/fp32/shared", "sor", 1.0, 2),
            ("cuda/fp32/streamed", "sor", 0.5, 1),
            ("cuda/fp32/textbook", "cg", cg_over_sor, 8),
            ("cuda/fp32/fused", "cg", 2.0, 3),
            ("serial/fp32/plain", "sor", 20.0, 0),
            ("serial/fp32/textbook", "cg", 60.0, 0),
        ):
            facts = {"launches_per_iteration": launches}
            rows.append(solver(name, row, side, seconds * side / 2048, facts=facts))
    return rows


def flow(name: str, gpu: float) -> list[dict]:
    """Outer iterations with the fewest and the most inner calls."""
    rows = []
    for side in (64, 512):
        for sweeps, factor in ((5, 1.0), (1000, 50.0)):
            for row, seconds in (("serial/fp32/paper", 1.0), ("openmp/fp32/paper", 0.5), ("cuda/fp32/paper", gpu)):
                config, facts = {"pressure_sweeps": sweeps}, {"launches_per_iteration": 40}
                scale = factor * side / 512
                rows.append(solver(name, row, side, seconds * scale, config=config, facts=facts))
        rows.append(solver(name, "serial/fp32/rhie_chow", side, 1.1, config={"pressure_sweeps": 5}))
    return rows


def flow_kernels(occupancy: float) -> list[dict]:
    """Iterations that say which kernels they call, and how often."""
    rows = []
    for name in ("simple", "piso"):
        for sweeps in (5, 1000):
            kernels = [
                {"name": "cells_plain", "routine": "momentum", "calls": 1, "block": [64, 4, 1], "registers": 80,
                 "shared_bytes": 0, "local_bytes": 0, "occupancy": 0.375 * occupancy},
                {"name": "red_black_split", "routine": "solve p'", "calls": sweeps, "block": [64, 4, 1],
                 "registers": 30, "shared_bytes": 0, "local_bytes": 0, "occupancy": occupancy},
            ]  # fmt: skip
            config, resources = {"pressure_sweeps": sweeps}, {"kernels": kernels}
            rows.append(solver(name, "cuda/fp32/paper", 512, 1.0, config=config, resources=resources))
    return rows


def flow_memory(simple: float, piso: float) -> list[dict]:
    rows = []
    for name, size in (("simple", simple), ("piso", piso)):
        for backend in ("serial", "cuda"):
            memory = {"field_bytes": size}
            if backend == "cuda":
                memory |= {"device_used_before": 5e8, "device_used_after": 5e8 + size}
            row = solver(name, f"{backend}/fp32/paper", 1, 1.0, 1, memory=memory)
            rows.append({**row, "grid": [1024, 256], "nodes": 1024 * 256})
    return rows


def shapes(gpu: float) -> list[dict]:
    """Two shapes; the other takes twice as long everywhere."""
    rows = []
    for row, seconds in (("serial/fp32/rhie_chow", 1.0), ("openmp/fp32/rhie_chow", 0.5), ("cuda/fp32/rhie_chow", gpu)):
        for aspect in (1, 2):
            question, facts = {"exponent": 2, "aspect": aspect}, {"drag_coefficient": 3.0 + aspect}
            rows.append(solver("simple", row, 256, seconds * aspect, 400, workload=question, facts=facts, config=by("pcg", 0.1)))
    return rows


def by(pressure_solver: str, tolerance: float) -> dict:
    return {"pressure_solver": pressure_solver, "pressure_sweeps": 200, "pressure_tolerance": tolerance}


def on_the_plate(record: dict) -> dict:
    grid = [121, 41, 81]
    return {**record, "grid": grid, "nodes": 121 * 41 * 81}


def relaxed(name: str, row: str, seconds: float, **config) -> dict:
    return on_the_plate(solver(f"block_{name}", row, 1, seconds, 2, config=config))


def relaxations(gpu: float, narrow: float = 1.0, transfers: float = 0.7) -> list[dict]:
    """A step by SSOR on a core, which takes 1.7 s in 64 bits, and by Jacobi on a GPU."""
    rows = [
        relaxed("ssor", "serial/fp64/plain", 1.7),
        relaxed("ssor", "serial/fp32/plain", narrow),
        relaxed("revised_ssor", "openmp/fp32/plain", 0.6),
    ]
    for kind, more in (("none", 0.0), ("pinned", transfers / 3), ("pageable", transfers)):
        rows.append(relaxed("jacobi", "cuda/fp32/plain", gpu * (1 + more), transfers=kind, overlap="none"))
    beside = {"transfers": "pinned", "overlap": "matrices"}
    rows.append(relaxed("jacobi", "cuda/fp32/plain", gpu * (1 + transfers / 6), **beside))
    return rows


def threads(gain: float) -> list[dict]:
    """Revised SSOR, of which `gain` is what four threads give."""
    rows = []
    for count, power in ((1, 0.0), (2, 0.5), (4, 1.0)):
        for method in ("points", "hyperplanes"):
            rows.append(relaxed("ssor", f"openmp/fp64/{method}", 1.0, threads=count))
        rows.append(relaxed("revised_ssor", "openmp/fp64/plain", 1.2 / gain**power, threads=count))
    return rows


def block_histories(ssor: float, mixed: float) -> list[dict]:
    """Errors that fall by a factor each step."""
    rows = []
    for name, precision, factor in (("jacobi", "fp64", 0.85), ("ssor", "fp64", ssor), ("jacobi", "mixed", mixed)):
        history = [[i, factor**i] for i in range(400) if factor**i > 1e-9]
        row, facts = f"serial/{precision}/plain", {"error_history": history, "history": history}
        rows.append(solver(f"block_{name}", row, 1, 1.0, history[-1][0], facts=facts))
    grid = {"grid": [31, 11, 21], "nodes": 31 * 11 * 21}
    return [{**row, **grid, "config": {**row["config"], "pairs": pairs}} for row in rows for pairs in (3, 5, 10)]


def cycles(smoothing: float, by_level: float = 0.9) -> list[dict]:
    """Shares of a cycle's parts; of the rest two thirds are restriction's. And levels by blocks of one shape and another."""
    rest = 1 - smoothing
    parts = {"smooth": 0.98 * smoothing, "coarsest": 0.02 * smoothing, "restrict": rest * 2 / 3, "prolong": rest / 3}
    told = [{"name": name, "seconds": seconds, "calls": 40} for name, seconds in {**parts, "residual": 0.3}.items()]
    question, facts = {"problem": "jump"}, {"routines": told}
    return [
        solver("multigrid", f"{backend}/fp32/plain", 127, 1.0, 8, dims=3, workload=question, facts=facts)
        for backend in ("cuda", "serial", "openmp")
    ] + [
        solver(
            "multigrid",
            "cuda/fp32/plain",
            128,
            seconds,
            8,
            dims=3,
            workload=question,
            config={"level_blocks": blocks},
            facts={**facts, "level_times": levels(0.8 * seconds, 0.2 * seconds)},
        )
        for blocks, seconds in (("32x1x8", 1.0), ("4x4x4", 1.5), ("32x1x8/4x4x4", by_level), ("tuned", 0.8), ("same", 0.9))
    ]


def levels(fine: float, coarse: float) -> list[dict]:
    """Seconds of two, of a solve."""
    told = (("128x128x128 smooth", fine), ("64x64x64 smooth", coarse))
    return [{"name": name, "seconds": seconds, "calls": 8} for name, seconds in told]


def steps(sweeping: float) -> list[dict]:
    """Shares of a projection step's routines; of the rest half is the advance in time."""
    rest = 1 - sweeping
    advance = {"momentum fluxes": 0.4 * rest, "adams bashforth": 0.1 * rest}
    others = {"divergence": 0.05 * rest, "correct": 0.05 * rest}
    parts = {"smooth": 0.9 * sweeping, "coarsest": 0.1 * sweeping, "residual": 0.2 * rest, "restrict": 0.2 * rest}
    told = [{"name": n, "seconds": s, "calls": 100} for n, s in {**parts, **advance, **others}.items()]
    return [
        solver("projection", f"{backend}/fp64/plain", 64, 1.0, 100, dims=3, facts={"routines": told})
        for backend in ("cuda", "serial", "openmp")
    ]


def pressure_shares(pressure: float) -> list[dict]:
    """Steps of a second, of which the pressure takes so much by SOR and less by one cycle of multigrid."""
    rows = []
    for solver_of, tolerance, most, share in (
        ("sor", 1e-4, 2000, pressure),
        ("sor", 1e-2, 2000, 0.98 * pressure),
        ("multigrid", 1e-4, 2000, 0.95 * pressure),
        ("multigrid", 0.0, 1, 0.5 * pressure),
    ):
        routine = "sweep" if solver_of == "sor" else "smooth"
        parts = {routine: share, "momentum fluxes": 0.9 * (1 - share), "divergence": 0.1 * (1 - share)}
        told = [{"name": name, "seconds": seconds, "calls": 50} for name, seconds in parts.items()]
        config = {"pressure_solver": solver_of, "pressure_tolerance": tolerance, "pressure_sweeps": most}
        for backend in ("serial", "openmp", "cuda"):
            row = f"{backend}/fp64/plain"
            rows.append(solver("projection", row, 64, 1.0, 50, config=config, facts={"routines": told}))
    return rows


def cavities(turned: float) -> list[dict]:
    """At rest at a Reynolds number of 1000, on two meshes; the finer has its vortex `turned` times as strong."""
    facts = {"vortex_x": 0.53, "vortex_y": 0.565, "u_min": -0.388, "right_eddy_psi": 1.75e-3, "left_eddy_x": -0.08}
    facts["profile_difference"] = 0.0123
    rows = []
    for backend in ("serial", "cuda"):
        for side, factor in ((32, 0.8), (64, turned)):
            told = {**facts, "vortex_psi": -0.1189 * factor}
            row, question = f"{backend}/fp64/fused", {"problem": "cavity", "reynolds": 1000.0}
            rows.append(solver("projection", row, side, 1.0, 9000, workload=question, facts=told))
    return rows


def divisions(first: float) -> list[dict]:
    """Steps with blocks of several shapes; the first takes `first` times as long as the best."""
    rows = [solver("projection", f"{backend}/fp64/plain", 32, 9.0, 100, dims=3) for backend in ("serial", "openmp")]
    for side in (64, 128):
        for shape, seconds in (("usual", 1.1), ("4x4x4", first), ("32x1x8", 1.0), ("64x4x1", 1.1)):
            row, config = "cuda/fp64/plain", {"block_shape": shape}
            rows.append(solver("projection", row, side, seconds * (side / 64) ** 3, 100, dims=3, config=config))
    return rows


def cubes() -> list[dict]:
    """100 steps on three grids of a GPU, 10 ns a cell in 32 bits and 20 in 64, and on cores."""
    rows = [solver("projection", "openmp/fp32/fused", 64, 1.0, 100, dims=3)]
    for side in (128, 256, 512):
        for precision, cost in (("fp32", 10e-9), ("fp64", 20e-9)):
            rows.append(solver("projection", f"cuda/{precision}/fused", side, 100 * cost * side**3, 100, dims=3))
    return rows


MESHES = ("tetrahedra-7x22x271+8629", "tetrahedra-55x55x55", "triangles-707x707")


def operator(name: str, gpu: float, core: str = CORE) -> list[dict]:
    """Two numberings on two meshes of tetrahedra and one of triangles; random ones take twice the time."""
    return [
        mesh_kernel(name, row, mesh, seconds * factor, numbering)
        for mesh in MESHES
        for row, seconds in ((core, 1.0), (CORES, 0.5), (GPU, gpu))
        for numbering, factor in (("lattice", 1), ("random", 2))
    ]


def both_meshes(gpu: float) -> list[dict]:
    return [
        mesh_kernel("mesh_gradient", row, mesh, seconds)
        for mesh in ("triangles-120x120+17256", "tetrahedra-7x22x271+8629")
        for row, seconds in ((CORE, 1.0), (CORES, 0.5), (GPU, gpu))
    ]


def fluxes(replication: float) -> list[dict]:
    """Colours take a second."""
    strategies = {"replicated": replication, "coloured": 1.0, "atomic": 0.6, "plain": 0.7}
    return [
        mesh_kernel("mesh_flux", f"{backend}/fp32/{method}", mesh, seconds, numbering)
        for backend in ("cuda", "serial")
        for mesh in MESHES
        for numbering in ("hilbert", "random")
        for method, seconds in strategies.items()
    ]


def renumbered(gain: float) -> list[dict]:
    """At random a step takes a second."""
    orders = {"random": 1.0, "hilbert": 1 / gain, "rcm": 1.02 / gain, "lattice": 1 / gain, "random_faces": 1.5}
    return [
        mesh_kernel(name, f"{backend}/fp32/plain", mesh, seconds, numbering)
        for name in ("mesh_flux", "mesh_gradient", "mesh_divergence")
        for backend in ("cuda", "openmp")
        for mesh in MESHES
        for numbering, seconds in orders.items()
    ]


def conduction(gpu: float) -> list[dict]:
    """Without a stored matrix a solve takes a second on one core; with one half of it, and on all cores a quarter."""
    rows = {"serial/fp32/cells": 1.0, "serial/fp32/csr": 0.5, "openmp/fp32/csr": 0.25, "cuda/fp32/cells": gpu,
            "cuda/fp32/csr": 0.1, "cuda/fp32/persistent": 0.05}
    return [
        mesh_solver("mesh_cg", row, mesh, seconds, problem="mesh_conduction")
        for mesh in ("triangles-120x120+17256", "triangles-1000x1000", "tetrahedra-5x45x129+1445")
        for row, seconds in rows.items()
    ]


# Routines of a step that CG solves, and their share of its time.
SYSTEMS = {"fractional_step": {"momentum": 0.3, "pressure": 0.6}, "exact_step": {"stream function": 0.9}}


def cavity_steps(name: str, gpu: float, routine: str = "") -> list[dict]:
    """Three steps that one core takes a second for and all cores half of it. On the GPU they take `gpu`, or only the
    routine does and all else takes as long as on a core. All systems take 50 iterations a step."""

    def solved(row: str, mesh: str, seconds: float, tolerance: float) -> dict:
        told = {
            system: share * (1.0 if routine not in ("", system) and row == GPU else seconds)
            for system, share in SYSTEMS[name].items()
        } | {"interpolation": 0.1 * seconds}
        record = mesh_solver(
            name, row, mesh, seconds, 3, "mesh_cavity",
            routines=[{"name": system, "seconds": s, "calls": 3} for system, s in told.items()],
            **{f"{system.split()[0]}_iterations": 50.0 for system in SYSTEMS[name]},
        )
        return {**record, "config": {"cg_tolerance": tolerance}, "case": f"{record['case']};{tolerance}"}

    return [
        solved(row, mesh, seconds, tolerance)
        for tolerance in (0, 1e-4)
        for mesh in ("triangles-120x120+17256", "triangles-707x707")[: 2 if tolerance == 0 else 1]
        for row, seconds in ((CORE, 1.0), (CORES, 0.5), (GPU, gpu))
    ]


AGREES = {
    "jespersen-figure-1": block_histories(0.84, 0.85),
    "jespersen-figure-2": block_histories(0.84, 0.85),
    "jespersen-table-1": relaxations(0.4),
    "jespersen-table-3": relaxations(0.4),
    "jespersen-table-4": relaxations(0.4),
    "jespersen-table-5": threads(2.0),
    "normore-figure-2.4": histories(0.82),
    "normore-figure-6.1": iterations(900.0),
    "normore-figure-6.13": flow_memory(30e6, 50e6),
    "normore-table-6.3": flow("simple", 0.005),
    "normore-table-6.4": flow("simple", 0.003),
    "normore-table-6.5": flow("piso", 0.01),
    "normore-table-6.6": flow("piso", 0.005),
    "normore-table-6.7": flow_kernels(1.0),
    "normore-table-8.1": shapes(1 / 8),
    "review-laplace": sweep(0.05),
    "review-smoothing": smoothing(0.8),
    "review-memory": memory_paths(0.82, 0.72),
    "review-multigrid": cycles(0.75),
    "review-figure-19": steps(0.65),
    "review-table-2": cavities(1.0),
    "review-table-4": divisions(2.5),
    "review-table-3": cavities(1.0),
    "review-layout": layouts(0.5),
    "review-precision": precisions(2.0),
    "menon-figure-2.5": vectors("axpy", 0.1),
    "menon-figure-4.4": sums(0.25),
    "menon-figure-4.6": dots(1.5),
    "menon-figure-3.2": [],
    "menon-figure-5.2": operator("mesh_gradient", 0.2),
    "menon-figure-5.3": operator("mesh_divergence", 0.4, "serial/fp32/in_order"),
    "menon-figure-5.4": operator("mesh_rotation", 0.5) + operator("mesh_curl", 0.5),
    "menon-figure-5.5": operator("mesh_interpolation", 0.25),
    "menon-figure-5.6": operator("mesh_integration", 0.25),
    "menon-figure-6.3": conduction(0.4),
    "menon-figure-7.3": cavity_steps("fractional_step", 0.35, "momentum"),
    "menon-figure-7.4": cavity_steps("fractional_step", 0.35, "pressure"),
    "menon-figure-7.5": cavity_steps("exact_step", 0.35),
    "menon-table-8.3": both_meshes(0.2),
    "review-flux": fluxes(1 / 1.17),
    "review-renumber": renumbered(1.7),
    "menon-table-8.1": repeated("axpy", [1000, 600], 3e-6),
    "menon-table-8.2": repeated("dot", [2000, 1000], 2e-5),
    "review-scaling": on_ranks(1.8),
    "shinn-heat": sweep(0.05) + plate(0.1),
    "shinn-memory": times(COEFFICIENTS, 1024, cuda_fp32_plain=1.0, cuda_fp32_shared_branches=1.5),
    "shinn-poisson-share": pressure_shares(0.9),
    "weymouth-cost": cubes(),
}

DIFFERS = {
    "jespersen-figure-1": block_histories(0.9, 0.85),
    "jespersen-figure-2": block_histories(0.84, 0.9),
    "jespersen-table-1": relaxations(3.0),
    "jespersen-table-3": relaxations(0.4, transfers=-0.3),
    "jespersen-table-4": relaxations(0.4, narrow=2.0),
    "jespersen-table-5": threads(0.8),
    "normore-figure-2.4": histories(0.996),
    "normore-figure-6.1": iterations(0.9),
    "normore-figure-6.13": flow_memory(10e6, 9e6),
    "normore-table-6.3": flow("simple", 2.0),
    "normore-table-6.4": flow("simple", 2.0),
    "normore-table-6.5": flow("piso", 2.0),
    "normore-table-6.6": flow("piso", 2.0),
    "normore-table-6.7": flow_kernels(0.25),
    "normore-table-8.1": shapes(2.0),
    "review-laplace": sweep(2.0),
    "review-scaling": on_ranks(0.9),
    "review-memory": memory_paths(1.2, 1.0),
    "review-multigrid": cycles(0.5),
    "review-figure-19": steps(0.3),
    "review-table-4": divisions(0.7),
    "review-layout": layouts(1.5),
    "review-precision": precisions(1.0),
    "menon-figure-2.5": vectors("axpy", 2.0),
    "menon-figure-4.4": sums(2.0),
    "menon-figure-4.6": dots(0.9),
    "menon-figure-5.2": operator("mesh_gradient", 2.0),
    "menon-figure-5.3": operator("mesh_divergence", 2.0, "serial/fp32/in_order"),
    "menon-figure-5.4": operator("mesh_rotation", 2.0),
    "menon-figure-5.5": operator("mesh_interpolation", 2.0),
    "menon-figure-5.6": operator("mesh_integration", 2.0),
    "menon-figure-6.3": conduction(2.0),
    "menon-figure-7.3": cavity_steps("fractional_step", 2.0),
    "menon-figure-7.4": cavity_steps("fractional_step", 2.0),
    "menon-figure-7.5": cavity_steps("exact_step", 2.0),
    "review-flux": fluxes(1.2),
    "review-renumber": renumbered(0.8),
    "shinn-heat": sweep(2.0) + plate(2.0),
    "shinn-memory": times(COEFFICIENTS, 1024, cuda_fp32_plain=1.0, cuda_fp32_shared_branches=0.7),
    "shinn-poisson-share": pressure_shares(0.4),
}

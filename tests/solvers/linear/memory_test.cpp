// Memory of a solver, counted without allocating it.
#include "kernels/device/backends/counting.hpp"
#include "kernels/device/cpu/host_memory.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/linear/counting.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

TEST_CASE("the counted bytes equal the allocations of every solver, method and precision",
          "[solvers][memory]") {
  for (BackendKind kind : backends_here()) {
    if (kind == BackendKind::cuda) continue;  // cuda_emulation/memory_test.cpp
    for (const auto& [name, grid] : {std::pair{"manufactured", Grid{33, 21}},
                                     {"jump", {33, 21}},
                                     {"manufactured", {9, 12, 10}},
                                     {"jump", {9, 12, 10}},
                                     {"insulated", {33, 21}},
                                     {"periodic_box", {32, 24}},
                                     {"periodic_channel", {32, 23}},
                                     {"graded_channel", {15, 24}}}) {
      const auto problem = posed(name, grid);
      for (const SolverDescription& solver : solver_table())
        for (const SolverMethod& method : solver.methods(kind))
          for (Precision p : all_precisions) {
            if (!can_do(method, shape_of(*problem, p)) || !refusal(solver, *problem->description).empty())
              continue;
            INFO(to_string(kind) << " " << name << " " << solver.name << " " << method.name << " "
                                 << to_string(p));
            CountedHost real(backend(kind));
            const Config config = method.space.defaults();
            const PreparedSolver prepared(solver, method, real, p, config, problem);
            CHECK(solver_bytes(method, kind, shape_of(*problem, p), config) == real.most());
            CHECK(prepared.field_bytes() == real.most());
          }
    }
  }
}

TEST_CASE("fused CG on one core needs memory for u, b, r and two directions only", "[solvers][memory]") {
  const Grid g{100, 50};
  const SolverMethod fused = method_named(solver_named("cg"), BackendKind::serial, "fused");
  const std::size_t bytes =
      solver_bytes(fused, BackendKind::serial, {g, true, Precision::fp64}, fused.space.defaults());
  const std::size_t scalars = 4 * sizeof(double);  // p.q, r.r of two iterations, and infinity
  CHECK(bytes == 5 * Layout(g).elements * sizeof(double) + scalars);
}

TEST_CASE("a solve that is too large for any machine can be counted", "[solvers][memory]") {
  const Grid g{1000000, 1000000};
  const SolverMethod sor = solver_named("sor").methods(BackendKind::serial).front();
  const std::size_t bytes =
      solver_bytes(sor, BackendKind::serial, {g, true, Precision::fp64}, sor.space.defaults());
  CHECK(bytes > 2 * std::size_t(g.cells()) * sizeof(double));  // u and b
  CHECK(bytes > available_host_memory());
}

TEST_CASE("nothing can run on a counting backend", "[solvers][memory]") {
  counted_bytes(BackendKind::serial, [](Backend& counting) {
    CHECK(only_counts(counting));
    const DeviceScalar scalar(counting);
    CHECK_THROWS_AS(scalar.get(), std::logic_error);
  });
  CHECK_FALSE(only_counts(backend(BackendKind::serial)));
}

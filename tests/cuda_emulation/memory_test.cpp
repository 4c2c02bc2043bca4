// A solver's allocations on CUDA are counted without a device.
#include "kernels/device/backends/counting.hpp"
#include "kernels/device/cuda/runtime/cuda.hpp"
#include "solvers/linear/system/csr.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/cases.hpp"
#include "tests/cuda_emulation/emulated_backend.hpp"
#include "tests/solvers/linear/counting.hpp"

using namespace cfdmark;

TEST_CASE("the counted bytes are those that preparing a solver allocates on an emulated device",
          "[cuda][memory]") {
  EmulatedCuda device;
  for_each_cuda_solver([&](const auto& solver, const auto& method, Precision p, const auto& problem) {
    INFO(solver.name << " " << method.name << " " << to_string(p) << " " << problem->description->name);
    CountedCuda real(device);
    const Config config = method.space.defaults();
    const PreparedSolver prepared(solver, method, real, p, config, problem);
    CHECK(prepared.field_bytes() == real.most());
  });
}

TEST_CASE("a library's solver is counted with its matrix, which is not assembled", "[cuda][memory]") {
  const Grid g{20000, 20000};  // the matrix would take a minute and 28 GB
  for (const SolverDescription& solver : solver_table())
    for (const SolverMethod& method : solver.methods(BackendKind::cuda))
      if (solver.name == "cg" && method.library) {
        const double bytes = double(
            solver_bytes(method, BackendKind::cuda, {g, true, Precision::fp64}, method.space.defaults()));
        const double cells = double(g.cells()) * 8, field = double(Layout(g).elements) * 8;
        // u, b and the first residual are fields; x, r, p and q have no ghosts
        CHECK(bytes == Approx(csr_bytes(g, 8) + 4 * cells + 3 * field).epsilon(1e-6));
        CHECK(method.host_bytes({g, true, Precision::fp64}) == csr_bytes(g, 8));
        CHECK_THROWS_WITH(solver_bytes(method, BackendKind::cuda, {{30000, 30000}, true, Precision::fp64},
                                       method.space.defaults()),
                          ContainsSubstring("32-bit"));
      }
}

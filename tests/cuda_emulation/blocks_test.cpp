// Block solvers on an emulated device.
#include <cstring>

#include "kernels/device/cuda/plan/cuda_offline.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/block_cases.hpp"
#include "tests/cuda_emulation/emulated_backend.hpp"

using namespace cfdmark;

namespace {

// Compares each solver on `device` with a CPU core: with and without transfers of a kind, in sequence or
// overlapped with the relaxation, and with graphs.
void check_against_a_core(Backend& device, const char* transfers) {
  for_each_cuda_block_solver([&](const auto& solver, const auto& method, Precision p, const auto& problem) {
    INFO(solver.name << " " << method.name << " " << to_string(p));
    const int steps = p == Precision::mixed ? 4 : 1;
    const SolvedBlocks serial = solve_blocks_serially(solver.name, p, {{"pairs", 1}}, problem, steps);
    std::vector<Config> ways = emulated_layouts(method, p);
    if (p == Precision::mixed) {
      for (Config layout : emulated_layouts(method, p)) {
        if (method.name != "plain") continue;  // overlapped work is the same for all methods
        layout.set("transfers", transfers), layout.set("overlap", "matrices");
        ways.push_back(layout);
      }
      ways.insert(ways.end(), {Config{{"transfers", transfers}}, Config{{"graph_iterations", 2}}});
    }
    for (Config config : ways) {
      INFO(config.text());
      config.set("pairs", 1), config.set("check_interval", steps);
      const SolvedBlocks found = solve_blocks_on(device, method, p, config, problem, steps);
      REQUIRE(found.x.bytes() == serial.x.bytes());
      CHECK(std::memcmp(found.x.data(), serial.x.data(), serial.x.bytes()) == 0);
      CHECK(found.outcome.relative_residual == Approx(serial.outcome.relative_residual).epsilon(1e-4));
    }
  });
}

}  // namespace

TEST_CASE("every block solver gives the same bits on an emulated device as on a core", "[cuda][blocks]") {
  EmulatedCuda device;
  check_against_a_core(device, "pageable");
}

TEST_CASE("every block solver gives the same bits on a device as on a core", "[cuda][blocks][gpu]") {
  if (const std::string reason = unavailable_reason(BackendKind::cuda); !reason.empty()) {
    WARN("skipped: " << reason);
    return;
  }
  for (const char* transfers : {"pageable", "pinned"})
    check_against_a_core(backend(BackendKind::cuda), transfers);
}

TEST_CASE("overlap needs transfers, and an overlapped transfer is counted with a field of its own",
          "[cuda][blocks]") {
  const BlockMethod method = find_block_solver("block_jacobi")->methods(BackendKind::cuda).front();
  CHECK_THROWS_WITH(method.space.complete({{"overlap", "matrices"}}), ContainsSubstring("transfers=pinned"));
  const auto bytes = [&](const char* layout, const char* overlap) {
    const Config config{{"layout", layout}, {"transfers", "pageable"}, {"overlap", overlap}};
    return block_solver_bytes(method, BackendKind::cuda, Precision::fp64, Grid{8, 8, 8},
                              method.space.complete(config));
  };
  CHECK(bytes("soa_block", "matrices") == bytes("soa_block", "none"));
  const Grid matrices = block_matrices_grid(Grid{8, 8, 8}, BlockLayout::aos25);
  CHECK(bytes("aos25", "matrices") == bytes("aos25", "none") + Layout(matrices).elements * sizeof(double));
}

TEST_CASE("the steps of block solvers compile for sm_90 and spill nothing", "[cuda][blocks]") {
  CudaOffline offline;
  for_each_cuda_block_solver([&](const auto&, const auto& method, Precision p, const auto& problem) {
    if (method.name == "plain") PreparedBlocks(method, offline, p, method.space.defaults(), problem);
  });
  for (const CompiledFunction& function : offline.compile("sm_90")) {
    INFO(function.expression);
    CHECK(function.report.spill_bytes == 0);
  }
}

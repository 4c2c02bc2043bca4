// Kernels on several CUDA devices: emulated, and on real ones where there are two.
#include <fmt/format.h>

#include <atomic>
#include <limits>

#include "bench/case/ranked_case.hpp"
#include "bench/case/row_settings.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/measure/rank_devices.hpp"
#include "kernels/ranks/device_links.hpp"
#include "kernels/ranks/overlap.hpp"
#include "kernels/ranks/thread_ranks.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/ranked_devices.hpp"
#include "tests/cuda_emulation/ranked_kernels.hpp"
#include "tests/ranks/partitions.hpp"

using namespace cfdmark;

namespace {

// Exchanges the overlaps of a field several times and returns the number of this rank's cells with a wrong
// value. Cells of other ranks are NaN before.
int wrong_cells_of_overlap(Ranks& ranks, Backend& on, const Partition& partition, int layers) {
  const CellBox own = partition.part(ranks.rank()).own, cells = with_overlap(partition, ranks.rank(), layers);
  HostField field(partition.grid_of(cells, 1), Precision::fp64);
  const DeviceLinks links(ranks, on, PeerWay::store);
  const auto exchange = links.exchange_overlap(partition, layers, field.view());
  const auto for_each = [&](const auto& f) {
    for_each_cell(field.grid(), false,
                  [&](int i, int j, int k) { f(i, j, k, cells.i + i, cells.j + j, cells.k + k); });
  };
  const auto value = [](int i, int j, int k, int run) { return i + 1e2 * j + 1e4 * k + 1e6 * run; };
  int wrong = 0;
  for (int run = 0; run < 3; ++run) {
    for_each([&](int i, int j, int k, int in_x, int in_y, int in_z) {
      field.set(i, j, k,
                own.has(in_x, in_y, in_z) ? value(in_x, in_y, in_z, run)
                                          : std::numeric_limits<double>::quiet_NaN());
    });
    exchange.step.run();
    for_each([&](int i, int j, int k, int in_x, int in_y, int in_z) {
      wrong += field.get(i, j, k) != value(in_x, in_y, in_z, run);
    });
  }
  return wrong;
}

// Methods that make several steps on a message, with settings whose functions are emulated.
struct SeveralSteps {
  const char* kernel;
  const char* method;
  Config config = {};
  std::vector<Grid> grids = {{61, 64}, {61, 24}};
};
const std::vector<SeveralSteps> methods_of_several_steps = {
    {"jacobi", "pipelined", {{"packs", 2}, {"sweeps_a_warp", 2}, {"warps", 3}, {"sweeps", 12}}},
    {"jacobi", "persistent", {{"cells", 2}, {"rows", 4}, {"warps", 8}, {"depth", 2}, {"sweeps", 5}}},
    {"jacobi", "repeated", {{"sweeps", 4}}, {{61, 64}, {20, 16, 24}}},
    {"jacobi_laplace", "pipelined", {{"packs", 2}, {"sweeps_a_warp", 2}, {"warps", 2}, {"sweeps", 7}}},
    {"red_black_sor", "staged", {{"packs", 2}, {"sweeps_a_warp", 2}, {"warps", 3}, {"sweeps", 6}}},
    {"red_black_sor", "persistent", {{"cells", 2}, {"rows", 4}, {"warps", 8}, {"depth", 2}, {"sweeps", 5}}},
    {"red_black_sor", "pipelined", {{"sweeps", 3}}},
    {"red_black_sor", "planes", {}, {{20, 16, 24}}},
    {"red_black_sor", "repeated", {{"sweeps", 2}}, {{61, 64}, {20, 16, 24}}},
};

}  // namespace

TEST_CASE("every cell of parts that overlap holds its owner's value, over several ranks too",
          "[cuda][ranks]") {
  int exchanges = 0;
  for (const Grid& whole : {Grid{9, 22}, Grid{6, 7, 9}})
    for (const int layers : {2, 5})
      for_each_partition(whole, 4, 1, {}, [&](const Partition& partition) {
        INFO(partition.counts()[0] << "x" << partition.counts()[1] << "x" << partition.counts()[2] << ", "
                                   << layers);
        EmulatedDevices machine(partition.ranks());
        std::atomic<int> wrong = 0;
        on_thread_ranks(partition.ranks(), [&](Ranks& ranks) {
          wrong +=
              wrong_cells_of_overlap(ranks, machine.devices[std::size_t(ranks.rank())], partition, layers);
        });
        CHECK(wrong == 0);
        ++exchanges;
      });
  CHECK(exchanges >= 20);
}

TEST_CASE("kernels on emulated devices leave the expected results, and their records name devices and way",
          "[cuda][ranks]") {
  EmulatedDevices machine(3);
  for (const PeerWay way : all_peer_ways)
    for (int ranks : {2, 3}) {
      INFO(ranks << " by " << to_string(way));
      CHECK(kernel_failure("jacobi", "plain", {37, 29}, ranks, way) == "");
      CHECK(kernel_failure("jacobi", "column", {37, 29}, ranks, way) == "");
      CHECK(kernel_failure("red_black_sor", "plain", {37, 29}, ranks, way) == "");
      CHECK(kernel_failure("apply", "plain", {37, 29}, ranks, way) == "");
      CHECK(kernel_failure("residual", "plain", {37, 29}, ranks, way) == "");
      CHECK(kernel_failure("axpy", "vector", {37, 29}, ranks, way) == "");
      CHECK(kernel_failure("dot", "plain", {37, 29}, ranks, way) == "");
      // Messages alone.
      CHECK(kernel_failure("halo", "memory", {37, 29}, ranks, way) == "");
      CHECK(kernel_failure("halo", "memory", {13, 7, 11}, ranks, way) == "");
      CHECK(kernel_failure("sum_over_ranks", "memory", {5, 29}, ranks, way) == "");
    }
}

TEST_CASE("solves on a device each take the iterations of one, and their record names the devices",
          "[cuda][ranks]") {
  EmulatedDevices machine(2);
  for (const Row& row : catalog())
    if (row_name(row) == "cg/cuda/fp64/textbook") {
      Case c{&row, Grid{24, 20}, with_ranks(row.space.defaults(), {{"ranks", 2}, {"partition", "copies"}}),
             workload_of(row, {{"max_iterations", 30}}), ""};
      const auto copies = prepare_workload(c, backend(BackendKind::cuda));
      CHECK(copies->verify().passed);
      Case alone = c;
      alone.config = row.space.defaults();
      const auto one = prepare_workload(alone, backend(BackendKind::cuda));
      CHECK(one->verify().passed);
      for (Workload* workload : {copies.get(), one.get()}) workload->reset(), workload->run();
      CHECK(copies->iterations() == one->iterations());
      const Json facts = with_devices(copies->rank_facts(), c, backend(BackendKind::cuda));
      CHECK(facts["devices"][1]["index"] == 1);
      return;
    }
  FAIL("no such row");
}

TEST_CASE("kernels that make several steps on a message leave the bits of one device, on thin parts too",
          "[cuda][ranks]") {
  EmulatedDevices machine(3);
  for (const SeveralSteps& of : methods_of_several_steps)
    for (const Grid& grid : of.grids)
      for (int ranks : {2, 3}) {
        INFO(of.kernel << " by " << of.method << " on " << ranks << ", " << grid_text(grid));
        CHECK(kernel_failure(of.kernel, of.method, grid, ranks, PeerWay::store, of.config) == "");
      }
}

TEST_CASE("kernels on two devices leave the expected results", "[cuda][ranks][gpu]") {
  if (skipped_without_two_devices()) return;
  for (const PeerWay way : ways_of(backend(BackendKind::cuda))) {
    for (const char* kernel : {"jacobi", "red_black_sor", "apply", "residual", "dot"}) {
      INFO(kernel << " by " << to_string(way));
      CHECK(kernel_failure(kernel, "plain", {1031, 1024}, 2, way) == "");
      CHECK(kernel_failure(kernel, "plain", {1031, 517}, 2, way) == "");
    }
    CHECK(kernel_failure("halo", "memory", {1031, 1024}, 2, way) == "");
    CHECK(kernel_failure("sum_over_ranks", "memory", {1, 8192}, 2, way) == "");
  }
  for (const SeveralSteps& of : methods_of_several_steps) {
    const Grid grid = of.grids.back().is_3d() ? Grid{128, 96, 128} : Grid{1024, 1024};
    INFO(of.kernel << " by " << of.method << ", " << grid_text(grid));
    CHECK(kernel_failure(of.kernel, of.method, grid, 2, PeerWay::store) == "");
  }
}

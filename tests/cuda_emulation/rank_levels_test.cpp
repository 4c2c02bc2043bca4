// Multigrid on ranks of CUDA devices: emulated, and on real ones where there are two.
#include "kernels/device/cuda/plan/cuda_offline.hpp"
#include "tests/cuda_emulation/part_cases.hpp"
#include "tests/cuda_emulation/ranked_devices.hpp"

using namespace cfdmark;

namespace {

// gather_cells of 1 keeps levels parted as long as cuts are at even cells.
constexpr int all_parted = 1, all_repeated = 1000000;

RankedDevices by_cycles(const char* solver, const char* problem, const Grid& grid, int gather,
                        Precision precision = Precision::fp64) {
  const bool is_alone = solver == std::string("multigrid");
  return {.solver = solver,
          .method = is_alone ? "plain" : "multigrid",
          .problem = problem,
          .grid = grid,
          .precision = precision,
          .config = {{"check_interval", 1}},
          .iterations = 3,
          .on_ranks = {{"gather_cells", gather}}};
}

RankedDevices gathered(RankedDevices c) {
  c.on_ranks.set("coarse", "gathered");
  return c;
}

RankedDevices with(RankedDevices c, const char* setting, const Value& value) {
  c.config.set(setting, value);
  return c;
}

// Compares solves on 2 and 3 devices with one.
void check_ranks(const RankedDevices& c, EmulatedDevices& machine) {
  const Solved one = solved_on(c, 1, PeerWay::store, machine.devices[0]);
  CHECK(one.outcome.history.back().second < one.outcome.history.front().second);
  for (int ranks : {2, 3}) {
    const PeerWay way = ranks == 2 ? PeerWay::copy : PeerWay::store;
    INFO(name_of(c) << " " << c.on_ranks.text() << " on " << ranks << " by " << to_string(way));
    CHECK(difference_from(one, c, ranks, way, machine.devices[0]) == "");
  }
}

// Returns the work without its boxes of several rows, which only fields of levels are sent by.
std::vector<PeerWork> without_boxes(std::vector<PeerWork> work, int) {
  std::erase_if(work, [](const PeerWork& w) {
    const auto* const put = std::get_if<Put>(&w);
    return put && put->to_rank >= 0 && put->ny > 1;
  });
  return work;
}

}  // namespace

TEST_CASE("multigrid on 2 and 3 emulated devices computes every bit that it computes on one",
          "[cuda][ranks]") {
  EmulatedDevices machine(3);
  for (const int gather : {all_parted, 100, all_repeated}) {
    check_ranks(by_cycles("multigrid", "manufactured", {37, 40}, gather), machine);
    check_ranks(by_cycles("multigrid", "jump", {22, 40}, gather), machine);
  }
  for (const char* problem : {"insulated", "heated_plate_cells", "periodic_box", "periodic_channel"})
    check_ranks(by_cycles("multigrid", problem, {20, 32}, all_parted), machine);
  check_ranks(by_cycles("multigrid", "periodic_box", {20, 32}, all_repeated), machine);
  check_ranks(by_cycles("multigrid", "manufactured", {37, 40}, all_parted, Precision::fp32), machine);
  check_ranks(by_cycles("multigrid", "jump", {22, 40}, 100, Precision::mixed), machine);
}

TEST_CASE("multigrid in a box on 2 and 3 emulated devices computes every bit that it computes on one",
          "[cuda][ranks]") {
  EmulatedDevices machine(3);
  for (const int gather : {all_parted, all_repeated}) {
    check_ranks(by_cycles("multigrid", "manufactured", {10, 8, 12}, gather), machine);
    check_ranks(by_cycles("multigrid", "jump", {7, 8, 12}, gather), machine);
  }
  check_ranks(by_cycles("multigrid", "manufactured", {9, 5, 24}, all_parted, Precision::fp32), machine);
}

TEST_CASE("each cycle and smoother on emulated devices computes every bit that it computes on one",
          "[cuda][ranks]") {
  EmulatedDevices machine(3);
  const RankedDevices c = by_cycles("multigrid", "manufactured", {26, 40}, all_parted);
  for (const char* cycle : {"w", "f", "full"}) check_ranks(with(c, "cycle", cycle), machine);
  check_ranks(with(c, "smoother", "jacobi"), machine);
  check_ranks(with(c, "levels", 2), machine);
}

TEST_CASE("each cycle on an emulated device, with coarse levels in one block, leaves every bit of a core",
          "[cuda][levels]") {
  EmulatedDevices machine(1);
  for (const char* cycle : {"v", "w", "f", "full"})
    for (const Grid& g : {Grid{26, 40}, {9, 10, 11}}) {
      INFO(cycle << " on " << name(g));
      const RankedDevices c = with(by_cycles("multigrid", "manufactured", g, all_parted), "cycle", cycle);
      const SolverMethod on_core = method_named(solver_named(c.solver), BackendKind::serial, c.method);
      const Solved core = solve(c.solver, on_core, backend(BackendKind::serial), c.precision,
                                posed(c.problem, c.grid), {1e-30, c.iterations, c.config});
      CHECK(difference_of(solved_without_ranks(c, machine.devices[0]).u, core.u) == "");
    }
}

TEST_CASE("levels gathered on the first device leave every bit of levels that all repeat", "[cuda][ranks]") {
  EmulatedDevices machine(3);
  for (const int gather : {100, all_repeated})
    for (const RankedDevices& c : {by_cycles("multigrid", "manufactured", {37, 40}, gather),
                                   by_cycles("multigrid", "jump", {22, 40}, gather),
                                   by_cycles("multigrid", "periodic_box", {20, 32}, gather),
                                   by_cycles("multigrid", "manufactured", {10, 8, 12}, gather)}) {
      check_ranks(gathered(c), machine);
      const Solved repeated = solved_on(c, 2, PeerWay::store, machine.devices[0]);
      CHECK(difference_from(repeated, gathered(c), 2, PeerWay::store, machine.devices[0]) == "");
    }
}

TEST_CASE("preconditioning by cycles on emulated devices computes every bit that it computes on one",
          "[cuda][ranks]") {
  EmulatedDevices machine(3);
  check_ranks(by_cycles("pcg", "manufactured", {37, 40}, all_parted), machine);
  check_ranks(by_cycles("pcg", "jump", {22, 40}, 100, Precision::mixed), machine);
  check_ranks(by_cycles("bicgstab", "convection", {22, 40}, all_parted), machine);
}

// A cycle has no sum, which devices take in another order without ranks.
TEST_CASE("multigrid on emulated devices leaves the bits of multigrid without ranks", "[cuda][ranks]") {
  EmulatedDevices machine(2);
  for (const Precision p : {Precision::fp64, Precision::fp32})
    for (const RankedDevices& c : {by_cycles("multigrid", "manufactured", {37, 40}, all_parted, p),
                                   by_cycles("multigrid", "jump", {22, 40}, 100, p),
                                   by_cycles("multigrid", "manufactured", {10, 8, 12}, all_repeated, p)}) {
      INFO(name_of(c));
      const Solved without = solved_without_ranks(c, machine.devices[0]);
      CHECK(difference_of(solved_on(c, 2, PeerWay::copy, machine.devices[0]).u, without.u) == "");
    }
}

TEST_CASE("a part of a level that one device does not send is found", "[cuda][ranks]") {
  EmulatedDevices machine(2);
  const RankedDevices c = by_cycles("multigrid", "manufactured", {37, 40}, all_repeated);
  const Solved one = solved_on(c, 1, PeerWay::store, machine.devices[0]);
  for (const bool is_gathered : {false, true})
    for (int of_rank : {0, 1}) {
      // Of gathered levels rank 1 sends its part of the right-hand side, and rank 0 that of the correction.
      INFO("rank " << of_rank << (is_gathered ? ", gathered" : ", repeated"));
      const RankedDevices now = is_gathered ? gathered(c) : c;
      CHECK(difference_from(one, now, 2, PeerWay::store, machine.devices[0]) == "");
      machine.devices[std::size_t(of_rank)].fault = without_boxes;
      CHECK(difference_from(one, now, 2, PeerWay::store, machine.devices[0]) != "");
      machine.devices[std::size_t(of_rank)].fault = nullptr;
    }
}

TEST_CASE("cuts of multigrid on devices lie between bricks, and levels are parted down to 2^20 cells a rank",
          "[cuda][ranks]") {
  const SolverMethod method =
      on_ranks_of(BackendKind::cuda, method_named(solver_named("multigrid"), BackendKind::cuda, "plain"), {});
  const SolverMethod ranked = on_ranks(method, 2, PartShape::from("slabs"));
  const Config usual = ranked.space.defaults();
  CHECK(usual.integer("gather_cells") == 1 << 20);
  CHECK(usual.choice("coarse") == "redundant");
  CHECK(usual.choice("exchange") == "store");
  CHECK(!usual.has("launch_mode"));
  CHECK(!usual.has("graph_iterations"));
  CHECK(method.rank_alignment({8192, 8192}, 2, usual) == 8);
  CHECK(method.rank_alignment({32768, 32768}, 2, usual) == 32);
  CHECK(method.rank_alignment({512, 512, 512}, 2, usual) == 8);
  CHECK(method.rank_alignment({63, 63, 63}, 2, usual) == 8);
  CHECK(method.rank_alignment({64, 64, 64}, 2, usual) == 2);
}

TEST_CASE("the coarsening of parts of operators compiles for sm_80 and sm_90", "[cuda][ranks]") {
  CudaOffline offline;
  coarsen_parts(offline);
  for (const char* architecture : {"sm_80", "sm_90"}) {
    const auto functions = offline.compile(architecture);
    CHECK(functions.size() == 6);  // 2-D and 3-D in three precisions
    for (const CompiledFunction& function : functions) {
      INFO(function.expression << " for " << architecture);
      CHECK(function.report.registers > 0);
      CHECK(function.report.spill_bytes == 0);
    }
  }
}

TEST_CASE("multigrid on two devices computes every bit that it computes on one", "[cuda][ranks][gpu]") {
  if (skipped_without_two_devices()) return;
  Backend& first = backend(BackendKind::cuda);
  for (const int gather : {4096, 1 << 20})
    for (RankedDevices c : {by_cycles("multigrid", "manufactured", {1031, 1024}, gather),
                            by_cycles("multigrid", "jump", {1031, 1024}, gather),
                            by_cycles("multigrid", "periodic_box", {1024, 1024}, gather),
                            by_cycles("multigrid", "manufactured", {130, 128, 96}, gather),
                            by_cycles("multigrid", "manufactured", {1031, 1024}, gather, Precision::fp32),
                            by_cycles("pcg", "jump", {1031, 1024}, gather)}) {
      c.iterations = 10;
      const Solved one = solved_on(c, 1, PeerWay::store, first);
      for (const PeerWay way : ways_of(first)) {
        INFO(name_of(c) << " " << c.on_ranks.text() << " by " << to_string(way));
        CHECK(difference_from(one, c, 2, way, first) == "");
        CHECK(difference_from(one, gathered(c), 2, way, first) == "");
      }
    }
}

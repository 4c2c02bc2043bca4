// Rows of kernels on meshes on ranks with a CUDA device each: emulated, and real ones where there are two.
#include <fmt/format.h>

#include "bench/case/ranked_case.hpp"
#include "bench/case/row_settings.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/catalog/limits.hpp"
#include "bench/measure/rank_devices.hpp"
#include "kernels/mesh/mesh_partition.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/ranked_devices.hpp"

using namespace cfdmark;

namespace {

const Row& row_named(const std::string& name) {
  for (const Row& row : catalog())
    if (row_name(row) == name) return row;
  throw std::runtime_error("no row " + name);
}

Case case_on(const std::string& row, const std::string& mesh, const RankSetup& setup, const Config& changes) {
  Case c;
  c.row = &row_named(row), c.domain = domain_from(mesh), c.workload = workload_of(*c.row);
  c.config = with_ranks(c.row->on_ranks(setup).space.complete(changes),
                        {{"ranks", setup.count}, {"partition", setup.partition}});
  return c;
}

// Returns why a case on devices is wrong; empty if it is right.
std::string failure_of(const Case& c) {
  const auto workload = prepare_workload(c, backend(BackendKind::cuda));
  for (int n = 0; n < 2; ++n)
    if (const Verification v = workload->verify(); !v.passed) return v.reason;
  return "";
}

}  // namespace

TEST_CASE("kernels on meshes on emulated devices are verified, by each way and partition",
          "[cuda][ranks][mesh]") {
  EmulatedDevices machine(3);
  std::vector<std::string> partitions = {"bisection"};
  if (not_built_reason(MeshCut::metis).empty()) partitions.emplace_back("metis");
  for (const std::string& partition : partitions)
    for (const PeerWay way : all_peer_ways)
      for (const int ranks : {2, 3})
        for (const char* kernel : {"mesh_gradient", "mesh_divergence", "mesh_poisson"}) {
          INFO(kernel << " on " << ranks << " by " << to_string(way) << ", " << partition);
          const Config config{{"exchange", std::string(to_string(way))}};
          const RankSetup setup{ranks, partition};
          CHECK(failure_of(case_on(fmt::format("{}/cuda/fp64/plain", kernel), "triangles-9x7+20", setup,
                                   config)) == "");
          CHECK(failure_of(case_on(fmt::format("{}/cuda/fp64/plain", kernel), "tetrahedra-3x2x4+5", setup,
                                   config)) == "");
        }
}

TEST_CASE("settings of the method of one device are those of its ranks", "[cuda][ranks][mesh]") {
  EmulatedDevices machine(2);
  for (const Config& config :
       {Config{{"entities_per_thread", 1}}, {{"link_order", "entity"}}, {{"index_bits", 64}}}) {
    INFO(config.text());
    REQUIRE(failure_of(
                case_on("mesh_gradient/cuda/fp64/plain", "triangles-7x5+9", {2, "bisection"}, config)) == "");
  }
}

TEST_CASE("the record of a kernel on a mesh names its devices, the way between them and what it sends",
          "[cuda][ranks][mesh]") {
  EmulatedDevices machine(2);
  const Case c =
      case_on("mesh_gradient/cuda/fp32/plain", "triangles-2x2", {2, "bisection"}, {{"exchange", "copy"}});
  const auto workload = prepare_workload(c, backend(BackendKind::cuda));
  REQUIRE(workload->verify().passed);
  workload->reset(), workload->run();
  const Json facts = with_devices(workload->rank_facts(), c, backend(BackendKind::cuda));
  CHECK(facts["devices"][1]["index"] == 1);
  CHECK(facts["exchange"]["way"] == "copy");
  // By hand: of 8 triangles each rank has 4, with 2 faces between. Rank 1 owns those and reads their two
  // other cells.
  CHECK(facts["partition"]["kind"] == "bisection");
  CHECK(facts["partition"]["cells"] == Json({4, 4}));
  CHECK(facts["partition"]["cut_faces"] == 2);
  CHECK(workload->resources().launches >= 2);
}

TEST_CASE("kernels on meshes refuse what they cannot do on devices, and say why", "[cuda][ranks][mesh]") {
  const auto reason = [](const RankSetup& setup, const Config& changes = {}) {
    Case c =
        case_on("mesh_gradient/cuda/fp32/plain", "triangles-9x7", {setup.count, setup.partition}, changes);
    if (setup.processes) c.config.set("join", "mpi");
    return why_not_run(c, std::size_t(1) << 32);
  };
  EmulatedDevices machine(2);
  CHECK(reason({2, "bisection"}) == "");
  CHECK_THAT(reason({3, "bisection"}), Mentions({"3 ranks need 3 CUDA devices", "this machine has 2"}));
  CHECK_THAT(reason({2, "slabs"}), Mentions({"slabs", "bisection or metis"}));
  CHECK_THAT(reason({2, "bisection", true}), Mentions({"threads", "remove join=mpi"}));
  CHECK_THROWS_WITH(reason({2, "bisection"}, {{"overlap", "inner_first"}}), Mentions({"overlap"}));
  CHECK(row_named("mesh_poisson/cuda/fp64/atomic").on_ranks == nullptr);
}

TEST_CASE("kernels on meshes on two devices are verified", "[cuda][ranks][mesh][gpu]") {
  if (skipped_without_two_devices()) return;
  for (const PeerWay way : ways_of(backend(BackendKind::cuda)))
    for (const char* mesh : {"triangles-120x120+17256", "tetrahedra-7x22x271+8629"})
      for (const char* kernel : {"mesh_gradient", "mesh_divergence", "mesh_curl", "mesh_poisson"}) {
        INFO(kernel << " on " << mesh << " by " << to_string(way));
        CHECK(failure_of(case_on(fmt::format("{}/cuda/fp32/plain", kernel), mesh, {2, "bisection"},
                                 {{"exchange", std::string(to_string(way))}})) == "");
      }
}

// Block shapes of multigrid's levels: what each level gets, and that results do not depend on them.
#include <cstring>
#include <set>

#include "kernels/device/cuda/plan/cuda_offline.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/emulated_backend.hpp"
#include "tests/cuda_emulation/level_cases.hpp"

using namespace cfdmark;

namespace {

SolverMethod plain_multigrid() { return multigrid_solver().methods(BackendKind::cuda).front(); }

// Returns block shapes such as "32x1x8" of the launches of functions with this text in their name.
std::set<std::string> blocks_of(const CudaOffline& offline, const std::string& function) {
  std::set<std::string> all;
  for (const Launch& launch : offline.launches())
    if (launch.function.expression.find(function) != std::string::npos)
      all.insert(std::to_string(launch.threads.x) + "x" + std::to_string(launch.threads.y) + "x" +
                 std::to_string(launch.threads.z));
  return all;
}

}  // namespace

TEST_CASE("levels with block shapes of their own give the bits of levels with one shape", "[cuda][levels]") {
  EmulatedCuda device;
  std::shared_ptr<const LinearProblem> last;
  std::vector<HostField> same;  // per precision
  int compared = 0;
  for_each_level_case([&](const auto& problem, Precision p, const Config& config) {
    INFO(problem->description->name << " " << to_string(p) << " " << config.text());
    PreparedSolver prepared(multigrid_solver(), plain_multigrid(), device, p,
                            plain_multigrid().space.complete(config), problem, unequal_levels());
    prepared.reset();
    prepared.solve(1e-30, 2);
    const HostField u = prepared.solution();
    if (config.is("level_blocks", "same")) {
      if (last != problem) same.clear();
      last = problem;
      same.push_back(u);
      return;
    }
    const HostField& other = same.at(p == Precision::fp64);
    CHECK(std::memcmp(u.data(), other.data(), u.bytes()) == 0);
    ++compared;
  });
  CHECK(compared == 8);
}

TEST_CASE("fine levels use the blocks that divide them, coarse ones the last", "[levels]") {
  for_each_level_case([&](const auto& problem, Precision p, const Config& config) {
    CudaOffline offline;
    PreparedSolver(multigrid_solver(), plain_multigrid(), offline, p,
                   plain_multigrid().space.complete(config), problem, unequal_levels());
    INFO(problem->description->name << " " << config.text());
    if (config.is("level_blocks", "32x1x8/4x4x4")) {
      CHECK(blocks_of(offline, "RedBlackSor") == std::set<std::string>{"32x1x8", "4x4x4"});
      CHECK(blocks_of(offline, "Restriction") == std::set<std::string>{"32x1x8", "4x4x4"});
      CHECK(blocks_of(offline, "Prolongation") == std::set<std::string>{"32x1x8", "4x4x4"});
    } else if (config.is("level_blocks", "tuned")) {
      CHECK(blocks_of(offline, "Restriction").count("16x4x1") == 1);
      CHECK(blocks_of(offline, "Prolongation").count("32x2x1") == 1);
    }
  });
}

TEST_CASE("multigrid queries a config for each kernel of each level as it runs there", "[levels]") {
  const auto problem = std::make_shared<const LinearProblem>(make_problem("jump", Grid{32, 3, 4}));
  std::vector<LevelKernel> asked;
  CudaOffline offline;
  PreparedSolver(multigrid_solver(), plain_multigrid(), offline, Precision::fp32,
                 plain_multigrid().space.complete({{"level_blocks", "tuned"}}), problem,
                 unequal_levels(&asked));
  std::set<std::string> of_finest, grids;
  for (const LevelKernel& kernel : asked) {
    CHECK(kernel.precision == Precision::fp32);
    CHECK_FALSE(kernel.constant_operator);
    grids.insert(std::to_string(kernel.grid.nx));
    if (kernel.grid == problem->grid) of_finest.insert(kernel.kernel + "/" + kernel.method);
  }
  CHECK(of_finest == std::set<std::string>{"operator_coarsening/plain", "prolongation/plain",
                                           "red_black_sor/plain", "residual/plain", "restriction/plain"});
  CHECK(grids.contains("16"));
  asked.clear();
  PreparedSolver(multigrid_solver(), plain_multigrid(), offline, Precision::fp32,
                 plain_multigrid().space.complete({}), problem, unequal_levels(&asked));
  CHECK(asked.empty());
}

TEST_CASE("impossible block shapes of levels are refused with the reason", "[levels]") {
  const auto plane = std::make_shared<const LinearProblem>(make_problem("manufactured", Grid{32, 32}));
  const auto prepare = [&](const char* blocks) {
    CudaOffline offline;
    PreparedSolver(multigrid_solver(), plain_multigrid(), offline, Precision::fp64,
                   plain_multigrid().space.complete({{"level_blocks", blocks}}), plane);
  };
  CHECK_THROWS_WITH(prepare("4x4x4"),
                    ContainsSubstring("level_blocks=4x4x4") && ContainsSubstring("64x4/16x4"));
  CHECK_THROWS_WITH(prepare("tuned"), ContainsSubstring("level_blocks=tuned"));
  CHECK_NOTHROW(prepare("64x4/16x4"));
}

#include "bench/catalog/kept_problem.hpp"

#include "bench/case/row.hpp"
#include "bench/case/row_settings.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/catalog/solver_rows.hpp"
#include "solvers/block/block_problem.hpp"
#include "solvers/families.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

TEST_CASE("only the last problem is kept", "[catalog]") {
  const std::weak_ptr<const int> first = keep_problem("first", [] { return 1; });
  CHECK_FALSE(first.expired());
  CHECK(*keep_problem("first", [] { return 2; }) == 1);
  const auto second = keep_problem("second", [&] {
    CHECK(first.expired());  // freed before the next one is made
    return 2.5;
  });
  CHECK(*second == 2.5);
}

TEST_CASE("cases of different kernels and solvers share one kept problem", "[catalog]") {
  std::vector<std::string> keys;
  for (const char* name : {"triad", "jacobi", "dot", "sor"})
    for (const Row& row : catalog())
      if (row.name == name && row.backend == BackendKind::serial && row.precision == Precision::fp64) {
        row.prepare(backend(row.backend), Grid{8, 8}, row.space.defaults(), workload_of(row));
        keys.push_back(kept_problem().key);
        break;
      }
  REQUIRE(keys.size() == 4);
  for (std::size_t n = 1; n < keys.size(); ++n) CHECK(keys[n] != keys[n - 1]);
}

TEST_CASE("configs of block solvers share a problem, and its stored form per precision",
          "[catalog][blocks]") {
  const auto asked = [](const Config& workload) {
    return as<BlockProblem>(shared_problem(*family_of_problem("flux_split"), Grid{5, 3, 4}, workload));
  };
  const Config workload{{"problem", "flux_split"}}, other{{"problem", "flux_split"}, {"mach", 0.3}};
  const auto first = asked(workload);
  CHECK(first == asked(workload));
  CHECK(&first->stored_matrices(Precision::fp64) == &first->matrices);  // shared, not copied
  const HostField& in_32 = first->stored_matrices(Precision::fp32);
  CHECK(&in_32 == &first->stored_matrices(Precision::fp32));
  CHECK(in_32.storage() == Precision::fp32);
  CHECK(first->right_hand_side(Precision::mixed).storage() == Precision::fp64);
  CHECK(asked(other) != first);
}

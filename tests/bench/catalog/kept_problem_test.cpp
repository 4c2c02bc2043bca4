#include "bench/catalog/kept_problem.hpp"

#include "bench/catalog/catalog.hpp"
#include "bench/catalog/row_settings.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

TEST_CASE("the process keeps the last problem only", "[catalog]") {
  const std::weak_ptr<const int> first = keep_problem("first", [] { return 1; });
  CHECK_FALSE(first.expired());
  CHECK(*keep_problem("first", [] { return 2; }) == 1);
  const auto second = keep_problem("second", [&] {
    CHECK(first.expired());  // given back before the next one is made
    return 2.5;
  });
  CHECK(*second == 2.5);
}

TEST_CASE("cases of different kernels and solvers keep one problem between them", "[catalog]") {
  std::vector<std::string> keys;
  for (const char* name : {"triad", "jacobi", "dot", "sor"})
    for (const Row& row : catalog())
      if (row.name == name && row.backend == BackendKind::serial && row.precision == Precision::fp64) {
        row.prepare(backend(row.backend), {8, 8}, row.space.defaults(), question_of(row));
        keys.push_back(kept_problem().key);
        break;
      }
  REQUIRE(keys.size() == 4);
  for (std::size_t n = 1; n < keys.size(); ++n) CHECK(keys[n] != keys[n - 1]);
}

#include "bench/catalog/kept_problem.hpp"

#include "bench/catalog/catalog.hpp"
#include "bench/catalog/row_settings.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

TEST_CASE("of problems without a family the process keeps the last one only", "[catalog]") {
  const std::weak_ptr<const int> first = keep_problem("first", [] { return 1; });
  CHECK_FALSE(first.expired());
  CHECK(*keep_problem("first", [] { return 2; }) == 1);
  const auto second = keep_problem("second", [&] {
    CHECK(first.expired());  // given back before the next one is made
    return 2.5;
  });
  CHECK(*second == 2.5);
}

TEST_CASE(
    "problems of one family are kept beside each other, four at most, until one of another is asked for",
    "[catalog]") {
  const auto kept = [](int n) {
    return std::weak_ptr<const int>(keep_problem("a" + std::to_string(n), [n] { return n; }, {"a", 8}));
  };
  std::vector<std::weak_ptr<const int>> problems = {kept(0), kept(1), kept(2), kept(3)};
  CHECK(*keep_problem("a0", [] { return 9; }, {"a", 8}) == 0);  // the last now
  problems.push_back(kept(4));
  CHECK(problems[1].expired());
  for (const int n : {0, 2, 3, 4}) CHECK_FALSE(problems[std::size_t(n)].expired());
  const auto other = keep_problem("b0", [] { return 1; }, {"b", 8});
  for (const auto& p : problems) CHECK(p.expired());
  CHECK(*other == 1);
}

TEST_CASE("a problem that would not fit twice is kept alone", "[catalog]") {
  const std::weak_ptr<const int> first = keep_problem("c1", [] { return 1; }, {"c", 8});
  keep_problem("c2", [] { return 2; }, {"c", 1e15});
  CHECK(first.expired());
}

TEST_CASE("cases of different kernels and solvers keep one problem between them", "[catalog]") {
  std::vector<std::string> keys;
  for (const char* name : {"triad", "jacobi", "dot", "sor"})
    for (const Row& row : catalog())
      if (row.name == name && row.backend == BackendKind::serial && row.precision == Precision::fp64) {
        row.prepare(backend(row.backend), {8, 8}, row.space.defaults(), question_of(row));
        keys.push_back(kept_problems().back().key);
        break;
      }
  REQUIRE(keys.size() == 4);
  for (std::size_t n = 1; n < keys.size(); ++n) CHECK(keys[n] != keys[n - 1]);
}

#include <fmt/format.h>

#include "bench/worker/shard.hpp"

#include <algorithm>
#include <map>

#include "bench/sweep/sweep.hpp"
#include "bench/worker/run_plan.hpp"
#include "test_paths.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/bench/worker/faulty_rows.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

std::vector<std::string> names(const std::vector<Case>& cases) {
  std::vector<std::string> found;
  for (const Case& c : cases) found.push_back(case_name(c));
  return found;
}

// `counts[n]` cases that are measured together, on the n-th grid.
std::vector<Case> groups_of(const std::vector<int>& counts) {
  std::vector<Case> cases;
  for (std::size_t n = 0; n < counts.size(); ++n)
    for (int k = 0; k < counts[n]; ++k) {
      cases.push_back(faulty_case("sound", int(n) + 2));
      cases.back().config.set("threads", k + 1);
    }
  return cases;
}

std::vector<std::size_t> sizes(const std::vector<Case>& sweep, int count) {
  std::vector<std::size_t> found;
  for (int n = 1; n <= count; ++n) found.push_back(cases_of(sweep, {n, count}).size());
  return found;
}

}  // namespace

TEST_CASE("the shards of every shipped sweep together are the sweep: each case once, in order", "[shard]") {
  for (const char* file : {"quick", "poisson", "h200", "precision"}) {
    const std::vector<Case> sweep = read_sweep(std::string(CFDMARK_SWEEPS) + "/" + file + ".yaml").cases;
    for (const int count : {1, 2, 3, 7}) {
      INFO(file << " in " << count);
      std::map<std::string, int> home;
      for (int n = 1; n <= count; ++n)
        for (const std::string& name : names(cases_of(sweep, {n, count}))) {
          REQUIRE_FALSE(home.contains(name));
          home[name] = n;
        }
      REQUIRE(home.size() == sweep.size());
      std::vector<std::string> third;
      for (const std::string& name : names(sweep))
        if (home.at(name) == count) third.push_back(name);
      REQUIRE(third == names(cases_of(sweep, {count, count})));
    }
  }
}

TEST_CASE("the largest groups go first, each to the smallest shard", "[shard]") {
  // By hand: 7 -> 1st, 6 -> 2nd, 5 -> 3rd, 4 -> 3rd (has 5), 2 -> 2nd (has 6), 1 -> 1st (has 7): 8, 8 and 9.
  REQUIRE(sizes(groups_of({4, 7, 1, 5, 6, 2}), 3) == std::vector<std::size_t>{8, 8, 9});
  REQUIRE(sizes(groups_of({5}), 3) == std::vector<std::size_t>{5, 0, 0});
}

TEST_CASE("cases that are measured together stay in one shard", "[shard]") {
  const std::vector<Case> sweep = groups_of({3, 5, 2, 4, 24, 1});
  for (int n = 1; n <= 4; ++n) {
    std::map<std::string, std::size_t> found;
    for (const Case& c : cases_of(sweep, {n, 4})) ++found[c.domain.text()];
    for (const auto& [grid, count] : found) {
      std::size_t all = 0;
      for (const Case& c : sweep) all += c.domain.text() == grid;
      REQUIRE(count == all);
    }
  }
}

TEST_CASE("shards differ by at most the size of a group, however many configs a kernel has", "[shard]") {
  for (const int count : {2, 3, 5, 8}) {
    const std::vector<std::size_t> found = sizes(groups_of({200, 30, 7, 1, 1, 90}), count);
    const auto [least, most] = std::minmax_element(found.begin(), found.end());
    REQUIRE(*most - *least <= largest_group);
  }
}

TEST_CASE("machines that can run different cases agree on the shards", "[shard]") {
  std::vector<Case> here = groups_of({9, 30, 7, 11}), there = here;
  for (std::size_t n = 0; n < there.size(); n += 3) there[n].not_run = "the grid is too large";
  for (int n = 1; n <= 3; ++n) REQUIRE(names(cases_of(here, {n, 3})) == names(cases_of(there, {n, 3})));
  REQUIRE(cases_of(there, {1, 3}).front().not_run == there.front().not_run);
}

TEST_CASE("a shard is written I/N, from 1 to N", "[shard]") {
  const Shard shard = shard_from("3/12");
  REQUIRE(shard.index == 3);
  REQUIRE(shard.count == 12);
  REQUIRE(to_string(shard) == "3/12");
  for (const char* text :
       {"", "/", "1", "0/4", "5/4", "-1/4", "1/0", "1/4x", "x/4", "1/ 4", "1//4", "1.0/4", "1/99999999999"}) {
    INFO(text);
    REQUIRE_THROWS_AS(shard_from(text), std::invalid_argument);
    REQUIRE_THROWS_WITH(shard_from(text), Mentions({fmt::format("'{}'", text), "I/N"}));
  }
}

TEST_CASE("all shards of a sweep have the sweep's id, and another sweep has another id", "[shard]") {
  const std::vector<Case> sweep = groups_of({4, 7}), other = groups_of({4, 8});
  const Json first = sweep_facts(sweep, {1, 2}), second = sweep_facts(sweep, {2, 2});
  REQUIRE(first["id"] == second["id"]);
  REQUIRE(first["cases"] == 11);
  REQUIRE(first["shard"] == Json{{"index", 1}, {"count", 2}, {"cases", 7}});
  REQUIRE(second["shard"] == Json{{"index", 2}, {"count", 2}, {"cases", 4}});
  REQUIRE(sweep_facts(other, {1, 2})["id"] != first["id"]);
  REQUIRE_FALSE(sweep_facts(sweep, {1, 1}).contains("shard"));
}

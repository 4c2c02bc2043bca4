// Candidates to confirm at each size, from hand-made answers.
#include "bench/tune/across_sizes.hpp"

#include "tests/bench/tune/quiet_tune.hpp"

using namespace cfdmark;
using namespace cfdmark::tuning;

namespace {

// Returns an answer with three methods, the default first, each taking one second; the search chose `winner`.
TuneAnswer searched(int n, std::size_t winner) {
  const std::size_t memory = std::size_t(1) << 50;
  TuneAnswer a{tune_space(faulty_subject({"slow", "sound", "quick_if_small"}, n), memory),
               1,
               {},
               {},
               {},
               {},
               {},
               {},
               0};
  REQUIRE(a.space.space.size() == 3);
  REQUIRE(a.space.space.fallback() == 0);
  Evaluation e;
  e.status = TrialStatus::ok;
  e.samples = {1.0};
  a.evaluations.assign(3, e);
  a.records.resize(3);
  a.fresh.resize(3);
  Selection s;
  s.winner = winner;
  a.choice = s;
  return a;
}

}  // namespace

TEST_CASE("a candidate beyond the end of a search counts as not tried, a failed one as tried", "[tune]") {
  TuneAnswer a = searched(8, 2);
  CHECK(were_tried(a, {0, 1, 2}));
  a.evaluations[1] = {};
  CHECK(tried(a) == std::vector<std::size_t>{0, 2});
  CHECK(were_tried(a, {0, 2}));
  CHECK_FALSE(were_tried(a, {0, 1}));
  a.evaluations[2] = {TrialStatus::launch_failure, "it did not run", {}, 0, 0};  // a failure counts as tried
  CHECK(were_tried(a, {2}));
}

TEST_CASE("winners of the next size on either side are confirmed too, those further away are not", "[tune]") {
  const std::vector<TuneAnswer> answers = {searched(8, 2), searched(512, 0), searched(16384, 1)};
  const AcrossSizes across(answers);
  const TuneOptions options;
  REQUIRE(across.groups(options).size() == 3);  // too far apart to share an answer
  CHECK(across.finalists_of({0}, options) == std::set<std::size_t>{0, 2});
  CHECK(across.finalists_of({1}, options) == std::set<std::size_t>{0, 1, 2});
  CHECK(across.finalists_of({2}, options) == std::set<std::size_t>{0, 1});
}

TEST_CASE("a regret seen only by the search is reported next to the confirmed one", "[tune]") {
  TuneResult result;
  for (const int n : {8, 16}) result.answers.push_back(searched(n, 0));
  const TuneRange range{{0, 1, 0, 1.0, 1.0, 64, 256, ""}, {"slow", {}}, ""};
  CHECK_FALSE(unconfirmed_regret(result, range));
  result.answers[1].evaluations[1].samples = {0.5, 0.5};
  CHECK(seen_regret(result.answers[0], {"slow", {}}) == 1);
  CHECK(seen_regret(result.answers[1], {"slow", {}}) == 2);
  CHECK(unconfirmed_regret(result, range) == 2.0);
  result.answers[1].fresh[1] = {{0.995, 0.995}};  // the confirming process found it equal
  CHECK_FALSE(unconfirmed_regret(result, range));
  result.answers[1].fresh[1] = {{0.8}};
  CHECK(unconfirmed_regret(result, range) == 1.25);
}

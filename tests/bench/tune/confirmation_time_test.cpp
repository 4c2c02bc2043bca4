// Candidates that fit into the time for confirmation, on hand-made answers.
#include "bench/tune/confirmation_time.hpp"

#include "tests/bench/tune/quiet_tune.hpp"

using namespace cfdmark;
using namespace cfdmark::tuning;

namespace {

// Returns an answer with three methods, of which the search measured the first two. These took `prepare`
// seconds to prepare, three to verify, a tenth to warm up, and `sample` for each of two samples.
TuneAnswer searched(double prepare, double sample) {
  TuneAnswer a{tune_space(faulty_subject({"slow", "sound", "quick_if_small"}), std::size_t(1) << 50),
               1,
               {},
               {},
               {},
               {},
               {},
               {},
               0};
  REQUIRE(a.space.space.size() == 3);
  Evaluation e{TrialStatus::ok, "", {sample, sample}, 0, 2 * sample};
  a.evaluations = {e, e, {TrialStatus::not_tried, "", {}, 0, 0}};
  const Json record = {{"overhead", {{"prepare", prepare}, {"verify", 3.0}, {"warm_up", 0.1}}}};
  a.records = {record, record, nullptr};
  return a;
}

Finalists all_of(std::size_t answer) { return {answer, {0, 1, 2}}; }

std::vector<std::vector<std::size_t>> candidates_of(const std::vector<Finalists>& finalists) {
  std::vector<std::vector<std::size_t>> found;
  for (const Finalists& f : finalists) found.push_back(f.candidates);
  return found;
}
using Candidates = std::vector<std::vector<std::size_t>>;

}  // namespace

TEST_CASE("the estimate of a process is set-up and samples, and the longest set-up for unverified candidates",
          "[tune]") {
  const std::vector<TuneAnswer> answers = {searched(0.4, 0.01)};
  const ConfirmationTime time(answers, 15);
  CHECK(time.least_of({0, {0, 1}}) == Approx(2 * 0.5 + 7 * 0.02));
  CHECK(time.most_of({0, {0, 1}}) == Approx(2 * 0.5 + 15 * 0.02));
  CHECK(time.least_of(all_of(0)) == Approx(2 * 0.5 + 3.5 + 7 * 0.02));
  CHECK(ConfirmationTime(answers, 3).least_of({0, {0, 1}}) == Approx(2 * 0.5 + 3 * 0.02));
  CHECK(time.samples_within({0, {0, 1}}, 0) == 7);
  CHECK(time.samples_within({0, {0, 1}}, 1.205) == 10);
  CHECK(time.samples_within({0, {0, 1}}, 100) == 15);
}

TEST_CASE("with little time quick grids are confirmed first, without untried candidates", "[tune]") {
  const std::vector<TuneAnswer> answers = {searched(1.3, 0.01), searched(0.2, 0.01)};
  const ConfirmationTime time(answers, 15);
  const std::vector<Finalists> wanted = {all_of(0), all_of(1)};
  const double large = 2 * time.least_of({0, {0, 1}}), small = 2 * time.least_of({1, {0, 1}}),
               small_whole = 2 * time.least_of(all_of(1)), large_whole = 2 * time.least_of(all_of(0));
  REQUIRE(small < large);
  CHECK(candidates_of(time.in_time(wanted, 1000)) == Candidates{{0, 1, 2}, {0, 1, 2}});
  CHECK(candidates_of(time.in_time(wanted, large_whole + small + 0.01)) == Candidates{{0, 1}, {0, 1, 2}});
  CHECK(candidates_of(time.in_time(wanted, large + small + 0.01)) == Candidates{{0, 1}, {0, 1}});
  const std::vector<Finalists> one = time.in_time(wanted, large + small - 0.01);
  REQUIRE(one.size() == 1);
  CHECK(one.front().answer == 1);
  CHECK(time.in_time(wanted, 0).size() == 1);  // always at least one
  CHECK(candidates_of(time.in_time({{1, {0, 2}}}, small_whole)) == Candidates{{0, 2}});
  CHECK(time.in_time({}, 0).empty());
}

TEST_CASE("a single tried candidate is not confirmed without another to compare with", "[tune]") {
  const std::vector<TuneAnswer> answers = {searched(0.4, 0.01), searched(0.2, 0.01)};
  const ConfirmationTime time(answers, 15);
  const std::vector<Finalists> wanted = {{0, {0, 2}}, {1, {0, 1}}};
  CHECK(candidates_of(time.in_time(wanted, 2 * time.least_of({1, {0, 1}}))) == Candidates{{0, 1}});
  CHECK(candidates_of(time.in_time(wanted, 1000)) == Candidates{{0, 2}, {0, 1}});
}

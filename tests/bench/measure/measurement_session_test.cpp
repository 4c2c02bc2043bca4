#include "bench/measure/measurement_session.hpp"

#include "bench/text/seconds_now.hpp"
#include "tests/bench/worker/faulty_rows.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// Returns how many of three cases were prepared before each was first measured.
std::vector<int> prepared_before_each(double seconds_of_preparing) {
  const std::vector<Case> cases = {faulty_case("sound", 8), faulty_case("sound", 9),
                                   faulty_case("sound", 10)};
  MeasureRequest wanted;
  wanted.seconds = 1e-3, wanted.instructions = wanted.ahead = false, wanted.preparing = seconds_of_preparing;
  int prepared = 0;
  std::vector<int> before(cases.size(), 0);
  MeasurementSession bench;
  bench.measure(cases, wanted,
                {[&](std::size_t n, Stage stage) {
                   if (stage == Stage::prepare) ++prepared;
                   if (stage == Stage::measure && before[n] == 0) before[n] = prepared;
                 },
                 [](std::size_t, const CaseResult& result) { CHECK(result.is_ok()); }});
  return before;
}

// Returns the number of samples in the results of three solves, of ten requested.
std::vector<std::size_t> samples_within(double seconds) {
  const std::vector<Case> cases = {faulty_case("solves", 8), faulty_case("solves", 9),
                                   faulty_case("solves", 10)};
  MeasureRequest wanted;
  wanted.samples = 10, wanted.instructions = wanted.ahead = false, wanted.within = seconds;
  std::vector<std::size_t> samples;
  MeasurementSession bench;
  bench.measure(cases, wanted,
                {[](std::size_t, Stage) {},
                 [&](std::size_t, const CaseResult& r) { samples.push_back(r.sample_count()); }});
  return samples;
}

}  // namespace

// A solve takes 50 ms, and its check another 50 ms.
TEST_CASE("a batch of solves has as many cases and samples as its time allows", "[run]") {
  CHECK(samples_within(60) == std::vector<std::size_t>{10, 10, 10});
  const double start = seconds_now();
  const std::vector<std::size_t> few = samples_within(0.4);
  CHECK(seconds_now() - start < 1);               // all would take 1.65 s
  REQUIRE((few.size() == 1 || few.size() == 2));  // the second starts if the first left some time
  CHECK(few.front() > 1);
  CHECK(few.front() < 10);
  CHECK(samples_within(0.02) == std::vector<std::size_t>{1});
}

TEST_CASE("a batch that takes long to prepare is measured with the cases that are ready", "[run]") {
  CHECK(prepared_before_each(60) == std::vector<int>{3, 3, 3});
  CHECK(prepared_before_each(0) == std::vector<int>{1, 2, 3});
}

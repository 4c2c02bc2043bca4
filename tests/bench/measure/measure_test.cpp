// How many samples a case gets, of what, and in which order. With a simulated clock.
#include "bench/measure/measure.hpp"

#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <utility>

#include "bench/text/seconds_now.hpp"
#include "kernels/core/statistics.hpp"
#include "kernels/device/cpu/serial.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// A backend whose clock advances as the steps tell it to.
class FakeBackend final : public Backend {
 public:
  double clock = 0;
  BackendKind kind() const override { return BackendKind::serial; }
  void* allocate(std::size_t) override { return nullptr; }
  void release(void*) noexcept override {}
  void upload(void*, const void*, std::size_t) override {}
  void download(void*, const void*, std::size_t) override {}
  void copy(void*, const void*, std::size_t) override {}
  void set_zero(void*, std::size_t) override {}
  std::size_t free_memory() const override { return 0; }
  std::size_t last_level_cache() const override { return 0; }
  double seconds(const std::function<void()>& work) override {
    const double before = clock;
    work();
    return clock - before;
  }
};

std::vector<CaseResult> measure_all(const std::vector<TimedStep>& cases, const MeasureOptions& options = {}) {
  std::vector<CaseResult> results(cases.size());
  std::vector<int> finished(cases.size(), 0);
  measure(cases, options, [&](std::size_t n, CaseResult r) { results[n] = std::move(r), ++finished[n]; });
  for (const int times : finished) CHECK(times == 1);
  return results;
}
MedianInterval interval_of(const CaseResult& result) { return median_interval(result.samples); }

}  // namespace

TEST_CASE("a steady case ends after one round, with every repetition kept", "[measure]") {
  FakeBackend backend;
  const auto m = measure_all({{&backend, [&] { backend.clock += 0.004; }}}).at(0);
  REQUIRE(m.stopped_by == "interval");
  REQUIRE(m.sample_count() == 10);
  for (const double s : m.samples.at(0)) REQUIRE(s == Approx(0.004));
  REQUIRE(m.steps_per_sample == 1);
}

TEST_CASE("short steps are measured in batches of a minimum duration, and samples are seconds per step",
          "[measure]") {
  FakeBackend backend;
  MeasureOptions options;
  options.sample_seconds = 2e-3;
  const auto m = measure_all({{&backend, [&] { backend.clock += 1e-6; }}}, options).at(0);
  REQUIRE(m.steps_per_sample >= 2000);
  REQUIRE(m.steps_per_sample < 4000);
  REQUIRE(interval_of(m).median == Approx(1e-6));
}

TEST_CASE("a call that makes several steps is timed per step, in batches of whole calls", "[measure]") {
  FakeBackend backend;
  TimedStep four{&backend, [&] { backend.clock += 4e-5; }};
  four.steps = 4;
  const CaseResult m = measure_all({four})[0];
  CHECK(interval_of(m).median == Approx(1e-5));
  CHECK(m.steps_per_sample % 4 == 0);
  CHECK(m.steps_per_sample * 1e-5 >= MeasureOptions().sample_seconds);
}

TEST_CASE(
    "rounds are added to an unsteady case until its interval is narrow enough or their limit is reached",
    "[measure]") {
  FakeBackend backend;
  std::mt19937 random(1);
  const auto unsteady = [&] {
    backend.clock += std::uniform_real_distribution<double>(0.004, 0.006)(random);
  };
  MeasureOptions options;
  options.max_rounds = 3;
  const auto wide = measure_all({{&backend, unsteady}}, options).at(0);
  REQUIRE(wide.stopped_by == "rounds");
  REQUIRE(wide.sample_count() == 30);
  options.max_rounds = 1000;
  const auto narrow = measure_all({{&backend, unsteady}}, options).at(0);
  REQUIRE(narrow.stopped_by == "interval");
  REQUIRE(narrow.sample_count() > 30);
  REQUIRE(interval_of(narrow).relative_half_width() <= options.interval);
}

TEST_CASE("the budget ends a case whose interval stays wide", "[measure]") {
  FakeBackend backend;
  int step = 0;
  MeasureOptions options;
  options.seconds = 0;  // any real time exceeds this
  const auto m = measure_all({{&backend, [&] { backend.clock += 0.004 * ++step; }}}, options).at(0);
  REQUIRE(m.stopped_by == "budget");
  REQUIRE(m.sample_count() <= 3);
}

TEST_CASE("a case whose single sample exceeds the budget has two samples", "[measure]") {
  FakeBackend backend;
  MeasureOptions options;
  options.seconds = 0.001;
  TimedStep slow{&backend, [&] { usleep(5000), backend.clock += 0.005; }};
  slow.reset = [] {};
  slow.seconds = 0.005;
  const auto m = measure_all({slow}, options).at(0);
  CHECK(m.sample_count() == 2);
  CHECK(m.stopped_by == "budget");
}

TEST_CASE("samples of different cases are interleaved in random order", "[measure]") {
  FakeBackend backend;
  std::vector<std::size_t> order;
  MeasureOptions options;
  options.warm_up = options.first_warm_up = 0;
  options.entering = [&](std::size_t n) { order.push_back(n); };
  const TimedStep step{&backend, [&] { backend.clock += 0.03; }};
  measure_all({step, step}, options);
  int changes = 0;
  for (std::size_t n = 1; n < order.size(); ++n) changes += order[n] != order[n - 1];
  REQUIRE(changes > 3);  // without interleaving there are 3: warm-up and round of a, then of b
  const std::vector<std::size_t> first = std::exchange(order, {});
  measure_all({step, step}, options);
  CHECK(order.size() == first.size());
  CHECK(order != first);  // by chance the same once in 180,000 times
}

TEST_CASE("a case with a reset is reset before each sample, outside the clock", "[measure]") {
  FakeBackend backend;
  bool fresh = false;
  int stale = 0;
  TimedStep timed{&backend, [&] { stale += !fresh, fresh = false, backend.clock += 1e-4; }};
  timed.reset = [&] { fresh = true, backend.clock += 1; };
  const auto m = measure_all({timed}).at(0);
  REQUIRE(stale == 0);
  REQUIRE(m.steps_per_sample == 1);
  REQUIRE(interval_of(m).median == Approx(1e-4));
}

TEST_CASE("a long solve that ran in verification is not warmed up again", "[measure]") {
  FakeBackend backend;
  int steps = 0;
  TimedStep timed{&backend, [&] { ++steps, usleep(25000), backend.clock += 0.025; }};
  timed.reset = [] {};
  timed.seconds = 0.025;
  const auto m = measure_all({timed}).at(0);
  REQUIRE(steps == int(m.sample_count()));
}

TEST_CASE("a step that throws ends its case with the exception's message, and no other case", "[measure]") {
  FakeBackend backend;
  int steps = 0;
  const auto m = measure_all({{&backend,
                               [&] {
                                 backend.clock += 0.03;
                                 if (++steps == 5) throw std::runtime_error("out of luck");
                               }},
                              {&backend, [&] { backend.clock += 0.03; }}});
  REQUIRE(m[0].status == "error");
  REQUIRE(m[0].reason == "out of luck");
  REQUIRE(m[0].samples.empty());
  REQUIRE(m[1].is_ok());
  REQUIRE(m[1].sample_count() == 10);
}

TEST_CASE("a lost device ends everything and is reported for the case that noticed it", "[measure]") {
  FakeBackend backend;
  int steps = 0;
  std::map<std::size_t, std::string> errors;
  const std::vector<TimedStep> cases = {{&backend, [&] { backend.clock += 0.03; }},
                                        {&backend, [&] {
                                           backend.clock += 0.03;
                                           if (++steps == 5) throw DeviceLost("gone");
                                         }}};
  REQUIRE_THROWS_AS(measure(cases, {}, [&](std::size_t n, const CaseResult& r) { errors[n] = r.reason; }),
                    DeviceLost);
  REQUIRE(errors == std::map<std::size_t, std::string>{{1, "gone"}});
}

TEST_CASE("the harness adds less than 2 % to a step of ten microseconds") {
  volatile double sink = 1;
  const auto step = [&] {
    double x = sink;
    for (int n = 0; n < 10'000; ++n) x = std::fma(x, 0.999, 0.001);
    sink = x;
  };
  const auto bare_seconds = [&] {
    constexpr int steps = 200;
    const double start = seconds_now();
    for (int n = 0; n < steps; ++n) step();
    return (seconds_now() - start) / steps;
  };
  // Minima, since other load only adds time. Repeated, since it may add to one side only.
  bool small = false;
  for (int attempt = 0; attempt < 10 && !small; ++attempt) {
    double bare = bare_seconds();
    for (int n = 0; n < 20; ++n) bare = std::min(bare, bare_seconds());
    const CaseResult m = measure_all({{&serial_backend(), step}}).front();
    const double measured = *std::min_element(m.samples[0].begin(), m.samples[0].end());
    small = measured < 1.02 * bare;
    CAPTURE(attempt, bare, measured);
    CHECK(measured > 0.5 * bare);  // it is the same step
  }
  CHECK(small);
}

TEST_CASE("the first case warms up until clocks are up, the others until a batch is long enough",
          "[measure]") {
  FakeBackend backend;
  int steps = 0;
  const auto step = [&] { backend.clock += 4e-3, ++steps; };
  const auto quick = [&] { backend.clock += 1e-5; };
  MeasureOptions options;
  options.warm_up = 0;
  options.round = 3;
  options.max_rounds = 1;
  const auto found = measure_all({{&backend, quick}, {&backend, step}, {&backend, quick}}, options);
  CHECK(*found.at(0).overhead->warm_up >= options.first_warm_up);
  CHECK(steps == 1 + 2 * 3);                   // each of three samples runs an untimed step first
  CHECK(found.at(2).steps_per_sample >= 200);  // 2 ms
}

TEST_CASE("a case with a known batch is not warmed up again and keeps its batch", "[measure]") {
  FakeBackend backend;
  int steps = 0;
  TimedStep timed{&backend, [&] { backend.clock += 1e-3, ++steps; }};
  timed.seconds = 10e-3;
  timed.steps_per_sample = 5;
  MeasureOptions options;
  options.round = 2;
  options.max_rounds = 1;
  options.interval = -1;
  const auto m = measure_all({timed}, options).at(0);
  REQUIRE(m.steps_per_sample == 5);
  REQUIRE(m.sample_count() == 2);
  REQUIRE(steps == 11);  // two samples, and one untimed step in between
  REQUIRE(m.stopped_by == "rounds");
}

// Winners, ties and their rules, on hand-made samples.
#include "tuning/selection.hpp"

#include <fstream>
#include <nlohmann/json.hpp>
#include <random>

#include "test_paths.hpp"
#include "tests/catch.hpp"
#include "tuning/rules.hpp"

using namespace cfdmark;
using namespace cfdmark::tuning;

namespace {

// Returns samples spread over one thousandth of `time`.
Evaluation evaluation_of(double time, int samples = 30) {
  Evaluation e;
  e.status = TrialStatus::ok;
  for (int n = 0; n < samples; ++n) e.samples.push_back(time * (1 + 1e-3 * (n * 7 % 10) / 10));
  return e;
}

SearchSpace four() {
  return {{{"plain", {{"block_x", 16}}},
           {"plain", {{"block_x", 32}}},
           {"plain", {{"block_x", 64}}},
           {"shared", {}}},
          0};
}

}  // namespace

TEST_CASE("the fastest wins, and its gain over the default has an interval", "[tuning][selection]") {
  const auto v =
      choose(four(), {evaluation_of(2), evaluation_of(1), evaluation_of(1.5), evaluation_of(3)}).value();
  REQUIRE(v.winner == 1);
  REQUIRE(v.ties == std::vector<std::size_t>{1});
  REQUIRE(v.gain->value == Approx(2).epsilon(1e-3));
  REQUIRE(v.gain->low.value() < v.gain->value);
  REQUIRE(v.gain->high.value() > v.gain->value);
}

TEST_CASE("a default within the smallest effect of the best stays", "[tuning][selection]") {
  const auto v =
      choose(four(), {evaluation_of(1.005), evaluation_of(1), evaluation_of(1.5), evaluation_of(1.002)})
          .value();
  REQUIRE(v.best == 1);
  REQUIRE(v.winner == 0);
  REQUIRE(v.ties == std::vector<std::size_t>{0, 1, 3});
  REQUIRE(v.rule == rules::none_faster);
  REQUIRE(v.gain->value == Approx(1));
}

TEST_CASE("a default that noise hides stays: tuning never makes a kernel slower", "[tuning][selection]") {
  Evaluation noisy = evaluation_of(1.05, 20), other = evaluation_of(1, 20);
  for (std::size_t n = 0; n < 20; n += 2) noisy.samples[n] *= 0.8, other.samples[n] *= 1.5;
  const auto v = choose(four(), {noisy, other, evaluation_of(3), evaluation_of(3)}).value();
  REQUIRE(v.winner == 0);
}

TEST_CASE("ties are broken by registers, then by robustness, then by order", "[tuning][selection]") {
  const std::vector<Evaluation> e = {evaluation_of(2), evaluation_of(1), evaluation_of(1.001),
                                     evaluation_of(1.002)};
  REQUIRE(choose(four(), e, {{40, 1}, {40, 1}, {32, 1}, {48, 1}}).value().winner == 2);
  const auto robust = choose(four(), e, {{40, 1}, {32, 1.3}, {32, 1.1}, {32, 1.2}}).value();
  REQUIRE(robust.winner == 2);
  REQUIRE(robust.rule == rules::most_robust);
  const auto first = choose(four(), e, {{40, 1}, {32, 1}, {32, 1}, {32, 1}}).value();
  REQUIRE(first.winner == 1);
  REQUIRE(first.rule == rules::first);
}

TEST_CASE("a candidate with two samples may tie, but does not win", "[tuning][selection]") {
  const auto v =
      choose(four(), {evaluation_of(2), evaluation_of(1), evaluation_of(0.99, 2), evaluation_of(1.3)})
          .value();
  REQUIRE(v.best == 1);
  REQUIRE(v.winner == 1);
  REQUIRE(v.ties == std::vector<std::size_t>{1, 2});
}

TEST_CASE("1.5 times the time in each of three samples is clearly slower, though no test is significant",
          "[tuning][selection]") {
  // The p-value of these ranks is 1 in 20, and three are tested at once.
  const std::vector<Evaluation> three = {
      evaluation_of(1.6, 3), evaluation_of(1, 3), evaluation_of(1.4, 3), {}};
  CHECK(surely_slower(three, 1) == std::vector<bool>(4, false));
  const auto v = choose(four(), three).value();
  CHECK(v.winner == 1);
  CHECK(v.ties == std::vector<std::size_t>{1, 2});
  CHECK(v.gain->at_least() > 1.5);

  // Not clearly slower: a default less than 1.5 times behind, one with fewer samples, one with a single fast
  // sample.
  CHECK(choose(four(), {evaluation_of(1.49, 3), evaluation_of(1, 3), {}, {}})->winner == 0);
  CHECK(choose(four(), {evaluation_of(1.6, 2), evaluation_of(1, 2), {}, {}})->winner == 0);
  Evaluation once_as_fast = evaluation_of(1.6, 3);
  once_as_fast.samples[1] = 1;
  CHECK(choose(four(), {once_as_fast, evaluation_of(1, 3), {}, {}})->winner == 0);
}

TEST_CASE("a difference of two per cent is significant, half a per cent is not", "[tuning][selection]") {
  const auto slower =
      surely_slower({evaluation_of(1), evaluation_of(1.02), evaluation_of(1.005), evaluation_of(1)}, 0);
  REQUIRE(slower == std::vector<bool>{false, true, false, false});
}

TEST_CASE("without any time there is no selection", "[tuning][selection]") {
  std::vector<Evaluation> none(4);
  none[1].status = TrialStatus::timeout;
  REQUIRE_FALSE(choose(four(), none).has_value());
}

TEST_CASE("a gain equals the shared examples that also test the report", "[tuning][selection]") {
  std::ifstream file(CFDMARK_EXAMPLES "/median_ratio.json");
  const auto examples = nlohmann::json::parse(file);
  REQUIRE(examples.size() >= 7);
  for (const auto& example : examples) {
    INFO(example.dump());
    const Gain gain = gain_of(example["above"], example["below"]);
    CHECK(gain.value == Approx(example["ratio"].get<double>()));
    REQUIRE(gain.low.has_value() == example.contains("low"));
    if (!gain.low) continue;
    CHECK(*gain.low == Approx(example["low"].get<double>()));
    CHECK(*gain.high == Approx(example["high"].get<double>()));
  }
}

TEST_CASE("below six samples per process a gain has no interval, and the least ratio decides",
          "[tuning][selection]") {
  const std::vector<double> slow = {2.0, 2.1, 2.2, 2.3, 2.4}, fast = {1.0, 1.1, 1.2, 1.3, 1.6};
  const Gain few = gain_of({slow}, {fast});
  CHECK_FALSE(few.low);
  CHECK_FALSE(few.high);
  CHECK(few.fewest == 5);
  CHECK(few.at_least() == Approx(2.0 / 1.6));
  CHECK(is_faster(few));
  CHECK_FALSE(is_faster(gain_of({slow}, {{1.0, 2.0}})));
  CHECK_FALSE(is_faster(gain_of({{3.0}}, {{1.0}})));  // single samples
  const Gain processes = gain_of({slow, slow}, {fast, {1, 1, 1, 1, 1, 1}});
  CHECK_FALSE(processes.low);  // each process needs six samples
  CHECK(processes.fewest == 5);
}

TEST_CASE("a gain's interval contains the true value in at least 95 of 100 draws, also for skewed times",
          "[tuning][selection]") {
  std::mt19937_64 random(7);
  std::exponential_distribution<> late(20);  // mean of a twentieth of the time
  for (const std::size_t samples : {6, 10, 30}) {
    const auto draw = [&] {
      std::vector<double> times;
      for (std::size_t n = 0; n < samples; ++n) times.push_back(1 + late(random));
      return times;
    };
    int held = 0;
    for (int n = 0; n < 1000; ++n) {
      const Gain gain = gain_of({draw()}, {draw()});
      held += *gain.low <= 1 && 1 <= *gain.high;
    }
    INFO(samples << " samples");
    CHECK(held >= 950);
  }
}

// The statistics of a comparison: by hand, against published figures, and on simulated machines.
#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include "bench/compare/process_spread.hpp"
#include "bench/compare/side_order.hpp"
#include "bench/compare/verdict.hpp"
#include "tests/bench/compare/noisy_machine.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;
using namespace cfdmark::compare;

namespace {

constexpr Rule of_3_percent{.smallest_effect = 0.03};

// Base and new, alternating (A B, B A), on one machine per case.
class Experiment {
 public:
  Experiment(std::size_t cases, std::uint64_t seed, const Noise& noise = {}) : base_(cases), now_(cases) {
    for (std::size_t n = 0; n < cases; ++n) machines_.emplace_back(seed * 1000 + n, noise);
  }

  // Measures up to `rounds`; the first case of the new side is slower by the factor.
  void measure(int rounds, double factor) {
    for (; rounds_ < rounds; ++rounds_)
      for (std::size_t n = 0; n < machines_.size(); ++n) {
        if (settled_.count(n)) continue;
        const int first = 2 * rounds_, second = first + 1;
        const bool turned = rounds_ % 2;
        base_[n].push_back(machines_[n].process(1e-4, turned ? second : first));
        now_[n].push_back(machines_[n].process(n == 0 ? 1e-4 * factor : 1e-4, turned ? first : second));
      }
  }

  std::vector<Ratio> ratios() const {
    std::vector<Ratio> all;
    for (std::size_t n = 0; n < base_.size(); ++n) all.push_back(estimate_ratio(base_[n], now_[n], n));
    return all;
  }

  // Measures and judges like `compare`; decided cases are not measured further.
  std::map<std::size_t, Verdict> run(double factor) {
    int look = 0;
    for (const int rounds : {6, 10, 16, 24, 36}) {
      measure(rounds, factor);
      const std::vector<Finding> findings = judge(ratios(), of_3_percent, ++look);
      for (std::size_t n = 0; n < findings.size(); ++n)
        if (!settled_.count(n) && findings[n].verdict != Verdict::undecided)
          settled_[n] = findings[n].verdict;
    }
    return settled_;
  }

 private:
  std::vector<NoisyMachine> machines_;
  std::vector<Processes> base_, now_;
  std::map<std::size_t, Verdict> settled_;
  int rounds_ = 0;
};

bool moved(Verdict verdict) { return verdict == Verdict::slower || verdict == Verdict::faster; }

}  // namespace

TEST_CASE("a ratio's interval has the width of printed tables of Student's t", "[compare]") {
  // With an error of 1 in the logarithm, the half-width is the quantile itself.
  const auto quantile = [](double tail, double degrees_of_freedom) {
    return std::log(Ratio{0, 1, degrees_of_freedom}.interval(1 - 2 * tail).high);
  };
  REQUIRE(quantile(0.025, 1) == Approx(12.706).epsilon(1e-4));
  REQUIRE(quantile(0.025, 10) == Approx(2.228).epsilon(1e-3));
  REQUIRE(quantile(0.0005, 5) == Approx(6.869).epsilon(1e-4));
  REQUIRE(quantile(0.05, 30) == Approx(1.697).epsilon(1e-3));
}

TEST_CASE("the p-value of a ratio is that of printed tables of Student's t", "[compare]") {
  const auto tail = [](double t, double degrees_of_freedom) {
    return Ratio{t, 1, degrees_of_freedom}.p_above(0);
  };
  REQUIRE(tail(1.96, 1e6) == Approx(0.0249979).epsilon(1e-4));  // nearly normal
  REQUIRE(tail(0, 3) == Approx(0.5));
  REQUIRE(tail(-2.228, 10) == Approx(0.975).epsilon(1e-4));
  REQUIRE(tail(1, 1) == Approx(0.25));  // Cauchy distribution
  REQUIRE(Ratio{-1, 1, 1}.p_below(0) == Approx(0.25));
}

TEST_CASE("the ratio is the median over processes of the ratios of lower quartiles", "[compare]") {
  const Processes base = {{1, 7, 2, 9, 3}, {4, 4, 4}, {10}}, now = {{2, 2, 9, 2, 8}, {8, 6, 7}, {12, 13}};
  const Ratio r = estimate_ratio(base, now, 1);  // 2/2, 6/4, 12/10
  REQUIRE(r.ratio() == Approx(1.2));
  REQUIRE(r.degrees_of_freedom == 2);
  const Ratio back = estimate_ratio(now, base, 1);
  REQUIRE(back.ratio() == Approx(1 / 1.2));
}

TEST_CASE("with a second base process per round, the base's time is the geometric mean of both",
          "[compare]") {
  const Processes base = {{2}, {1}, {9}}, again = {{8}, {4}, {4}}, now = {{4}, {4}, {6}};
  const Ratio r = estimate_ratio(base, now, 1, &again);  // 4/4, 4/2, 6/6
  REQUIRE(r.ratio() == Approx(1));
  REQUIRE(r.degrees_of_freedom == 2);
  const Processes twice = {{2}, {2}, {3}};
  REQUIRE(estimate_ratio(base, twice, 1, &again).ratio() == Approx(0.5));  // 2/4, 2/2, 3/6
  const Processes too_few = {{8}, {4}};
  REQUIRE_THROWS_AS(estimate_ratio(base, now, 1, &too_few), std::invalid_argument);
}

TEST_CASE("where samples are paired, a pair's ratio is the median of the sample ratios", "[compare]") {
  const Processes base = {{1, 4, 2}, {5, 5, 5}, {8, 1, 1}}, now = {{2, 4, 6}, {5, 5, 5}, {4, 2, 4}};
  const Ratio r = estimate_ratio(base, now, 1, nullptr, Pairing::samples);  // 2, 1 and 2
  REQUIRE(r.ratio() == Approx(2));
  REQUIRE(r.degrees_of_freedom == 2);
  // The base's geometric means are 2, 2, 4; 5, 5, 5; 8, 1, 2.
  const Processes again = {{4, 1, 8}, {5, 5, 5}, {8, 1, 4}};
  REQUIRE(estimate_ratio(base, now, 1, &again, Pairing::samples).ratio() == Approx(1.5));  // 1.5, 1, 2
  const Processes fewer = {{2, 4}, {5, 5, 5}, {4, 2, 4}};
  REQUIRE_THROWS_AS(estimate_ratio(base, fewer, 1, nullptr, Pairing::samples), std::invalid_argument);
  REQUIRE_NOTHROW(estimate_ratio(base, fewer, 1));
}

// Intermittent load slows all sides by half, for several turns of a process at a time.
TEST_CASE("speed changes within a process matter less where samples are paired", "[compare]") {
  std::mt19937_64 random(7);
  std::uniform_real_distribution<double> noise(-0.01, 0.01), drawn(0, 1);
  double by_process = 0, by_samples = 0;
  int inside = 0;
  const int runs = 100, rounds = 8, turns = 8;
  for (int run = 0; run < runs; ++run) {
    Processes base(rounds), now(rounds);
    for (int n = 0; n < rounds; ++n) {
      bool slow = drawn(random) < 0.5;
      for (int turn = 0; turn < turns; ++turn) {
        if (drawn(random) < 0.3) slow = !slow;
        // The speed may change between the two sides of a turn, too.
        const bool slow_later = drawn(random) < 0.05 ? !slow : slow;
        base[std::size_t(n)].push_back((slow ? 1.5 : 1) * (1 + noise(random)));
        now[std::size_t(n)].push_back(1.05 * (slow_later ? 1.5 : 1) * (1 + noise(random)));
        slow = slow_later;
      }
    }
    const Ratio apart = estimate_ratio(base, now, 1),
                pairing = estimate_ratio(base, now, 1, nullptr, Pairing::samples);
    by_process += std::pow(apart.log - std::log(1.05), 2);
    by_samples += std::pow(pairing.log - std::log(1.05), 2);
    const auto [low, high] = pairing.interval();
    inside += low < 1.05 && 1.05 < high;
  }
  REQUIRE(std::sqrt(by_samples / runs) < 0.01);
  REQUIRE(by_samples < by_process / 2);
  REQUIRE(inside >= 0.9 * runs);
}

TEST_CASE("a second base process reduces the error of the ratio by sqrt(3/4)", "[compare]") {
  double alone = 0, together = 0;
  int inside = 0;
  const int runs = 200, rounds = 12;
  for (int run = 0; run < runs; ++run) {
    NoisyMachine machine(std::uint64_t(run), {0.002, 0, 0.01, 0, 0, 0});
    Processes base, again, now;
    for (int n = 0; n < rounds; ++n)
      base.push_back(machine.process(1, n)), now.push_back(machine.process(1.05, n)),
          again.push_back(machine.process(1, n));
    const Ratio one = estimate_ratio(base, now, 1), both = estimate_ratio(base, now, 1, &again);
    alone += std::pow(one.log - std::log(1.05), 2), together += std::pow(both.log - std::log(1.05), 2);
    const auto [low, high] = both.interval();
    inside += low < 1.05 && 1.05 < high;
  }
  REQUIRE(std::sqrt(together / alone) == Approx(std::sqrt(0.75)).margin(0.08));
  REQUIRE(inside >= 0.93 * runs);
}

TEST_CASE("with one process per side the ratio is that of the medians", "[compare]") {
  REQUIRE(estimate_ratio({{1, 2, 4}}, {{3, 1, 9}}, 1).ratio() == Approx(1.5));
}

TEST_CASE("disturbances of most samples of a process do not hide the true time", "[compare]") {
  // Six of ten samples are late by 0 to 40 %, at random on both sides.
  std::mt19937_64 random(5);
  std::uniform_real_distribution<> late(0, 0.4);
  const auto process = [&](double seconds) {
    Samples samples;
    for (int n = 0; n < 40; ++n)
      samples.push_back(seconds * (n % 10 < 6 ? 1 + late(random) : 1 + 0.002 * late(random)));
    return samples;
  };
  Processes base, now;
  for (int n = 0; n < 10; ++n) base.push_back(process(1)), now.push_back(process(1.05));
  const Ratio r = estimate_ratio(base, now, 1);
  REQUIRE(r.ratio() == Approx(1.05).epsilon(0.002));
  REQUIRE(r.interval().high - r.interval().low < 0.005);
}

TEST_CASE("the same seed gives the same interval", "[compare]") {
  Experiment experiment(1, 3);
  experiment.measure(12, 1);
  const Ratio r = experiment.ratios()[0];
  REQUIRE(r.interval().low == experiment.ratios()[0].interval().low);
  REQUIRE(r.interval().low < r.ratio());
  REQUIRE(r.interval().high > r.ratio());
}

TEST_CASE("without spread the interval is a point, and one sample has no interval", "[compare]") {
  const Ratio exact = estimate_ratio({{2, 2}, {2, 2}}, {{3, 3}, {3, 3}}, 1);
  REQUIRE(exact.interval().low == Approx(1.5));
  REQUIRE(exact.interval().high == Approx(1.5));
  REQUIRE(exact.p_above(0) < 1e-9);
  const Ratio unknown = estimate_ratio({{2}}, {{3}}, 1);
  REQUIRE_FALSE(unknown.error_is_known());
  REQUIRE(judge({unknown}, of_3_percent)[0].verdict == Verdict::undecided);
}

TEST_CASE("sides with different numbers of processes and processes without samples are errors", "[compare]") {
  REQUIRE_THROWS_AS(estimate_ratio({{1}}, {}, 1), std::invalid_argument);
  REQUIRE_THROWS_AS(estimate_ratio({}, {}, 1), std::invalid_argument);
  REQUIRE_THROWS_AS(estimate_ratio({{1}, {}}, {{1}, {1}}, 1), std::invalid_argument);
}

TEST_CASE("the 95 % interval contains the truth in about 95 of 100 runs on a noisy machine", "[compare]") {
  int inside = 0;
  const int runs = 200;
  for (int run = 0; run < runs; ++run) {
    Experiment experiment(1, std::uint64_t(run));
    experiment.measure(8, 1.05);
    const auto [low, high] = experiment.ratios()[0].interval();
    inside += low < 1.05 && 1.05 < high;
  }
  REQUIRE(inside >= 0.93 * runs);
}

// Judging by the samples of one process fails, which is why a side has several processes.
TEST_CASE("the samples of one process do not show the spread between processes", "[compare]") {
  int missed = 0;
  const int runs = 100;
  for (int run = 0; run < runs; ++run) {
    NoisyMachine machine(std::uint64_t(run), {0.004, 0.02, 0.02, 0, 0, 0});
    const auto [low, high] =
        estimate_ratio({machine.process(1, 0, 30)}, {machine.process(1, 1, 30)}, 1).interval();
    missed += 1 < low || high < 1;
  }
  REQUIRE(missed > 0.5 * runs);
}

TEST_CASE("with one process per case, the spread of all cases estimates the spread between processes",
          "[compare]") {
  std::vector<Ratio> ratios;
  for (const double log : {-0.06, -0.03, -0.02, -0.01, 0.0, 0.01, 0.02, 0.03, 0.5})
    ratios.push_back({log, 0.001, 20});
  std::vector<Ratio*> all;
  for (Ratio& r : ratios) all.push_back(&r);
  // Deviations from the median 0: 0 0.01 0.01 0.02 0.02 0.03 0.03 0.06 0.5; their median is 0.02.
  const double spread = add_process_spread(all);
  REQUIRE(spread == Approx(std::sqrt(std::pow(1.4826 * 0.02, 2) - 1e-6)));
  REQUIRE(ratios[0].standard_error == Approx(std::hypot(0.001, spread)));
  REQUIRE(ratios[0].degrees_of_freedom == 8);
  all.resize(7);
  REQUIRE(add_process_spread(all) == -1);
}

TEST_CASE("above 3 % is slower, below is the same, and a wide interval is undecided", "[compare]") {
  const auto change_at = [](double ratio, double error) {
    return judge({{std::log(ratio), error, 30}}, of_3_percent).front().verdict;
  };
  REQUIRE(change_at(1.031, 0.001) == Verdict::slower);
  REQUIRE(change_at(1.029, 0.0001) == Verdict::same);
  REQUIRE(change_at(1.029, 0.001) == Verdict::undecided);
  REQUIRE(change_at(1 / 1.031, 0.001) == Verdict::faster);
  REQUIRE(change_at(1.0, 0.01) == Verdict::same);
  REQUIRE(change_at(1.0, 0.02) == Verdict::undecided);
  REQUIRE(change_at(1.10, 0.05) == Verdict::undecided);
}

TEST_CASE(
    "an undecided case ends as the same within the far end of its interval, if that is allowed and includes "
    "no change",
    "[compare]") {
  const Rule gate{.smallest_effect = 0.03, .widest_same = 0.10};
  // Quantiles of Student's t with 30 degrees of freedom: 2.0423 (95 %) and 2.7500 (99 %).
  REQUIRE(wider_same({0, 0.02, 30}, gate).value() == Approx(std::exp(2.0423 * 0.02) - 1).epsilon(1e-3));
  const double change = std::log(1.02);
  REQUIRE(wider_same({-change, 0.02, 30}, gate).value() ==
          Approx(1.02 * std::exp(0.040846) - 1).epsilon(1e-3));
  REQUIRE_FALSE(wider_same({0, 0.05, 30}, gate));                       // 10.8 %
  REQUIRE_FALSE(wider_same({std::log(1.04), 0.039 / 2.75, 30}, gate));  // a change is likely
  REQUIRE(wider_same({std::log(1.04), 0.0395 / 2.75, 30}, gate));
  REQUIRE_FALSE(wider_same({0, 0.02, 30}, of_3_percent));
  REQUIRE_FALSE(wider_same({0, 0, 0}, gate));
}

TEST_CASE("the rounds needed for a decision grow with the square of error over distance", "[compare]") {
  const double half = 2.0423 * 0.02, effect = std::log(1.03);
  REQUIRE(rounds_to_decide({0, 0.02, 30}, 10, of_3_percent) ==
          Approx(10 * std::pow(half / effect, 2)).epsilon(1e-3));
  REQUIRE(rounds_to_decide({effect / 2, 0.02, 30}, 10, of_3_percent) ==
          Approx(10 * std::pow(half / (effect / 2), 2)).epsilon(1e-3));
  REQUIRE(rounds_to_decide({2 * effect, 0.02, 30}, 10, of_3_percent) ==
          Approx(10 * std::pow(half / (1.5 * effect), 2)).epsilon(1e-3));
}

TEST_CASE("the bound of a case that ends as the same contains the truth in 95 of 100 runs", "[compare]") {
  const Rule gate{.smallest_effect = 0.03, .widest_same = 0.10};
  int same = 0, holds = 0;
  const int runs = 200;
  for (int run = 0; run < runs; ++run) {
    Experiment experiment(1, std::uint64_t(500 + run));
    experiment.measure(8, 1.02);
    const auto within = wider_same(experiment.ratios()[0], gate);
    if (within) ++same, holds += 0.02 < *within;
  }
  REQUIRE(same > 0.75 * runs);
  REQUIRE(holds >= 0.95 * same);
}

TEST_CASE("each further look spends less of the allowed false discoveries", "[compare]") {
  const std::vector<Ratio> borderline = {{std::log(1.05), 0.012, 30}};
  REQUIRE(judge(borderline, of_3_percent, 1)[0].verdict == Verdict::slower);
  REQUIRE(judge(borderline, of_3_percent, 5)[0].verdict == Verdict::undecided);
}

TEST_CASE("two copies of one program never differ on a noisy machine", "[compare]") {
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (const auto& [n, change] : Experiment(8, seed).run(1)) {
      INFO("seed " << seed << ", case " << n);
      CHECK_FALSE(moved(change));
    }
}

TEST_CASE("a slowdown of 5 % is found in 19 of 20 runs and one of 10 % in all, without false findings",
          "[compare]") {
  for (const auto& [factor, least] : {std::pair(1.05, 19), {1.10, 20}}) {
    int found = 0;
    for (std::uint64_t seed = 100; seed < 120; ++seed) {
      auto changes = Experiment(6, seed).run(factor);
      found += changes.count(0) && changes[0] == Verdict::slower;
      changes.erase(0);
      for (const auto& [n, change] : changes) CHECK_FALSE(moved(change));
    }
    INFO("a factor of " << factor);
    CHECK(found >= least);
  }
}

TEST_CASE("every second round reverses the order of the first, and every side is first sometimes",
          "[compare]") {
  SideOrder order(3, 5), again(3, 5);
  bool begins[3] = {};
  for (int n = 0; n < 30; ++n) {
    const std::vector<std::size_t> first = order.next();
    begins[first[0]] = true;
    REQUIRE(first == again.next());
    std::vector<std::size_t> second = order.next();
    again.next();
    std::reverse(second.begin(), second.end());
    REQUIRE(first == second);
  }
  REQUIRE((begins[0] && begins[1] && begins[2]));
}

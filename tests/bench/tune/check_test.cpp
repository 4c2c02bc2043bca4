// Comparison of tuned configs with the best and the default, on hand-made answers.
#include "bench/tune/check.hpp"

#include "tests/bench/tune/quiet_tune.hpp"

using namespace cfdmark;
using namespace cfdmark::tuning;

namespace {

// Returns an answer with three methods, the default first, with these seconds in each of two processes; 0:
// not measured. `tuned` is the index of the tuned one.
TuneAnswer answer(const std::vector<double>& seconds, std::size_t tuned) {
  const std::size_t memory = std::size_t(1) << 40;
  TuneAnswer a{
      tune_space(faulty_subject({"slow", "sound", "quick_if_small"}), memory), 1, {}, {}, {}, {}, {}, {}, 0};
  REQUIRE(a.space.space.size() == 3);
  REQUIRE(a.space.space.fallback() == 0);
  a.beside = {a.space.space[tuned]};
  for (const double s : seconds) {
    const std::vector<double> samples(10, s);
    a.fresh.push_back(s > 0 ? ProcessSamples{samples, samples} : ProcessSamples{});
    Evaluation e;
    e.status = TrialStatus::ok;
    e.samples = samples;
    a.evaluations.push_back(e);
  }
  return a;
}

}  // namespace

TEST_CASE("a check compares the tuned config with the least time and with the default", "[tune][check]") {
  const CheckedSize s = checked_size(answer({3.0, 2.0, 2.1}, 2)).value();
  CHECK(s.best.method == "sound");
  CHECK(s.tuned.method == "quick_if_small");
  CHECK(s.fallback.method == "slow");
  CHECK(s.behind_best.value == Approx(1.05));
  CHECK(s.behind_default.value == Approx(0.7));
  CHECK(s.default_behind_its_kind() == Approx(1.5));
  CHECK_FALSE(checked_size(answer({3.0, 2.0, 2.2}, 2)).value().holds());
  CHECK(checked_size(answer({3.0, 2.0, 2.09}, 2)).value().holds());
}

TEST_CASE("a check compares the default with the best that makes as many steps per run", "[tune][check]") {
  TuneAnswer a = answer({3.0, 1.0, 2.5}, 1);
  CHECK(checked_size(a).value().default_behind_its_kind() == Approx(3));
  Row several = *a.space.cases[1].row;
  several.several_steps = true;
  a.space.cases[1].row = &several;
  const CheckedSize s = checked_size(a).value();
  CHECK(s.best.method == "sound");
  CHECK(s.best_of_kind.method == "quick_if_small");
  CHECK(s.default_behind_its_kind() == Approx(1.2));
}

TEST_CASE("a check fails if the tuned config is slower than the default", "[tune][check]") {
  const CheckedSize s = checked_size(answer({2.0, 2.04, 3.0}, 1)).value();
  CHECK(s.behind_best.value == Approx(1.02));
  CHECK_FALSE(s.holds());
  CHECK(checked_size(answer({2.0, 2.01, 3.0}, 1)).value().holds());
}

// Samples of 1 to 3 seconds around 2, compared with 1.8: 11 % behind by medians, in an interval that includes
// 0.
TEST_CASE("a check does not fail on an insignificant difference", "[tune][check]") {
  TuneAnswer a = answer({1.8, 2.0, 3.0}, 1);
  for (std::vector<double>& process : a.fresh[1])
    for (std::size_t n = 0; n < process.size(); ++n) process[n] = 1 + 0.2 * double(n) + (n == 5 ? 0 : 0.1);
  const CheckedSize s = checked_size(a).value();
  CHECK(s.behind_best.value > 1.05);
  CHECK(s.behind_best.low.value() < 1);
  CHECK(s.holds());
}

TEST_CASE("a tuned config that is the default takes exactly as long as it", "[tune][check]") {
  const CheckedSize s = checked_size(answer({2.0, 1.0, 3.0}, 0)).value();
  CHECK(s.behind_default.value == 1);
  CHECK(s.behind_best.value == Approx(2));
}

TEST_CASE("without confirmed times of the tuned config and the default there is no check", "[tune][check]") {
  CHECK_FALSE(checked_size(answer({2.0, 0, 3.0}, 1)));
  TuneAnswer refused = answer({2.0, 0, 3.0}, 1);
  const std::string out_of_time = why_not_known(refused);
  CHECK_THAT(out_of_time, ContainsSubstring("sound"));
  refused.evaluations[1].reason = "the device holds 132 of them";
  CHECK_THAT(why_not_known(refused),
             ContainsSubstring("sound") && ContainsSubstring(refused.evaluations[1].reason));
  refused.beside.clear();
  CHECK_FALSE(why_not_known(refused).empty());
  CHECK_THAT(why_not_known(refused), !ContainsSubstring("sound"));
  CHECK_FALSE(checked_size(answer({0, 1.0, 3.0}, 1)));
  CHECK(checked_size(answer({2.0, 1.0, 0}, 1)).value().best.method == "sound");
  CHECK(why_not_known(answer({2.0, 1.0, 0}, 1)).empty());
}

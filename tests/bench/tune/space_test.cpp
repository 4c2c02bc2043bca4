// The search space of a tune.
#include "bench/tune/space.hpp"

#include <set>

#include "tests/bench/tune/quiet_tune.hpp"
#include "tuning/strategy.hpp"

using namespace cfdmark;
using namespace cfdmark::tuning;

namespace {

constexpr std::size_t memory = std::size_t(1) << 30;

// 20 x 20 x 20 combinations.
class Wide {
 public:
  Wide() : row_(*faulty_subject({"sound"}).methods.front()) {
    std::vector<Value> values;
    for (int n = 1; n <= 20; ++n) values.push_back(n);
    for (const char* name : {"a", "b", "c"})
      row_.space.settings.push_back({.name = name, .values = values, .default_value = 7, .help = "a number"});
  }
  TuningTarget target(int n) const {
    TuningTarget target;
    target.methods = {&row_};
    target.grid = {n, n, 1};
    return target;
  }
  TuneSpace space(int n, std::size_t most) const { return tune_space(target(n), memory, std::nullopt, most); }
  void have_device_code() { row_.device_code = true; }
  Config defaults() const { return row_.space.defaults(); }

 private:
  Row row_;
};

std::vector<std::string> texts(const TuneSpace& space) {
  std::vector<std::string> found;
  for (std::size_t n = 0; n < space.space.size(); ++n) found.push_back(candidate_text(space.space[n]));
  return found;
}

}  // namespace

TEST_CASE("a space with too many combinations is sampled, equally on every grid") {
  const Wide wide;
  const std::size_t all = wide.space(8, 100'000).space.size();
  REQUIRE(all >= 8000);
  const TuneSpace drawn = wide.space(8, 400);
  CHECK((drawn.space.size() == 400 || drawn.space.size() == 401));  // the default may be among them
  CHECK(drawn.not_drawn == all - 400);
  CHECK(drawn.space[drawn.space.fallback()].config == wide.defaults());
  CHECK(texts(wide.space(16, 400)) == texts(drawn));

  // Sampled uniformly: 400 draws miss a value of a setting once in 8e8 times.
  for (const char* name : {"a", "b", "c"}) {
    std::set<int> seen;
    for (std::size_t n = 0; n < drawn.space.size(); ++n) seen.insert(drawn.space[n].config.integer(name));
    CHECK(seen.size() == 20);
  }
}

TEST_CASE("a space within the limit is searched completely") {
  const Wide wide;
  const TuneSpace exactly = wide.space(8, wide.space(8, 100'000).space.size());
  CHECK(exactly.not_drawn == 0);
  CHECK(texts(exactly) == texts(wide.space(8, 100'000)));
}

TEST_CASE("code is compiled in the order of the searches, once per candidate and grid") {
  Wide wide;
  CHECK(cases_to_compile({wide.space(8, 50)}, {wide.target(8)}, 1).empty());  // no device code
  wide.have_device_code();
  const std::deque<TuneSpace> spaces = {wide.space(8, 50), wide.space(16, 50)};
  std::vector<TuningTarget> targets = {wide.target(8), wide.target(16)};
  const TuneSpace& small = spaces[0];
  const Candidate winner = small.space[small.space.fallback() == 3 ? 4 : 3];
  targets[1].beside = {winner};
  const std::vector<Case> cases = cases_to_compile(spaces, targets, 1);
  std::set<std::string> names;
  for (const Case& c : cases) names.insert(case_name(c));
  CHECK(names.size() == cases.size());
  CHECK(cases.size() == spaces[0].cases.size() + spaces[1].cases.size());

  // Candidates of the first grid are compiled on both grids before its search reaches them, group by group.
  std::vector<std::size_t> asked;
  SearchOptions options;
  options.seed = 1;
  Search search(
      small.space,
      [&](const std::vector<std::size_t>& group, int, double) {
        asked.insert(asked.end(), group.begin(), group.end());
        return std::vector<Evaluation>(group.size(), Evaluation{TrialStatus::ok, "", {1.0}, 0, 0});
      },
      options);
  find_strategy("exhaustive").run(search);
  REQUIRE(asked.size() == small.cases.size());
  std::vector<std::string> of_first;
  for (const Case& c : cases)
    if (c.domain == small.cases.front().domain.box()) of_first.push_back(case_name(c));
  for (std::size_t n = 0; n < asked.size(); ++n) CHECK(of_first[n] == case_name(small.cases[asked[n]]));
  const auto place = [&](const Grid& grid, const Config& config) {
    return std::find_if(cases.begin(), cases.end(),
                        [&](const Case& c) { return c.domain == grid && c.config == config; }) -
           cases.begin();
  };
  const Grid large = spaces[1].cases.front().domain.box();
  CHECK(place(large, wide.defaults()) == 1);
  CHECK(place(large, winner.config) == 2);
  const Config& tenth = small.cases[asked[10]].config;
  CHECK(place(large, tenth) < place(small.cases.front().domain.box(), small.cases[asked[13]].config));
}

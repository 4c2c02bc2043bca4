// What a tuner looks at.
#include "bench/tune/space.hpp"

#include <set>

#include "tests/bench/tune/quiet_tune.hpp"

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
      row_.space.settings.push_back({.name = name, .values = values, .fallback = 7, .help = "a number"});
  }
  TuneSpace space(int n, std::size_t most) const {
    TuneSubject subject;
    subject.methods = {&row_};
    subject.grid = {n, n, 1};
    return tune_space(subject, memory, std::nullopt, most);
  }
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

TEST_CASE("of a space with more combinations than are wanted so many are drawn, the same on every grid") {
  const Wide wide;
  const std::size_t all = wide.space(8, 100'000).space.size();
  REQUIRE(all >= 8000);
  const TuneSpace drawn = wide.space(8, 400);
  CHECK((drawn.space.size() == 400 || drawn.space.size() == 401));  // the default may be one of them
  CHECK(drawn.not_drawn == all - 400);
  CHECK(drawn.space[drawn.space.fallback()].config == wide.defaults());
  CHECK(texts(wide.space(16, 400)) == texts(drawn));

  // From everywhere: of 400 places a value of a setting is missed once in 8e8 times.
  for (const char* name : {"a", "b", "c"}) {
    std::set<int> seen;
    for (std::size_t n = 0; n < drawn.space.size(); ++n) seen.insert(drawn.space[n].config.whole(name));
    CHECK(seen.size() == 20);
  }
}

TEST_CASE("a space that is not larger than what is wanted is looked at as a whole") {
  const Wide wide;
  const TuneSpace exactly = wide.space(8, wide.space(8, 100'000).space.size());
  CHECK(exactly.not_drawn == 0);
  CHECK(texts(exactly) == texts(wide.space(8, 100'000)));
}

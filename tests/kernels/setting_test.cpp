// Settings: accepted values, their texts, and messages for wrong ones.
#include "kernels/core/setting.hpp"

#include "kernels/core/config.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

const Setting cells{"cells", {2, 4}, 2, "of a column"};
const Setting omega{"omega", {}, "optimal", "of SOR", "", real_between(0, 2), {"optimal"}};
const Setting schedule = choice_setting("schedule", {"static", "guided"}, "static", "of chunks");

}  // namespace

TEST_CASE("a value is read back from its text to the last bit", "[settings]") {
  const Setting real = real_setting("x", 1, real_above(0), "any");
  for (const double x : {1.95, 1e-6, 1.0 / 3, 12345678.9, 5e-324, 1e300})
    CHECK(real.parse(to_string(Value(x))) == Value(x));
  for (const int n : {1, 64, 2147483647}) CHECK(cells.parse(to_string(Value(n))) == Value(n));
  CHECK(schedule.parse("guided") == Value("guided"));
  CHECK(omega.parse("optimal") == Value("optimal"));
  CHECK(omega.parse("1") == Value(1.0));  // a real, even without a decimal point
}

TEST_CASE("a setting accepts what it declares and nothing else", "[settings]") {
  for (const char* bad : {"0", "-2", "2.5", "1e2", "", "four", "2 ", "99999999999"})
    CHECK_FALSE(cells.parse(bad));
  for (const char* bad : {"0", "2", "-1", "nan", "inf", "best", "1,9", ""}) CHECK_FALSE(omega.parse(bad));
  for (const char* bad : {"1", "dynamic", ""}) CHECK_FALSE(schedule.parse(bad));
  CHECK_FALSE(cells.takes(2.0));
  CHECK_FALSE(omega.takes(1));
  CHECK(omega.takes(1.0));
}

TEST_CASE("max is the largest count of this machine, for settings that define it", "[settings]") {
  Setting threads{"threads", {1, 2}, 2, "of the host"};
  CHECK_FALSE(threads.parse("max"));
  threads.most_here = 8;
  CHECK(threads.parse("max") == Value(8));
  CHECK(threads.takes_text() == "a whole number from 1 on, or max");
}

TEST_CASE("a declaration states the accepted values, the meaning, the unit and the default", "[settings]") {
  CHECK(cells.declaration() == "cells: a whole number from 1 on; of a column; default 2");
  CHECK(omega.declaration() == "omega: a number above 0 and below 2, or optimal; of SOR; default optimal");
  CHECK(schedule.declaration() == "schedule: static or guided; of chunks; default static");
  CHECK(real_setting("height", 2.5, real_above(0), "of the box", "m").declaration() ==
        "height: a number above 0 in m; of the box; default 2.5");
  CHECK(Setting{"levels", {}, 3, "", "", integer_from_to(1, 8)}.takes_text() == "a whole number from 1 to 8");
}

TEST_CASE("a config refuses a value of the wrong type or out of range and quotes the declaration",
          "[settings]") {
  const TuningSpace space{{cells, omega, schedule}};
  CHECK(space.complete({{"omega", 1.5}}).text() == "cells=2,omega=1.5,schedule=static");
  CHECK_THROWS_WITH(space.complete({{"cells", 0}}),
                    "cells=0: expected cells: a whole number from 1 on; of a column; default 2");
  for (const Config& bad : {Config{{"cells", "two"}}, Config{{"omega", 2.0}}, Config{{"schedule", 2}}})
    CHECK_THROWS_WITH(space.complete(bad), ContainsSubstring("expected " + bad.values()[0].first + ": "));
  CHECK_THROWS_WITH(space.complete({{"cell", 2}}),
                    ContainsSubstring("unknown setting 'cell'; settings: cells, omega"));
}

TEST_CASE("a filled config has every setting once, in their order, and ignores other values", "[settings]") {
  TuningSpace space{{cells, omega, schedule}};
  const Config filled = space.filled({{"schedule", "guided"}, {"tile", 3}, {"cells", 0}});
  CHECK(filled.text() == "cells=0,omega=optimal,schedule=guided");
  CHECK(space.filled(filled) == filled);
  space.adapt = [](Config& defaults, const Config& given) {
    if (given.has("cells")) defaults.set("omega", 1.5);
  };
  CHECK(space.filled({{"cells", 4}}).text() == "cells=4,omega=1.5,schedule=static");
}

TEST_CASE("a check of a complete config changes nothing and finds each invalid value", "[settings]") {
  TuningSpace space{{cells, omega}};
  space.require([](const Config& c) { return c.integer("cells") > 4 ? "too many cells" : ""; });
  CHECK_NOTHROW(space.check({{"cells", 4}, {"omega", 1.5}}));
  CHECK_THROWS_WITH(space.check({{"cells", 4}, {"omega", 2.0}}),
                    ContainsSubstring("omega=2: expected omega"));
  CHECK_THROWS_WITH(space.check({{"cells", 5}, {"omega", 1.5}}), "too many cells");
  CHECK_THROWS_WITH(space.check({{"cells", 4}, {"omgea", 1.5}}),
                    ContainsSubstring("unknown setting 'omgea'"));
}

TEST_CASE("a part of a config has the values of some settings, and all of them", "[settings]") {
  const Config whole{{"omega", 1.5}, {"cells", 4}, {"schedule", "guided"}};
  CHECK(whole.only({cells, omega}).text() == "cells=4,omega=1.5");
  CHECK_THROWS_AS(Config({{"cells", 4}}).only({cells, omega}), std::out_of_range);
}

TEST_CASE("two settings with one name, and one that contradicts itself, are errors", "[settings]") {
  CHECK_NOTHROW(check_settings({cells, omega, schedule}));
  CHECK_THROWS_WITH(check_settings({cells, Setting{"cells", {}, 8, "of a tile"}}),
                    "two settings of one name: 'cells: a whole number from 1 on; of a column; default 2' and "
                    "'cells: a whole number from 1 on; of a tile; default 8'");
  CHECK_THROWS_WITH(check_settings({real_setting("x", 3, real_between(0, 2), "")}),
                    ContainsSubstring("does not accept its own default: 'x: "));
  CHECK_THROWS_WITH(check_settings({Setting{"n", {1, 0}, 1}}),
                    ContainsSubstring("does not accept 0 of its search list"));
}

TEST_CASE("reading a setting with the wrong type is an error that states its value", "[settings]") {
  const Config config{{"cells", 2}, {"omega", "optimal"}};
  CHECK_THROWS_WITH(config.integer("omega"), "setting 'omega' must be a whole number, but is 'optimal'");
  CHECK_THROWS_WITH(config.real("cells"), ContainsSubstring("must be a real number"));
  CHECK_THROWS_WITH(config.choice("speed"), ContainsSubstring("unknown setting 'speed'"));
}

TEST_CASE("corners are the extremes of numbers and every word", "[settings]") {
  const TuningSpace space{{Setting{"n", {1, 2, 4}, 1}, schedule}};
  CHECK(space.corners().size() == 4);
  CHECK(space.all().size() == 6);
  CHECK(TuningSpace{{omega}}.all() == std::vector<Config>{{{"omega", "optimal"}}});  // not searched
}

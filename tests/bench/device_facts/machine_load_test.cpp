// Other load on a machine, computed by hand from two readings of /proc/stat.
#include "bench/device_facts/machine_load.hpp"

#include <fmt/format.h>

#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// user nice system idle iowait irq softirq steal guest guest_nice
std::string stat(int user, int nice, int system, int idle, int iowait, int irq, int softirq, int steal) {
  return fmt::format("cpu  {} {} {} {} {} {} {} {} 5 0\ncpu0 1 2 3 4 5 6 7 8 0 0\nintr 5\n", user, nice,
                     system, idle, iowait, irq, softirq, steal);
}

}  // namespace

TEST_CASE("load is the time that is neither idle nor stolen, in processors", "[load]") {
  // 200 ticks of 4 processors, 50 of each: 60 + 10 + 20 + 6 + 4 = 100 busy, 25 stolen, 75 idle or waiting.
  const auto load = load_between(stat(1000, 50, 300, 9000, 40, 2, 3, 7),
                                 stat(1060, 60, 320, 9070, 45, 8, 7, 32), "3.25 2.00 1.00 2/345 678\n", 4);
  REQUIRE(load);
  CHECK(load->busy_cores == Approx(2.0));
  CHECK(load->stolen_cores == Approx(0.5));
  CHECK(load->average == 3.25);
  CHECK_THAT(busy_text(*load, 4), Mentions({"2.0", "4 processors", "0.5", "load average 3.2"}));
  CHECK(to_json(*load, 4)["stolen_cores"].get<double>() == Approx(0.5));
}

TEST_CASE("a quarter of a processor is busy on a small machine, a twentieth of all on a large one",
          "[load]") {
  CHECK(!MachineLoad{0.2, 0, 9}.is_busy(2));
  CHECK(MachineLoad{0.3, 0, 0}.is_busy(2));
  CHECK(MachineLoad{0.1, 0.2, 0}.is_busy(2));
  CHECK(!MachineLoad{6, 0, 0}.is_busy(128));
  CHECK(MachineLoad{7, 0, 0}.is_busy(128));
}

TEST_CASE("unreadable readings give no load", "[load]") {
  const std::string before = stat(1, 1, 1, 1, 1, 1, 1, 1), after = stat(2, 1, 1, 2, 1, 1, 1, 1);
  CHECK(load_between(before, after, "1 1 1", 2));
  CHECK(!load_between(before, before, "1 1 1", 2));
  CHECK(!load_between("", after, "1 1 1", 2));
  CHECK(!load_between(before, "cpu 1 2 3", "1 1 1", 2));
  CHECK(!load_between(before, after, "", 2));
}

TEST_CASE("the load of this machine can be read", "[load]") {
  const auto load = machine_load();
  REQUIRE(load);
  CHECK(load->busy_cores >= 0);
  CHECK(load->average >= 0);
}

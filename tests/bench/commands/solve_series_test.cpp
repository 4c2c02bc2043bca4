// The program on flows in time: history, probes, files for ParaView and time means.
#include <cmath>
#include <filesystem>
#include <map>
#include <numbers>
#include <sstream>

#include "tests/bench/commands/program.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// Columns of a CSV file by their names.
std::map<std::string, std::vector<double>> columns_of(const std::string& file) {
  std::istringstream text(text_of(file));
  std::string line, cell;
  std::vector<std::string> names;
  std::getline(text, line);
  for (std::istringstream cells(line); std::getline(cells, cell, ',');) names.push_back(cell);
  std::map<std::string, std::vector<double>> columns;
  while (std::getline(text, line)) {
    std::istringstream cells(line);
    for (const std::string& name : names) {
      REQUIRE(std::getline(cells, cell, ','));
      columns[name].push_back(std::stod(cell));
    }
  }
  return columns;
}

std::vector<double> numbers_after(const std::string& text, const std::string& mark, std::size_t count) {
  const auto begin = text.find('\n', text.find(mark));
  std::istringstream from(text.substr(begin));
  std::vector<double> all(count);
  for (double& value : all) REQUIRE(from >> value);
  return all;
}

const std::string vortices =
    "solve --problem taylor_green --solver projection --grid 64x64 --backend serial --reynolds 10 "
    "--end-time 0.1 --set time_step=0.0001 ";
// The speed of the vortices of a unit square decays as exp(-8 pi^2 nu t).
double decay(double time) { return std::exp(-8 * std::numbers::pi * std::numbers::pi * 0.1 * time); }

}  // namespace

TEST_CASE("a history has a row a time step, and a probe in it decays as the exact vortices do",
          "[program][flow]") {
  const TemporaryFolder folder;
  const std::string file = folder / "h.csv";
  const Ended solve = cfdmark_with(vortices + "--probe 0.3,0.45 --probe 0.7,0.55 --history " + file);
  INFO(solve.out << solve.err);
  REQUIRE(solve.status == 0);
  CHECK_THAT(solve.out, ContainsSubstring(file));
  auto columns = columns_of(file);
  REQUIRE(columns["time"].size() == 1001);
  CHECK(columns["iteration"].back() == 1000);
  CHECK(columns["time"].back() == Approx(0.1).epsilon(1e-12));
  for (const char* name : {"momentum", "continuity_residual", "p at 0.7 0.55"}) {
    INFO(name);
    CHECK(columns[name].size() == 1001);
  }
  for (const char* name : {"u at 0.3 0.45", "v at 0.3 0.45", "u at 0.7 0.55"}) {
    INFO(name);
    const std::vector<double>& values = columns[name];
    REQUIRE(values.size() == 1001);
    CHECK(std::abs(values.front()) > 0.05);
    for (const std::size_t n : {250u, 500u, 1000u})
      CHECK(values[n] / values.front() == Approx(decay(columns["time"][n])).epsilon(2e-3));
  }
}

TEST_CASE("check_interval sets the distance of the rows of a history", "[program][flow]") {
  const TemporaryFolder folder;
  REQUIRE(cfdmark_with("solve --problem cavity --grid 8x8 --backend serial --max-iterations 10 --set "
                       "check_interval=5 --history " +
                       (folder / "h.csv"))
              .status == 1);
  auto columns = columns_of(folder / "h.csv");
  CHECK(columns["iteration"] == std::vector<double>{0, 5, 10});
  CHECK(columns.count("time") == 0);  // SIMPLE has iterations without a time step
}

TEST_CASE("a series of files for ParaView is listed with its times", "[program][flow]") {
  const TemporaryFolder folder;
  const Ended solve = cfdmark_with(
      "solve --problem taylor_green --solver piso --grid 16x16 --backend serial --courant 0.32 --end-time "
      "0.2 --vtk-every 4 --vtk " +
      (folder / "f.vti"));
  INFO(solve.out << solve.err);
  REQUIRE(solve.status == 0);
  const std::string list = text_of(folder / "f.pvd");
  CHECK_THAT(list, Mentions({"type=\"Collection\"", "timestep=\"0\" part=\"0\" file=\"f-0000000.vti\"",
                             "timestep=\"0.08\" part=\"0\" file=\"f-0000004.vti\"",
                             "timestep=\"0.16\" part=\"0\" file=\"f-0000008.vti\""}));
  for (const char* file : {"f-0000000.vti", "f-0000004.vti", "f-0000008.vti", "f.vti"})
    CHECK_THAT(text_of(folder / file), ContainsSubstring("WholeExtent=\"0 16 0 16 0 0\""));
  CHECK(!std::filesystem::exists(folder / "f-0000012.vti"));
}

// The mean of exp(-a t) from s to e is (exp(-a s) - exp(-a e)) / (a (e - s)).
TEST_CASE("time means of the vortices are those of their exact decay", "[program][flow]") {
  const TemporaryFolder folder;
  const std::string file = folder / "f.vti";
  const Ended solve = cfdmark_with(vortices + "--mean-from 0.05 --vtk " + file);
  INFO(solve.out << solve.err);
  REQUIRE(solve.status == 0);
  CHECK_THAT(solve.out, ContainsSubstring("means from time 0.05 to 0.1"));
  const double a = 8 * std::numbers::pi * std::numbers::pi * 0.1;
  const double expected = (decay(0.05) - decay(0.1)) / (a * 0.05) / decay(0.1);
  const std::string text = text_of(file);
  const auto mean = numbers_after(text, "Name=\"mean_velocity\"", 3 * 64 * 64),
             last = numbers_after(text, "Name=\"velocity\"", 3 * 64 * 64);
  int compared = 0;
  for (std::size_t n = 0; n < mean.size(); ++n) {
    if (std::abs(last[n]) < 1e-4) continue;
    ++compared;
    CHECK(mean[n] / last[n] == Approx(expected).epsilon(2e-3));
  }
  CHECK(compared > 1000);
}

TEST_CASE("options of a series that do not fit are errors with a remedy", "[program][flow]") {
  const auto complains = [](const std::string& arguments, const std::vector<std::string>& words) {
    const Ended solve = cfdmark_with("solve --backend serial " + arguments);
    INFO(arguments << solve.err);
    CHECK(solve.status == 2);
    CHECK_THAT(solve.err, Mentions(words));
  };
  const std::string cavity = "--problem cavity --grid 8x8 ";
  complains(cavity + "--probe 0.5,0.5", {"--probe needs --history"});
  complains(cavity + "--vtk-every 5", {"--vtk-every needs --vtk NAME.vti"});
  complains(cavity + "--mean-from 5", {"--mean-from needs --vtk NAME.vti"});
  complains(cavity + "--mean-from 5 --vtk a.vti", {"--mean-from", "--solver piso or projection"});
  complains(cavity + "--solver piso --end-time 3 --mean-from 5 --vtk a.vti",
            {"--mean-from 5", "below --end-time 3"});
  complains(cavity + "--vtk a.vti --vtk-every 5 --set check_interval=2",
            {"--vtk-every 5", "check_interval=2"});
  complains(cavity + "--history h.csv --probe 0.5", {"--probe 0.5", "X,Y"});
  complains(cavity + "--history h.csv --probe 0.5,0.5,1",
            {"--probe 0.5,0.5,1 has 3 numbers", "2-D", "write X,Y"});
  complains(cavity + "--history h.csv --probe 0.5,1.5", {"--probe 0.5,1.5", "between 0,0 and 1,1"});
  complains("--problem cylinder --grid 220x41 --history h.csv --probe 2,2", {"--probe 2,2", "in the body"});
  complains("--solver cg --history h.csv", {"--history", "--solver simple, piso or projection"});
  const Ended missing = cfdmark_with("solve --backend serial " + cavity + "--history /missing/h.csv");
  CHECK(missing.status == 3);
  CHECK_THAT(missing.err, ContainsSubstring("/missing: No such file or directory"));
}

// The settings that --help of a command shows, and the errors for those of something else.
#include <algorithm>
#include <string>

#include "bench/catalog/catalog.hpp"
#include "kernels/device/built.hpp"
#include "solvers/families.hpp"
#include "tests/bench/commands/program.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

std::string help_of(const std::string& words) {
  const Ended help = cfdmark_with(words + " --help");
  INFO(words << ": " << help.err);
  CHECK(help.status == 0);
  CHECK(help.err.empty());
  return help.out;
}

// Returns the line of an option or a name; empty if the help has none.
std::string line_of(const std::string& help, const std::string& name) {
  const auto at = help.find("\n  " + name + " ");
  return at == std::string::npos ? "" : help.substr(at + 1, help.find('\n', at + 1) - at - 1);
}

}  // namespace

TEST_CASE("help of a problem shows its settings and those of its default solver, with their defaults there",
          "[program][help]") {
  const std::string cavity = help_of("solve --problem cavity --backend serial");
  CHECK_THAT(line_of(cavity, "--reynolds VALUE"), ContainsSubstring("(default: 100)"));
  CHECK_THAT(line_of(cavity, "--tolerance VALUE"), ContainsSubstring("(default: 1e-06)"));
  CHECK_THAT(cavity, ContainsSubstring("settings of simple on serial"));
  CHECK(line_of(cavity, "--velocity-relaxation VALUE") != "");
  CHECK(line_of(cavity, "--mach VALUE") == "");
  CHECK(line_of(cavity, "--rayleigh VALUE") == "");
  CHECK_THAT(line_of(help_of("solve --problem kovasznay"), "--reynolds VALUE"),
             ContainsSubstring("(default: 40)"));
  CHECK_THAT(help_of("solve --problem cavity --grid 8x8x8 --backend serial"),
             ContainsSubstring("settings of projection on serial"));
  CHECK_THAT(help_of("solve --mask car.png --backend serial"),
             ContainsSubstring("settings of the problem tunnel"));
}

TEST_CASE("help of a solver shows the settings of its methods and of all its problems", "[program][help]") {
  const std::string sor = help_of("solve --solver sor --backend serial");
  CHECK(line_of(sor, "--omega VALUE") != "");
  CHECK(line_of(sor, "--conductivity VALUE") != "");
  CHECK(line_of(sor, "--reynolds VALUE") == "");
  const std::string simple = line_of(help_of("solve --solver simple --backend serial"), "--reynolds VALUE");
  CHECK_THAT(simple, ContainsSubstring("100 for cavity, channel"));
  CHECK_THAT(simple, ContainsSubstring("; 40 for kovasznay"));
}

TEST_CASE("help without a choice lists every solver and problem in one line, and no setting",
          "[program][help]") {
  const std::string help = help_of("solve");
  for (const auto& names : {all_solver_names(), all_problem_names()})
    for (const std::string& name : names) {
      INFO(name);
      CHECK(line_of(help, name) != "");
    }
  for (const char* setting : {"--tolerance", "--reynolds", "--omega", "--block-x", "--mach"}) {
    INFO(setting);
    CHECK(line_of(help, std::string(setting) + " VALUE") == "");
  }
  CHECK_THAT(help, ContainsSubstring("cfdmark solve --problem cavity --help"));
}

TEST_CASE("help of tune is short, and that of a kernel has its settings", "[program][help]") {
  const std::string short_help = help_of("tune"), kernel = help_of("tune red_black_sor --backend serial");
  CHECK(std::count(short_help.begin(), short_help.end(), '\n') <= 78);
  CHECK(line_of(short_help, "--mach VALUE") == "");
  CHECK(line_of(short_help, "--operator VALUE") == "");
  CHECK(line_of(kernel, "--operator VALUE") != "");
  CHECK_THAT(kernel, ContainsSubstring("searched settings of red_black_sor on serial"));
  CHECK_THAT(help_of("tune sor --backend serial"), ContainsSubstring("\n  --tolerance VALUE"));
  if (built_with_cuda)
    CHECK_THAT(help_of("inspect jacobi"), ContainsSubstring("\n  --operator VALUE") &&
                                              ContainsSubstring("searched settings of jacobi on cuda"));
}

TEST_CASE("help on an unknown choice is an error with a suggestion", "[program][help]") {
  const auto complains = [](const std::string& arguments, const std::string& suggestion) {
    const Ended o = cfdmark_with(arguments + " --help");
    INFO(arguments << ": " << o.err);
    CHECK(o.status == 2);
    CHECK(o.out.empty());
    CHECK_THAT(o.err, ContainsSubstring("did you mean '" + suggestion + "'?"));
  };
  complains("solve --problem cavty", "cavity");
  complains("solve --solver multigird", "multigrid");
  complains("solve --solver sor --backend serial --method plian", "plain");
  complains("tune jacobbi", "jacobi");
}

TEST_CASE("a setting may come before the choice that has it", "[program][help]") {
  const std::string before =
      cfdmark_with("solve --reynolds 50 --problem cavity --backend serial --grid 8x8 --max-iterations 2").out;
  CHECK_THAT(before, ContainsSubstring("cavity on 8x8 by simple"));
  const Ended invalid =
      cfdmark_with("solve --reynolds -1 --backend serial --grid 8x8 --problem cavity --max-iterations 2");
  CHECK(invalid.status == 2);
  CHECK_THAT(invalid.err, ContainsSubstring("reynolds=-1: expected reynolds: a number above 0"));
}

TEST_CASE("a setting of something else is an error that names what has it", "[program][help]") {
  const auto complains = [](const std::string& arguments, const std::vector<std::string>& words) {
    const Ended o = cfdmark_with(arguments);
    INFO(arguments << ": " << o.err);
    CHECK(o.status == 2);
    CHECK_THAT(o.err, Mentions(words));
  };
  const std::string solve = "solve --backend serial --grid 9x9 ";
  complains(solve + "--solver cg --reynolds 100", {"cg has no setting 'reynolds'", "the problems cavity, "});
  complains(solve + "--solver cg --rayleigh 1e4", {"a setting of the problem natural_convection;"});
  complains(solve + "--solver cg --omega 1.5", {"cg has no setting 'omega'", "the solvers sor, "});
  if (!built_with_cuda) return;
  complains(solve + "--solver cg --set block_x=64", {"'block_x'", "its method cuda/"});
  complains("tune jacobi --backend serial --mach 2", {"jacobi has no setting 'mach'", "flux_split"});
}

// A family of solvers from a folder outside of solvers/ (tests/user_families/decay), in all commands.
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include "bench/record/records.hpp"
#include "tests/bench/commands/program.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// A step halves u, so the 20th is the first below a millionth.
constexpr int steps_to_a_millionth = 20;

Ended with_decay(const std::string& arguments) { return run_program(CFDMARK_WITH_DECAY, arguments); }

}  // namespace

TEST_CASE("a family from outside is listed and solves its problem", "[program][family]") {
  CHECK_THAT(with_decay("list euler").out, Mentions({"euler", "serial", "openmp", "plain", "dt"}));
  const Ended solve = with_decay("solve --problem decay --backend serial --grid 8x8 --start 3");
  INFO(solve.err);
  CHECK(solve.status == 0);
  CHECK_THAT(solve.out, Mentions({"decay on 8x8 by euler (serial, fp64, plain)", "converged in 20 iterations",
                                  "largest"}));
  const Ended slow = with_decay("solve --problem decay --backend serial --grid 8x8 --max-iterations 5");
  CHECK(slow.status == 1);
  CHECK_THAT(with_decay("solve --solver euler --problem cavity").err,
             Mentions({"euler cannot solve cavity"}));
  CHECK_THAT(with_decay("solve --problem decay --plot x").err, Mentions({"--plot is available for"}));
}

TEST_CASE("a family from outside is swept, recorded and reported", "[program][family]") {
  const TemporaryFolder folder;
  const std::string records = folder / "decay.jsonl", sweep = folder / "decay.yaml";
  std::ofstream(sweep) << "question: how long a decay takes\n"
                          "blocks:\n"
                          "  - solver: euler\n"
                          "    problem: decay\n"
                          "    backend: [serial, openmp]\n"
                          "    precision: [fp64, mixed]\n"
                          "    grid: [16x16, 8x8x8]\n"
                          "    parameters: {dt: [0.5, 0.75]}\n";
  const Ended run = with_decay("run " + sweep + " --output " + records + " --budget 5s --no-roofs");
  INFO(run.err);
  CHECK(run.status == 0);
  std::set<std::string> ok, not_run;  // a case measured in two processes has two lines
  for (const Json& line : read_records(records).lines) {
    if (line.at("type") != "record") continue;
    if (line.at("status") == "not_run") {
      CHECK(line.at("precision") == "mixed");
      not_run.insert(line.at("case"));
      continue;
    }
    INFO(line.dump());
    REQUIRE(line.at("status") == "ok");
    const Json& solver = line.at("solver");
    CHECK(solver.at("iterations") == (line["config"]["dt"] == 0.5 ? steps_to_a_millionth : 10));
    CHECK(solver.at("converged") == true);
    CHECK(solver.at("error_history").size() == solver.at("history").size());
    CHECK(line.at("verification").at("passed") == true);
    ok.insert(line.at("case"));
  }
  CHECK(ok.size() == 8);
  CHECK(not_run.size() == 8);
  const Ended report = with_decay("report " + records + " --output " + (folder / "report"));
  INFO(report.err);
  CHECK(report.status == 0);
  CHECK(std::filesystem::exists(folder / "report"));
}

TEST_CASE("a solver of a family from outside is tuned", "[program][family]") {
  const TemporaryFolder folder;
  const Ended tune = with_decay("tune euler --backend serial --grid 16x16 --budget 3s --no-roof --output " +
                                (folder / "tune.jsonl") + " --tuned " + (folder / "tables"));
  INFO(tune.err << tune.out);
  CHECK(tune.status == 0);
  CHECK_THAT(tune.out, Mentions({"euler", "check_interval"}));
}

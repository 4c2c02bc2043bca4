// `cfdmark choose` as a user runs it.
#include <sstream>

#include "bench/record/records.hpp"
#include "tests/bench/commands/program.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// The newest record of each case in a file.
std::map<std::string, Json> records_in(const std::string& path) {
  std::map<std::string, Json> records;
  const RecordFile file = read_records(path);
  CHECK(file.warnings.empty());
  for (const Json& line : file.lines)
    if (line["type"] == "record") records[line["case"]] = line;
  return records;
}

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

}  // namespace

TEST_CASE("the first row of the table is the fastest verified solve, and its command repeats it",
          "[program][choose]") {
  const TemporaryFolder folder;
  const std::string output = folder / "c.jsonl";
  const Ended choose = cfdmark_with(
      "choose pressure --grid 33x33 --backend serial --precision fp64 --tolerance 1e-8 --budget 20s "
      "--output " +
      output);
  INFO(choose.out << choose.err);
  REQUIRE(choose.status == 0);

  double least = 1e9;
  std::string fastest;
  for (const auto& [name, record] : records_in(output)) {
    if (record["status"] != "ok" || !record["solver"]["converged"]) continue;
    CHECK(record["solver"]["true_residual"].get<double>() <= 1.5e-8);
    if (const double median = record["time"]["median"]; median < least)
      least = median, fastest = record["name"];
  }
  std::vector<std::string> table;
  for (const std::string& line : lines_of(choose.out))
    if (line.find("  serial  ") != std::string::npos) table.push_back(line);
  REQUIRE(table.size() > 3);
  CHECK_THAT(table[0], Mentions({"fastest", fastest}));
  CHECK_THAT(choose.out, Mentions({"answer: " + fastest + " on serial"}));

  for (const std::string& line : lines_of(choose.out))
    if (const auto at = line.find("cfdmark solve"); at != std::string::npos) {
      const Ended solve = cfdmark_with(line.substr(at + std::string("cfdmark ").size()));
      INFO(line << solve.out << solve.err);
      CHECK(solve.status == 0);
      CHECK_THAT(solve.out, Mentions({"converged in", "manufactured on 33x33 by " + fastest}));
    }
  const Ended report = cfdmark_with("report " + output);
  INFO(report.out << report.err);
  CHECK(report.status == 0);
  CHECK_THAT(report.out, Mentions({fastest}));
}

TEST_CASE("a short budget over many candidates leaves none without an entry", "[program][choose]") {
  const TemporaryFolder folder;
  const std::string options = " pressure --grid 129x129 --tolerance 1e-9 --output " + (folder / "c.jsonl");
  const Ended dry = cfdmark_with("choose" + options + " --dry-run");
  REQUIRE(dry.status == 0);
  const std::size_t candidates = lines_of(dry.out).size() - 1;  // after the heading
  REQUIRE(candidates > 50);
  const Ended choose = cfdmark_with("choose" + options + " --budget 5s");
  INFO(choose.out << choose.err);
  CHECK((choose.status == 0 || choose.status == 1));  // on a busy machine none may end in time
  CHECK(records_in(folder / "c.jsonl").size() == candidates);
}

TEST_CASE("choose refuses an unknown question with the valid ones", "[program][choose]") {
  const Ended choose = cfdmark_with("choose presure");
  CHECK(choose.status == 2);
  CHECK_THAT(choose.err, Mentions({"'presure'", "pressure, momentum, flow, relaxation or matrix",
                                   "did you mean 'pressure'"}));
}

TEST_CASE("without a solve to the tolerance there is no answer, and the status is 1", "[program][choose]") {
  const TemporaryFolder folder;
  const Ended choose = cfdmark_with(
      "choose momentum --grid 17x17 --backend serial --precision fp32 --tolerance 1e-14 --budget 10s "
      "--output " +
      (folder / "c.jsonl"));
  INFO(choose.out << choose.err);
  CHECK(choose.status == 1);
  CHECK_THAT(choose.out, Mentions({"no answer", "above the tolerance"}));
}

// A setting is declared once and appears in every interface.
#include <cstdlib>
#include <fstream>
#include <set>

#include "bench/case/case.hpp"
#include "bench/case/case_filter.hpp"
#include "bench/case/case_record.hpp"
#include "bench/case/row_settings.hpp"
#include "bench/case/settings_help.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/record/record.hpp"
#include "bench/sweep/axes.hpp"
#include "test_paths.hpp"
#include "tests/bench/sweep/sweep_support.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// The small catalog, with one setting added to a new problem `cavity`: the only declaration.
std::vector<Row> rows_with_cavity() {
  std::vector<Row> rows = small_catalog();
  for (Row& row : rows)
    if (row.kind == RowKind::solver)
      row.problems.push_back({"cavity", {real_setting("reynolds", 100, real_above(0), "of the lid")}});
  return rows;
}

std::string report_of(const Json& record) {
  const TemporaryFolder folder;
  std::ofstream(folder / "run.jsonl") << one_line(record) << '\n';
  const std::string command = std::string(CFDMARK_PROGRAM) + " report " + (folder / "run.jsonl") +
                              " --format markdown --output - > " + (folder / "report.md");
  REQUIRE(std::system(command.c_str()) == 0);
  std::ifstream file(folder / "report.md");
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace

TEST_CASE("a setting declared by a problem appears in help, sweep, name, record and report", "[settings]") {
  const std::vector<Row> rows = rows_with_cavity();
  CHECK_THAT(
      settings_help(rows, RowKind::solver),
      ContainsSubstring("reynolds") && ContainsSubstring("a number above 0: of the lid (default: 100)"));

  const std::string block =
      "solvers: cg\nbackends: serial\nprecisions: fp64\ngrids: 9x9\nproblem: cavity\n"
      "reynolds: [100, 1e3]\n";
  const Sweep sweep = sweep_of_block(block, {}, rows);
  REQUIRE(sweep.cases.size() == 2);
  CHECK(short_name(sweep.cases[0]) == "cg/serial/fp64/textbook@9x9;problem=cavity");
  CHECK(short_name(sweep.cases[1]) == "cg/serial/fp64/textbook@9x9;problem=cavity,reynolds=1000");
  CHECK(case_name(sweep.cases[0]) ==
        "cg/serial/fp64/textbook@9x9;problem=cavity,tolerance=1e-06,max_iterations=10000,reynolds=100");

  Json record = to_json(record_without_time(sweep.cases[1], "not_run", "no device", "e"));
  CHECK(record["workload"]["reynolds"] == 1000.0);
  CHECK(record["label"] == short_name(sweep.cases[1]));
  CHECK_THAT(report_of(record), ContainsSubstring("problem=cavity,reynolds=1000"));
}

TEST_CASE("a filter finds a case by its full and its short name", "[settings]") {
  const Sweep sweep = sweep_of_block(
      "solvers: sor\nbackends: serial\nprecisions: fp64\ngrids: 9x9\nparameters: {omega: 1.95}\n", {},
      small_catalog());
  for (const char* found : {"order=red_black", "@9x9:omega=1.95$", "tolerance=1e-06"})
    CHECK(CaseFilter(found).lets_through(sweep.cases[0]));
  CHECK_FALSE(CaseFilter("omega=optimal").lets_through(sweep.cases[0]));
  // The order of settings does not matter. In the last pattern one word matches the short name, one the full
  // name.
  for (const char* found : {"order=red_black omega=1.95", "omega=1.95 order=red_black", " @9x9  /serial/ ",
                            "tolerance=1e-06 ^sor/ @9x9", "@9x9:omega=1.95$ tolerance=1e-06"})
    CHECK(CaseFilter(found).lets_through(sweep.cases[0]));
  CHECK_FALSE(CaseFilter("omega=1.95 /cuda/").lets_through(sweep.cases[0]));
}

TEST_CASE("a setting that is a choice in one row and a number in another is an error", "[settings]") {
  std::vector<Row> rows = rows_with_cavity();
  CHECK_NOTHROW(check_settings(rows));
  rows.back().space.settings.push_back(choice_setting("threads", {"few", "many"}, "few", "of the host"));
  CHECK_THROWS_AS(check_settings(rows), std::logic_error);
  CHECK_THROWS_WITH(check_settings(rows),
                    ContainsSubstring(rows.back().space.settings.back().declaration()) &&
                        ContainsSubstring(row_name(rows.back())));
}

TEST_CASE("a setting named like an axis of sweeps is an error that names the row", "[settings]") {
  for (const std::string name : {"grid", "grids", "device", "method", "zip", "problem"}) {
    std::vector<Row> rows = rows_with_cavity();
    rows.back().space.settings.push_back(Setting{name, {1, 2}, 1, "of a tile"});
    CHECK_THROWS_AS(check_settings(rows), std::logic_error);
    CHECK_THROWS_WITH(check_settings(rows),
                      ContainsSubstring(row_name(rows.back())) &&
                          ContainsSubstring(rows.back().space.settings.back().declaration()));
  }
}

TEST_CASE("no axis of sweeps is allowed as the name of a setting", "[settings]") {
  const TemporaryFolder folder;
  std::ofstream(folder / "sweep.yaml") << "blocks: []\n";
  const SweepFile file(folder / "sweep.yaml");
  std::vector<Row> rows = small_catalog();
  std::set<std::string> settings;
  for (const Row& row : rows) for_each_setting(row, [&](const Setting& s) { settings.insert(s.name); });
  const AxisReader axes(file, rows);
  for (const std::string& axis : axes.names()) {
    if (settings.contains(axis)) continue;
    INFO(axis);
    rows.back().space.settings = {Setting{axis, {1, 2}, 1, "of a tile"}};
    CHECK_THROWS_WITH(check_settings(rows),
                      ContainsSubstring(row_name(rows.back())) &&
                          ContainsSubstring(rows.back().space.settings.back().declaration()));
  }
}

TEST_CASE("a problem cannot declare a setting of every solve", "[settings]") {
  std::vector<Row> rows = rows_with_cavity();
  rows.back().problems.back().settings.push_back(real_setting("tolerance", 0.5, real_above(0), "of the lid"));
  CHECK_THROWS_WITH(check_settings(rows), ContainsSubstring("'tolerance: "));
}

TEST_CASE("every setting of the catalog has a one-line help", "[settings]") {
  for (const Row& row : catalog())
    for_each_setting(row, [&](const Setting& s) {
      INFO(row_name(row) << " " << s.name);
      CHECK(s.help.size() > 5);
      CHECK(s.help.find('\n') == std::string::npos);
    });
}

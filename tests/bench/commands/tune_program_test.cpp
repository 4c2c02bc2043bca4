// The tune command over several sizes up to the look-up of a sweep, and killed tunes.
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "bench/record/records.hpp"
#include "bench/tuned/tuned_range.hpp"
#include "bench/tuned/tuned_table.hpp"
#include "tests/bench/commands/program.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;
using namespace cfdmark::tuning;

namespace {

std::size_t lines_in(const std::string& path) {
  std::size_t count = 0;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) ++count;
  return count;
}

// Starts a tune with its table in `tuned`.
pid_t begin_tune(std::vector<std::string> arguments, const std::string& output, const std::string& tuned,
                 const std::string& out = "/dev/null") {
  arguments.insert(arguments.begin(), "tune");
  arguments.insert(arguments.end(), {"--no-roof", "--output", output, "--tuned", tuned});
  return begin_cfdmark(std::move(arguments), out);
}

}  // namespace

TEST_CASE("an answer of a ladder is used between its sizes and not beyond, and listed with them",
          "[program][tune][sizes]") {
  const TemporaryFolder folder;
  setenv("CFDMARK_TUNED", (folder / "tuned").c_str(), 1);
  // One method without settings: the default is the answer at all sizes.
  const Ended tune = cfdmark_with(
      "tune copy --backend serial --method plain --ladder 16..64 --no-roof --output " + (folder / "t.jsonl"));
  INFO(tune.out << tune.err);
  REQUIRE(tune.status == 0);
  CHECK_THAT(tune.out, ContainsSubstring(" 15 to 71 ") && ContainsSubstring(" 32x32: "));
  std::ofstream(folder / "tuned.yaml")
      << "question: Is it used?\n"
         "blocks:\n"
         "  - {kernels: copy, methods: plain, backends: serial, precisions: fp64,\n"
         "     grids: [16x16, 41x40, 71x71, 72x72], parameters: tuned}\n";
  const Ended run =
      cfdmark_with("run " + (folder / "tuned.yaml") +
                   " --no-roofs --processes 1 --case-seconds 0.02 --output " + (folder / "r.jsonl"));
  const Ended layouts = cfdmark_with("tune layouts --csv " + (folder / "l.csv"));
  unsetenv("CFDMARK_TUNED");
  INFO(run.err);
  std::map<std::string, int> matches;
  for (const Json& line : read_records(folder / "r.jsonl").lines)
    if (line["type"] == "record") ++matches[line["tuned"]["match"]];
  CHECK(matches == std::map<std::string, int>{{"exact", 1}, {"in_range", 2}, {"outside", 1}});
  CHECK_THAT(run.err, ContainsSubstring("1 exact, 2 in_range (") && ContainsSubstring(" 1.6 ") &&
                          ContainsSubstring("1 outside (") && ContainsSubstring(" 1.27 "));
  CHECK_THAT(layouts.out, ContainsSubstring("15 to 71"));
  CHECK_THAT(text_of(folder / "l.csv"), ContainsSubstring(",16x16 32x32 64x64,"));
}

TEST_CASE("a killed tune leaves its table unchanged, and the next one appends to the same record file",
          "[program][tune][sizes]") {
  const TemporaryFolder folder;
  const std::string output = folder / "t.jsonl", tuned = folder / "tuned";
  const pid_t pid = begin_tune({"jacobi", "--backend", "serial", "--ladder", "64..1024"}, output, tuned);
  REQUIRE(WIFSIGNALED(end_cfdmark(pid, SIGKILL, [&] { return lines_in(output) >= 3; })));
  CHECK(read_tuned_tables(tuned).tables.empty());
  const std::size_t before = lines_in(output);
  const Ended again =
      cfdmark_with("tune jacobi --backend serial --method plain --ladder 8..16 --no-roof --output " + output +
                   " --tuned " + tuned);
  INFO(again.err);
  REQUIRE(again.status == 0);
  CHECK(lines_in(output) > before);
  const TunedTables tables = read_tuned_tables(tuned);
  REQUIRE(tables.tables.size() == 1);
  std::size_t sizes = 0;
  for (const Json& entry : tables.tables[0].entries) sizes += sizes_of(entry).size();
  CHECK(sizes == 2);
}

TEST_CASE("a tune tries the default of each method before any other config, for every seed",
          "[program][tune]") {
  for (const char* seed : {"1", "2", "3"}) {
    const TemporaryFolder folder;
    const Ended tune =
        cfdmark_with("tune red_black_sor --backend serial --grid 17x17 --samples 1 --seed " +
                     std::string(seed) + " --no-roof --keep-nothing --output " + (folder / "t.jsonl"));
    INFO(tune.err);
    REQUIRE(tune.status == 0);
    std::vector<std::string> methods;
    std::ifstream file(folder / "t.jsonl");
    for (std::string line; std::getline(file, line);)
      if (const Json record = Json::parse(line); record.at("type") == "record")
        methods.push_back(record.at("method"));
    const std::set<std::string> all(methods.begin(), methods.end());
    REQUIRE(all.size() < methods.size());
    CHECK(std::set<std::string>(methods.begin(), methods.begin() + std::ptrdiff_t(all.size())) == all);
  }
}

TEST_CASE("several killed tunes continue after the saved answers and end with the table of layouts",
          "[program][tune][jobs]") {
  const TemporaryFolder folder;
  const std::string output = folder / "t.jsonl", tuned = folder / "tuned";
  const pid_t pid = begin_tune({"jacobi", "four_variable_update", "red_black_sor", "--backend", "serial",
                                "--precision", "fp64,fp32", "--ladder", "8..16"},
                               output, tuned);
  REQUIRE(WIFSIGNALED(end_cfdmark(pid, SIGKILL, [&] { return !read_tuned_tables(tuned).tables.empty(); })));
  REQUIRE(read_tuned_tables(tuned).tables.size() == 1);
  const std::string command =
      "tune jacobi four_variable_update red_black_sor --backend serial --precision fp64,fp32 --ladder 8..16 "
      "--no-roof --output " +
      output + " --tuned " + tuned;
  const Ended again = cfdmark_with(command);
  INFO(again.err);
  CHECK(again.status == 0);
  CHECK_THAT(again.err, ContainsSubstring("--retune"));  // of a skipped job
  CHECK_THAT(again.out, ContainsSubstring("\ntime: ") && ContainsSubstring(" % measuring"));
  // The table, or a summary if it does not fit on a screen.
  CHECK_THAT(again.out,
             ContainsSubstring("red_black_sor/serial/fp32") || ContainsSubstring(" of 3 kernels\n"));
  const Ended one = cfdmark_with("tune layouts red_black_sor/serial/fp32 --tuned " + tuned);
  CHECK_THAT(one.out, ContainsSubstring("red_black_sor/serial/fp32, squares") && ContainsSubstring(" 8 to "));
  const Ended third = cfdmark_with(command + " --page " + (folder / "page.html"));
  CHECK(third.status == 0);
  CHECK_THAT(third.err, ContainsSubstring("[6/6] 6 jobs: ") && ContainsSubstring("--retune"));
  CHECK_THAT(third.out, ContainsSubstring("0 tuned, 6 current"));
  CHECK_THAT(text_of(folder / "page.html"), ContainsSubstring("Devices side by side"));
}

TEST_CASE("an interrupted tune of many jobs keeps its answers and reports the remaining jobs in one line",
          "[program][tune][jobs]") {
  const TemporaryFolder folder;
  const std::string tuned = folder / "tuned";
  const pid_t pid = begin_tune({"copy", "axpy", "scale", "triad", "jacobi", "red_black_sor", "multiply",
                                "--backend", "serial", "--precision", "fp64,fp32", "--ladder", "64..256"},
                               folder / "t.jsonl", tuned, folder / "out");
  const int status = end_cfdmark(pid, SIGINT, [&] { return !read_tuned_tables(tuned).tables.empty(); });
  const std::string out = text_of(folder / "out");
  INFO(out);
  REQUIRE(WIFEXITED(status));
  CHECK(WEXITSTATUS(status) == 130);
  CHECK_THAT(out, ContainsSubstring(" jobs, ") && ContainsSubstring(" to multiply/serial/fp32 on "));
  const std::string last = "multiply/serial/fp32 on 64x64 to 256x256: interrupted\n";
  CHECK(out.find(last) == out.rfind(last));
  CHECK_THAT(out, ContainsSubstring(last) && !ContainsSubstring("red_black_sor/serial/fp32"));
}

// These sizes need several times the budget, of which device queries on a busy machine take a part.
TEST_CASE("a budget that ends early lists the remaining jobs and exits with status 4",
          "[program][tune][jobs]") {
  const TemporaryFolder folder;
  const Ended tune = cfdmark_with(
      "tune jacobi red_black_sor --backend serial --ladder 8..1024 --ladder-steps 4 --no-roof --budget 6s "
      "--keep-nothing "
      "--output " +
      (folder / "t.jsonl"));
  INFO(tune.out << tune.err);
  CHECK(tune.status == 4);
  CHECK_THAT(tune.out, ContainsSubstring("\n  red_black_sor/serial/fp64 on 8x8 to 1024x1024: "));
}

TEST_CASE("an objective of energy without a counter is an error", "[program][tune][aim]") {
  const TemporaryFolder folder;
  const Ended tune = cfdmark_with(
      "tune red_black_sor --backend serial --grid 64x64 --no-roof --objective energy --keep-nothing "
      "--samples 3 "
      "--output " +
      (folder / "t.jsonl"));
  if (tune.status == 0) {  // this machine has an energy counter
    CHECK_THAT(tune.out, ContainsSubstring(" nJ "));
    return;
  }
  CHECK(tune.status == 2);
  CHECK_THAT(tune.err, ContainsSubstring("--objective energy: "));
}

TEST_CASE("an answer for memory reports bytes and time, and is not used as one for time",
          "[program][tune][aim]") {
  const TemporaryFolder folder;
  const std::string tuned = folder / "tuned";
  const Ended tune =
      cfdmark_with("tune red_black_sor --backend serial --grid 64x64 --no-roof --objective memory --output " +
                   (folder / "t.jsonl") + " --tuned " + tuned);
  INFO(tune.out << tune.err);
  REQUIRE(tune.status == 0);
  CHECK_THAT(tune.out, ContainsSubstring(" bytes ") && ContainsSubstring(" times "));
  const Json entry = read_tuned_tables(tuned).tables.at(0).entries.at(0);
  CHECK(entry["objective"] == "memory");
  CHECK(entry["range"]["sizes"][0]["objective"]["winner"].get<double>() > 8);
  std::ofstream(folder / "tuned.yaml") << "question: Is it used?\n"
                                          "blocks:\n"
                                          "  - {kernels: red_black_sor, methods: plain, backends: serial,\n"
                                          "     precisions: fp64, grids: [64x64], parameters: tuned}\n";
  setenv("CFDMARK_TUNED", tuned.c_str(), 1);
  const Ended run = cfdmark_with("run " + (folder / "tuned.yaml") + " --dry-run");
  unsetenv("CFDMARK_TUNED");
  CHECK_THAT(run.err, ContainsSubstring(": 1 none"));
}

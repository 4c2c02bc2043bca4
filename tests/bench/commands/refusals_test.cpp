// Errors of the program for unusable words, files and limits.
#include <fstream>

#include "bench/text/json.hpp"
#include "bench/text/printable.hpp"
#include "tests/bench/commands/program.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

TEST_CASE("an empty value of an option is an error that names the option", "[program]") {
  const auto err_of = [](const std::string& command) {
    const Ended refused = cfdmark_with(command);
    INFO(command);
    CHECK(refused.status == 2);
    return refused.err;
  };
  CHECK_THAT(err_of("solve --solver sor --grid 9x9 --omega ''"), Mentions({"cfdmark: solve: --omega: "}));
  CHECK_THAT(err_of("solve --solver '' --grid 9x9"), Mentions({"--solver: "}));
  CHECK_THAT(err_of("solve --grid ''"), Mentions({"--grid: "}));
  CHECK_THAT(err_of("run sweeps/quick.yaml --output ''"), Mentions({"--output: "}));
  CHECK_THAT(err_of("tune copy --backend ''"), Mentions({"--backend: "}));
  CHECK_THAT(err_of("run ''"), Mentions({"SWEEP: "}));
  CHECK_THAT(err_of("solve --tolerance=''"), Mentions({"--tolerance: "}));
  CHECK_THAT(err_of("compare a.jsonl b.jsonl --effect ''"), Mentions({"--effect: "}));
}

TEST_CASE("an empty filter matches every case", "[program]") {
  const TemporaryFolder folder;
  std::ofstream(folder / "s.yaml")
      << "question: Which?\nblocks:\n  - {kernels: copy, backends: serial, methods: "
         "default, precisions: fp64, grids: [8x8, 9x9]}\n";
  const Ended dry = cfdmark_with("run " + (folder / "s.yaml") + " --dry-run --filter ''");
  CHECK(dry.status == 0);
  CHECK_THAT(dry.out, ContainsSubstring("2 cases: 2 to measure"));
}

TEST_CASE("a file without usable records is an input error of every command", "[program]") {
  const TemporaryFolder folder;
  std::ofstream(folder / "none.jsonl") << "{}\n";
  for (const std::string& file : {folder / "absent.jsonl", folder / "none.jsonl", folder.path.string()})
    for (const char* command : {"tune space ", "report ", "compare "}) {
      INFO(command << file);
      const Ended refused =
          cfdmark_with(command + file + (command == std::string("compare ") ? " " + file : ""));
      CHECK(refused.status == 2);
      CHECK_FALSE(refused.err.empty());
    }
}

TEST_CASE("a budget spent on measuring the ceilings is reported as such", "[program]") {
  const TemporaryFolder folder;
  std::ofstream(folder / "s.yaml")
      << "question: Is there time?\nblocks:\n  - {kernels: copy, backends: serial, "
         "methods: default, precisions: fp64, grids: 8x8}\n";
  const Ended run =
      cfdmark_with("run " + (folder / "s.yaml") + " --budget 0.01s --output " + (folder / "r.jsonl"));
  CHECK(run.status == 4);
  CHECK_THAT(run.out, Mentions({"--budget", "--no-roofs"}) && !ContainsSubstring("nothing to measure"));
}

TEST_CASE("a message describes invalid JSON without the library's exception names", "[printable]") {
  try {
    Json("text").get<int>();
    FAIL("text is no number");
  } catch (const std::exception& e) {
    CHECK(message_of(e) == "unexpected JSON: type must be number, but is string");
  }
  CHECK(message_of(std::runtime_error("a.json: [json.exception.parse_error.101] parse error")) ==
        "a.json: unexpected JSON: parse error");
  CHECK(message_of(std::runtime_error("[json.exception.cut")) == "[json.exception.cut");
  CHECK(message_of(std::runtime_error("a [b] c")) == "a [b] c");
}

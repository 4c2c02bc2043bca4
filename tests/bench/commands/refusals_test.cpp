// What the program says of words, files and limits that it cannot use.
#include <fstream>

#include "bench/record/json.hpp"
#include "bench/record/printable.hpp"
#include "tests/bench/commands/program.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

TEST_CASE("an empty word is no value of an option, and the message names the option", "[program]") {
  const auto err_of = [](const std::string& command) {
    const Ended refused = cfdmark_with(command);
    INFO(command);
    CHECK(refused.status == 2);
    return refused.err;
  };
  const std::string empty = ": expected a value, found an empty word";
  CHECK(err_of("solve --solver sor --grid 9x9 --omega ''") == "cfdmark: solve: --omega" + empty + "\n");
  CHECK_THAT(err_of("solve --solver '' --grid 9x9"), ContainsSubstring("--solver" + empty));
  CHECK_THAT(err_of("solve --grid ''"), ContainsSubstring("--grid" + empty));
  CHECK_THAT(err_of("run sweeps/quick.yaml --output ''"), ContainsSubstring("--output" + empty));
  CHECK_THAT(err_of("tune copy --backend ''"), ContainsSubstring("--backend" + empty));
  CHECK_THAT(err_of("run ''"), ContainsSubstring(empty));
  CHECK_THAT(err_of("solve --tolerance=''"), ContainsSubstring("--tolerance: "));
  CHECK_THAT(err_of("compare a.jsonl b.jsonl --effect ''"), ContainsSubstring("--effect: "));
}

TEST_CASE("an empty filter lets every case through", "[program]") {
  const TemporaryFolder folder;
  std::ofstream(folder / "s.yaml")
      << "question: Which?\nblocks:\n  - {kernels: copy, backends: serial, methods: "
         "default, precisions: fp64, grids: [8x8, 9x9]}\n";
  const Ended dry = cfdmark_with("run " + (folder / "s.yaml") + " --dry-run --filter ''");
  CHECK(dry.status == 0);
  CHECK_THAT(dry.out, ContainsSubstring("2 cases: 2 to measure"));
}

TEST_CASE("a file of records that cannot be used is bad input to every command", "[program]") {
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

TEST_CASE("a budget that measuring the ceilings uses up is named, not taken for nothing to measure",
          "[program]") {
  const TemporaryFolder folder;
  std::ofstream(folder / "s.yaml")
      << "question: Is there time?\nblocks:\n  - {kernels: copy, backends: serial, "
         "methods: default, precisions: fp64, grids: 8x8}\n";
  const Ended run =
      cfdmark_with("run " + (folder / "s.yaml") + " --budget 0.01s --output " + (folder / "r.jsonl"));
  CHECK(run.status == 4);
  CHECK_THAT(run.out,
             ContainsSubstring("nothing was measured") &&
                 ContainsSubstring("the budget was over before the first case; measuring the ceilings "
                                   "took ") &&
                 !ContainsSubstring("nothing to measure"));
}

TEST_CASE("a message says what is wrong with JSON, not which exception of a library it was", "[printable]") {
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

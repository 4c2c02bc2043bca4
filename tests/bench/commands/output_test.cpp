// Output of the program arrives at its destination, or the exit status says that it did not.
#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <fstream>

#include "bench/record/records.hpp"
#include "tests/bench/commands/program.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

std::string two_cases(const TemporaryFolder& folder) {
  const std::string path = folder / "two.yaml";
  std::ofstream(path) << "question: Does it arrive?\n"
                         "blocks:\n"
                         "  - kernels: [copy, triad]\n"
                         "    backends: serial\n"
                         "    methods: default\n"
                         "    precisions: fp64\n"
                         "    grids: 8x8\n";
  return path;
}

std::string quick_run(const TemporaryFolder& folder, const std::string& output) {
  return fmt::format("run {} --output {} --no-roofs --case-seconds 0.02 --processes 1", two_cases(folder),
                     folder / output);
}

}  // namespace

TEST_CASE("output that cannot be printed is an error with status 3, for every subcommand", "[output]") {
  const TemporaryFolder folder;
  REQUIRE(cfdmark_with(quick_run(folder, "r.jsonl")).status == 0);
  const std::string records = folder / "r.jsonl", history = "history --folder " + (folder / "history");
  REQUIRE(cfdmark_with(history + " add " + records).status == 0);
  for (const std::string& arguments :
       {std::string("--help"), std::string("--version"), std::string("list"), std::string("list --json"),
        std::string("run --help"), std::string("solve --solver cg --backend serial --grid 9x9"),
        std::string("devices --no-roofs"), "run " + two_cases(folder) + " --dry-run",
        quick_run(folder, "r.jsonl"), "tune space " + records + " --replays 0", std::string("tune layouts"),
        "compare " + records + " " + records, std::string("reproduce --list"), std::string("report --help"),
        "report " + records + " --format markdown --output -", history + " show", std::string("merge --help"),
        "merge " + (folder / "m.jsonl") + " " + records})
    for (const char* nowhere : {">/dev/full", ">&-"}) {
      const Ended o = cfdmark_with(arguments, nowhere);
      INFO(arguments << " " << nowhere << ": " << o.err);
      CHECK(o.status == 3);
      CHECK_THAT(o.err, Mentions({"standard output"}));
      CHECK_THAT(o.err, !ContainsSubstring("Traceback"));
    }
}

TEST_CASE("unprintable messages stop no run and never go into its records", "[output]") {
  const TemporaryFolder folder;
  for (const char* nowhere : {"2>&-", "2>/dev/full", "<&- 2>&-"}) {
    const Ended o = cfdmark_with(quick_run(folder, "r.jsonl") + " --fresh", nowhere);
    INFO(nowhere);
    REQUIRE(o.status == 0);
    const RecordFile file = read_records(folder / "r.jsonl");
    CHECK(file.warnings.empty());
    CHECK(file.lines.size() == 3);  // the environment, two cases
  }
  const Ended wrong = cfdmark_with("run nowhere.yaml", "2>&-");
  CHECK(wrong.status == 2);
}

TEST_CASE("a budget that leaves cases has a status of its own", "[output]") {
  const TemporaryFolder folder;
  const Ended o = cfdmark_with(quick_run(folder, "r.jsonl") + " --budget 0s");
  REQUIRE(o.status == 4);
  REQUIRE_THAT(o.out, Mentions({"2 cases", "the same command"}) && !ContainsSubstring("--fresh"));
  REQUIRE(cfdmark_with(quick_run(folder, "r.jsonl")).status == 0);
}

TEST_CASE("a stopped run from scratch says that the same command would start from scratch again",
          "[output]") {
  const TemporaryFolder folder;
  REQUIRE(cfdmark_with(quick_run(folder, "r.jsonl")).status == 0);
  const Ended o = cfdmark_with(quick_run(folder, "r.jsonl") + " --fresh --budget 0s");
  REQUIRE(o.status == 4);
  CHECK_THAT(o.out, Mentions({"2 cases", "the same command without --fresh"}));
  CHECK_THAT(o.err, Mentions({"r.jsonl.bak"}));
  CHECK(read_records(folder / "r.jsonl.bak").lines.size() == 3);
}

TEST_CASE("a full disk leaves earlier files of solve unchanged, and no half kernel", "[output]") {
  const TemporaryFolder folder;
  const auto with_a_full_disk = [&](const std::string& arguments) {
    // A block has 512 bytes; messages are shorter.
    const std::string command =
        fmt::format("ulimit -f 1; {} {} 2> {}", CFDMARK_PROGRAM, arguments, folder / "err");
    return WEXITSTATUS(std::system((command + " > /dev/null").c_str()));
  };
  const std::string kept[] = {folder / "p.json", folder / "f.vti"};
  for (const std::string& path : kept) std::ofstream(path) << "earlier";
  CHECK(with_a_full_disk("solve --solver sor --backend serial --grid 65x65 --tolerance 0.5 --plot " +
                         (folder / "p")) == 3);
  CHECK_THAT(text_of(folder / "err"), Mentions({"p.json"}));
  CHECK(with_a_full_disk("solve --problem cavity --backend serial --grid 16x16 --max-iterations 2 --vtk " +
                         (folder / "f.vti")) == 3);
  for (const std::string& path : kept) CHECK(text_of(path) == "earlier");
  CHECK(with_a_full_disk("new-kernel ten_point --in " + folder.path.string()) == 3);
  CHECK_FALSE(std::filesystem::exists(folder.path / "ten_point"));
  std::size_t files = 0;
  for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder.path)) ++files;
  CHECK(files == 3);  // these two, and the messages
}

TEST_CASE("a run from scratch does not touch a file that another run is writing", "[output]") {
  const TemporaryFolder folder;
  const std::string records = folder / "r.jsonl";
  std::ofstream(records) << "{\"type\":\"environment\"}\n";
  const int held = open(records.c_str(), O_RDWR | O_CLOEXEC);
  REQUIRE(flock(held, LOCK_EX) == 0);
  const Ended o = cfdmark_with(quick_run(folder, "r.jsonl") + " --fresh");
  close(held);
  CHECK(o.status == 3);
  CHECK_THAT(o.err, Mentions({"r.jsonl", "another process"}));
  CHECK_FALSE(std::filesystem::exists(records + ".bak"));
  CHECK(text_of(records) == "{\"type\":\"environment\"}\n");
}

// The program: its command line, and runs that are killed.
#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

#include "bench/case/row.hpp"
#include "bench/catalog/absent_methods.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/record/records.hpp"
#include "kernels/device/built.hpp"
#include "kernels/device/cpu/openmp.hpp"
#include "test_paths.hpp"
#include "tests/bench/commands/program.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

const std::string kept_tables = CFDMARK_SPACES "/..";

// Eight cases in eight groups, so that some are recorded while others remain to be measured.
std::string small_sweep(const TemporaryFolder& folder) {
  const std::string path = folder / "small.yaml";
  std::ofstream(path) << "question: Does it go on?\n"
                         "blocks:\n"
                         "  - kernels: [copy, triad]\n"
                         "    backends: serial\n"
                         "    methods: default\n"
                         "    precisions: fp64\n"
                         "    grids: [8x8, 16x16, 32x32, 64x64]\n";
  return path;
}

std::size_t records_in(const std::string& path) {
  std::size_t count = 0;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);)
    count += line.find("\"type\":\"record\"") != std::string::npos;
  return count;
}

// Starts a run and sends it a signal as soon as it has written two records. Returns its wait status.
int run_and_signal(const std::string& sweep, const std::string& output, int signal) {
  const pid_t pid = begin_cfdmark(
      {"run", sweep, "--output", output, "--no-roofs", "--case-seconds", "0.3", "--interval", "0.0001"});
  return end_cfdmark(pid, signal, [&] { return records_in(output) >= 2; });
}

// Checks that written records are kept after a stop, and that a rerun measures each other case once.
void check_that_a_rerun_does_the_rest(const std::string& sweep, const std::string& output) {
  const std::string before = text_of(output);
  const std::size_t kept = records_in(output);
  REQUIRE(kept >= 2);
  REQUIRE(kept < 8);
  const Ended rerun =
      cfdmark_with("run " + sweep + " --output " + output + " --no-roofs --case-seconds 0.05");
  REQUIRE(rerun.status == 0);
  REQUIRE(text_of(output).starts_with(before.substr(0, before.rfind('\n') + 1)));
  std::map<std::string, int> times;
  for (const Json& line : read_records(output).lines)
    if (line["type"] == "record") {
      REQUIRE(line["status"] == "ok");
      ++times[line["case"]];
    }
  REQUIRE(times.size() == 8);
  for (const auto& [name, count] : times) {
    INFO(name);
    REQUIRE(count == 2);  // a line after each of two processes
  }
}

}  // namespace

TEST_CASE("a killed run loses no written record, and a rerun measures only the rest", "[program]") {
  const TemporaryFolder folder;
  const std::string sweep = small_sweep(folder), output = folder / "run.jsonl";
  REQUIRE(WIFSIGNALED(run_and_signal(sweep, output, SIGKILL)));
  std::ofstream(output, std::ios::app) << R"({"type":"record","case":"copy/se)";  // as if it had been writing
  check_that_a_rerun_does_the_rest(sweep, output);
}

TEST_CASE("an interrupted run ends with status 130, and a rerun measures only the rest", "[program]") {
  const TemporaryFolder folder;
  const std::string sweep = small_sweep(folder), output = folder / "run.jsonl";
  const int status = run_and_signal(sweep, output, SIGINT);
  REQUIRE(WIFEXITED(status));
  REQUIRE(WEXITSTATUS(status) == 130);
  check_that_a_rerun_does_the_rest(sweep, output);
}

TEST_CASE("a finished run says so and measures nothing", "[program]") {
  const TemporaryFolder folder;
  const std::string command =
      "run " + small_sweep(folder) + " --output " + (folder / "r.jsonl") + " --no-roofs --case-seconds 0.02";
  const Ended first = cfdmark_with(command);
  REQUIRE(first.status == 0);
  CHECK_THAT(first.out, ContainsSubstring("\ntime: ") && ContainsSubstring(" % measuring, "));
  const std::string before = text_of(folder / "r.jsonl");
  const Ended again = cfdmark_with(command);
  REQUIRE(again.status == 0);
  CHECK_THAT(again.out, !ContainsSubstring("time: "));
  REQUIRE_THAT(again.out, Mentions({"8 recorded", "--fresh"}));
  REQUIRE(text_of(folder / "r.jsonl") == before);
}

TEST_CASE("a dry run lists the cases and writes nothing", "[program]") {
  const TemporaryFolder folder;
  const Ended dry = cfdmark_with("run " + small_sweep(folder) +
                                 " --dry-run --filter 'copy.*@(8|16)x' --output " + (folder / "r.jsonl"));
  REQUIRE(dry.status == 0);
  REQUIRE(
      dry.out.starts_with("copy/serial/fp64/plain@8x8\ncopy/serial/fp64/plain@16x16\n2 cases: 2 to measure"));
  REQUIRE_FALSE(std::filesystem::exists(folder / "r.jsonl"));
}

TEST_CASE(
    "shards write separate files that together contain the sweep, and an empty shard only its environment",
    "[program]") {
  const TemporaryFolder folder;
  std::map<std::string, int> times;
  std::size_t empty = 0;
  for (int n = 1; n <= 9; ++n) {
    const std::string output = folder / fmt::format("{}.jsonl", n);
    const Ended o = cfdmark_with(
        fmt::format("run {} --shard {}/9 --no-roofs --processes 1 --case-seconds 0.02 --output {}",
                    small_sweep(folder), n, output));
    REQUIRE(o.status == 0);
    const std::vector<Json> lines = read_records(output).lines;
    REQUIRE(lines.at(0)["type"] == "environment");
    REQUIRE(lines[0]["sweep"]["cases"] == 8);
    REQUIRE(lines[0]["sweep"]["shard"]["index"] == n);
    REQUIRE(lines[0]["sweep"]["shard"]["cases"] == lines.size() - 1);
    for (std::size_t k = 1; k < lines.size(); ++k) ++times[lines[k]["case"]];
    if (lines.size() == 1) {
      ++empty;
      REQUIRE_THAT(o.out, Mentions({fmt::format("shard {}/9", n)}));
    }
  }
  REQUIRE(empty == 1);  // eight groups
  REQUIRE(times.size() == 8);
  for (const auto& [name, count] : times) REQUIRE(count == 1);
}

TEST_CASE("a dry run of a shard lists its cases", "[program]") {
  const TemporaryFolder folder;
  std::string all;
  for (const char* shard : {"1/2", "2/2"}) {
    const Ended o = cfdmark_with("run " + small_sweep(folder) + " --dry-run --shard " + shard);
    REQUIRE_THAT(o.out, ContainsSubstring("4 cases: 4 to measure"));
    all += o.out;
  }
  for (const char* name : {"copy/serial/fp64/plain@8x8\n", "triad/serial/fp64/plain@64x64\n"})
    REQUIRE_THAT(all, ContainsSubstring(name));
}

TEST_CASE("a sweep can be written for Google Benchmark's tools and for github-action-benchmark",
          "[program]") {
  const TemporaryFolder folder;
  REQUIRE(cfdmark_with("run " + small_sweep(folder) +
                       " --filter copy.*@8x8 --no-roofs --case-seconds 0.02 --output " +
                       (folder / "r.jsonl") + " --gbench " + (folder / "g.json") + " --action-benchmark " +
                       (folder / "a.json"))
              .status == 0);
  const Json json = Json::parse(text_of(folder / "g.json"));
  const std::size_t samples = read_records(folder / "r.jsonl").lines.back()["time"]["samples"].size();
  REQUIRE(samples >= 2);
  REQUIRE(json["benchmarks"].size() == samples);
  REQUIRE(json["benchmarks"][0]["name"] == "copy/serial/fp64/plain@8x8");
  const Json action = Json::parse(text_of(folder / "a.json"));
  REQUIRE(action.size() == 1);
  REQUIRE(action[0]["name"] == "copy/serial/fp64/plain@8x8");
  REQUIRE(action[0]["unit"] == "us");
  REQUIRE(action[0]["value"].get<double>() > 0);
}

TEST_CASE("tuned tables are shown and exported, filtered by words of device or row", "[program][layouts]") {
  const TemporaryFolder folder;
  const auto entry = [](const char* precision, const char* hash) {
    return Json{{"kind", "kernel"},    {"name", "copy"},
                {"backend", "serial"}, {"precision", precision},
                {"scope", "all"},      {"grid", {8, 8}},
                {"source_hash", hash}, {"winner", {{"method", "plain"}, {"config", Json::object()}}}};
  };
  std::filesystem::create_directory(folder / "device");
  std::ofstream(folder / "device/copy.json")
      << Json{{"type", "cfdmark tuned"},
              {"schema", 2},
              {"device", {{"name", "A device"}, {"architecture", "x"}}},
              {"entries", {entry("fp64", "of another source"), entry("fp32", "")}}};
  const std::string tuned = " --tuned " + folder.path.string();
  const Ended all = cfdmark_with("tune layouts" + tuned + " --csv " + (folder / "l.csv"));
  INFO(all.out << all.err);
  REQUIRE(all.status == 0);
  REQUIRE_THAT(all.out, ContainsSubstring("copy/serial/fp64, squares, on A device (x)\n") &&
                            ContainsSubstring("*  8 to 8  plain") && ContainsSubstring("copy/serial/fp32") &&
                            ContainsSubstring("l.csv\n"));
  REQUIRE(text_of(folder / "l.csv").starts_with("device,architecture,kind,"));
  REQUIRE_THAT(cfdmark_with("tune layouts --all" + tuned).out, ContainsSubstring("*  copy/serial/fp64  8x8"));
  const Ended some = cfdmark_with("tune layouts device fp32" + tuned);
  REQUIRE(some.status == 0);
  REQUIRE(some.out.find("fp64") == std::string::npos);
  REQUIRE(cfdmark_with("tune layouts" + tuned + " --csv /dev/null/l.csv").status == 3);
}

TEST_CASE("a word that matches no tuned layout is an error that writes nothing", "[program][layouts]") {
  const TemporaryFolder folder;
  const std::string file = folder / "l.json", kept = " --json " + file;
  const auto complains = [&](const std::string& words, const std::string& problem) {
    const Ended o = cfdmark_with("tune layouts " + words + kept);
    INFO(words << ": " << o.err);
    CHECK(o.status == 2);
    CHECK(o.out.empty());
    CHECK_THAT(o.err, ContainsSubstring(problem));
    CHECK_FALSE(std::filesystem::exists(file));
  };
  const std::string tuned = " --tuned " + kept_tables;
  complains("H200 jacobbi" + tuned, "'jacobbi' in device or row; did you mean 'jacobi'?");
  complains("jacobi smoothing" + tuned, "all of 'jacobi', 'smoothing'");
  complains("jacobi --method plian" + tuned,
            "--method plian: no layout of this method was measured; there are ");
  complains("jacobi --tuned " + folder.path.string(), "'jacobi'");
}

TEST_CASE("tune layouts prints at most a screen, and each word narrows it", "[program][layouts]") {
  const std::string tuned = " --tuned " + kept_tables;
  const auto fits = [](const std::string& text) {
    std::istringstream lines(text);
    int count = 0;
    for (std::string line; std::getline(lines, line); ++count) CHECK(line.size() <= 100);
    CHECK(count <= 50);
    return count > 5;
  };
  for (const char* words : {"", "H200", "jacobi", "H200 jacobi/cuda/fp64", "H200 bicgstab fp64"}) {
    INFO(words);
    const Ended o = cfdmark_with("tune layouts " + (words + tuned));
    CHECK(fits(o.out));
    CHECK(o.err.empty());  // every kept entry can be read
  }
  const std::string one = cfdmark_with("tune layouts NVIDIA H200 jacobi/cuda/fp64" + tuned).out;
  CHECK_THAT(one, ContainsSubstring("jacobi/cuda/fp64, squares, on NVIDIA H200") &&
                      ContainsSubstring("start of your own") && !ContainsSubstring("block_jacobi") &&
                      !ContainsSubstring("jacobi_laplace"));
  const std::string plain = cfdmark_with("tune layouts H200 jacobi/cuda/fp64 --method plain" + tuned).out;
  CHECK_THAT(plain, ContainsSubstring("plain:block_x=") && !ContainsSubstring("pipelined"));
  const std::string wide = cfdmark_with("tune layouts H200 --all" + tuned).out;
  CHECK(std::count(wide.begin(), wide.end(), '\n') > 1000);
}

TEST_CASE("layouts on standard output are the only output there", "[program][layouts]") {
  const std::string jacobi = "tune layouts H200 jacobi/cuda/fp64 --tuned " + kept_tables;
  const Json found = Json::parse(cfdmark_with(jacobi + " --json -").out);
  REQUIRE(found.size() > 2);
  CHECK(found[0]["name"] == "jacobi");
  CHECK(cfdmark_with(jacobi + " --csv -").out.starts_with("device,architecture,"));
  CHECK_THAT(cfdmark_with(jacobi + " --header -").out, ContainsSubstring("namespace cfdmark_layouts {"));
  const Ended both = cfdmark_with(jacobi + " --json - --csv -");
  CHECK(both.status == 2);
  CHECK(both.out.empty());
}

TEST_CASE("methods recommended for a user's kernel make one step per launch", "[program][layouts]") {
  const std::set<std::string> one_step = {"plain", "column", "vector", "chunked", "mdrange"};
  std::set<std::string> seen;
  for (const Row& row : catalog())
    if (row.kind == RowKind::kernel && one_step.count(row.method)) {
      seen.insert(row.method);
      INFO(row.name << ' ' << row.method);
      CHECK_FALSE(row.several_steps);
    }
  CHECK(seen.count("plain") == 1);
}

TEST_CASE("a recorded space is exported in the formats of other tuners, and T1 rejects unknown backends",
          "[program][space]") {
  const TemporaryFolder folder;
  const std::string spaces = CFDMARK_SPACES, exports = " --t1 " + (folder / "1.json") + " --t4 " +
                                                       (folder / "4.json") + " --cache " +
                                                       (folder / "c.json");
  REQUIRE(cfdmark_with("tune space " + spaces + "/nvidia-h200-triad-vector-fp32.jsonl --replays 0" + exports)
              .status == 0);
  const Json t1 = Json::parse(text_of(folder / "1.json")), t4 = Json::parse(text_of(folder / "4.json")),
             cache = Json::parse(text_of(folder / "c.json"));
  const std::string kernel_file = t1["KernelSpecification"]["KernelFile"];
  REQUIRE(kernel_file.ends_with("kernels/triad/triad.hpp"));
  REQUIRE(std::filesystem::exists(folder.path / kernel_file));  // as Kernel Tuner looks for it
  REQUIRE(t1["KernelSpecification"]["SimulationInput"] == folder / "c.json");
  REQUIRE(cache["device_name"] == "NVIDIA H200");
  REQUIRE(cache["cache"].size() == 21);
  REQUIRE(t1["KernelSpecification"]["GlobalSize"]["X"] == "4096");
  REQUIRE(t4["metadata"]["device"] == "NVIDIA H200");
  REQUIRE(t4["results"].size() == 21);
  REQUIRE(t4["results"][0]["times"]["runtimes"].size() == 30);
  const Ended host =
      cfdmark_with("tune space " + spaces + "/amd-epyc-zen5-2-cores-kokkos.jsonl --replays 0" + exports);
  REQUIRE(host.status == 2);
  REQUIRE_THAT(host.err, ContainsSubstring("CUDA, OpenCL and Vulkan only"));
}

TEST_CASE("layouts and space live under tune alone", "[program]") {
  for (const std::string name : {"layouts", "space"}) {
    CHECK_THAT(cfdmark_with("tune --help").out, ContainsSubstring("\n  " + name + " "));
    CHECK(cfdmark_with(name + " --help").status == 2);
  }
}

TEST_CASE("misspelt or invalid words are errors with status 2 and a suggestion", "[program]") {
  const TemporaryFolder folder;
  const std::string sweep = small_sweep(folder);
  const auto complains = [](const std::string& arguments, const std::string& words) {
    const Ended o = cfdmark_with(arguments);
    INFO(arguments << ": " << o.err);
    CHECK(o.status == 2);
    CHECK(o.out.empty());
    CHECK_THAT(o.err, Mentions({words}));
  };
  complains("", "cfdmark --help");
  complains("lst", "'list'");
  complains("--versoin", "'--version'");
  complains("run " + sweep + " --budgt 3m", "'--budget'");
  complains("run " + sweep + " --budget soon", "'soon'");
  complains("run " + sweep + " --budget 1e999s", "'1e999s'");
  complains("run " + sweep + " --case-seconds 0", "--case-seconds");
  for (const char* number : {"nan", "-nan", "inf", "1e999"}) {
    complains(fmt::format("run {} --case-seconds {}", sweep, number), fmt::format("'{}'", number));
    complains(fmt::format("run {} --interval {}", sweep, number), fmt::format("'{}'", number));
  }
  complains("run " + sweep + " --shard 3/2", "'3/2'");
  complains("run " + sweep + " --shrad 1/2", "'--shard'");
  complains("run " + sweep + " --filter '('", "'('");
  complains("run " + sweep + " --filter tirad", "--filter 'tirad'");
  complains("run " + (folder / "smal.yaml"), "small.yaml'");
  complains("list jacobbi", "'jacobi'");
  complains("solve --solver cg --backend serial --grid 1000000x1000000", "GB of host memory");
  complains("solve --solver cg --backend serial --grid 2000000000x2000000000", "1048576");
  complains("run " + sweep + " --filter \"$(printf '\\033[')\"", "'\\x1b['");
  complains("reproduce", "--all");
  complains("reproduce review-laplas", "'review-laplace'");
  complains("reproduce review-laplace --backend cud", "'cud'");
  complains("reproduce review-laplace --filter tirad", "--filter");
}

TEST_CASE("a full disk and a folder that cannot be created are errors with status 3 and the name",
          "[program]") {
  const TemporaryFolder folder;
  const Ended full = cfdmark_with("run " + small_sweep(folder) + " --no-roofs --output /dev/full");
  REQUIRE(full.status == 3);
  REQUIRE_THAT(full.err, Mentions({"/dev/full", "No space left on device"}));
  const Ended no_folder =
      cfdmark_with("run " + small_sweep(folder) + " --no-roofs --output " + (folder / "small.yaml/r.jsonl"));
  REQUIRE(no_folder.status == 3);
  REQUIRE_THAT(no_folder.err, ContainsSubstring("small.yaml"));
}

TEST_CASE("a run reports how many solvers did not converge", "[program]") {
  const TemporaryFolder folder;
  std::ofstream(folder / "short.yaml")
      << "question: Who gets there?\n"
         "blocks:\n"
         "  - {solvers: jacobi, methods: default, backends: serial, precisions: fp64, grids: 17x17,\n"
         "     max_iterations: [3, 10000]}\n"
         "  - {kernels: copy, methods: default, backends: serial, precisions: fp64, grids: 17x17}\n";
  const Ended o =
      cfdmark_with("run " + (folder / "short.yaml") +
                   " --no-roofs --processes 1 --case-seconds 0.02 --output " + (folder / "short.jsonl"));
  INFO(o.err);
  REQUIRE(o.status == 0);
  CHECK_THAT(o.out, Mentions({"3 ok\n1 "}));
}

TEST_CASE("every sample of a solver is the same work, also for singular problems", "[program]") {
  const TemporaryFolder folder;
  std::ofstream(folder / "insulated.yaml")
      << "question: Is it the same work?\n"
         "blocks:\n"
         "  - {solvers: [cg, pcg], methods: textbook, problem: insulated, backends: serial,\n"
         "     precisions: [fp32, fp64, mixed], grids: 64x64, max_iterations: 2000}\n";
  const std::string output = folder / "r.jsonl";
  const Ended o = cfdmark_with("run " + (folder / "insulated.yaml") +
                               " --no-roofs --processes 2 --case-seconds 0.1 --output " + output);
  INFO(o.out << o.err);
  REQUIRE(o.status == 0);
  std::map<std::string, Json> newest;
  for (const Json& line : read_records(output).lines)
    if (line["type"] == "record") newest[line["case"]] = line;
  CHECK(newest.size() == 6);
  for (const auto& [name, record] : newest) {
    INFO(name);
    CHECK(record["status"] == "ok");
    const Json& solver = record["solver"];
    CHECK(solver["converged"] == (record["precision"] != "fp32"));  // rounding limits those at 5e-4
    CHECK(solver["sample_iterations"].size() == record["time"]["samples"].size());
    for (const Json& iterations : solver["sample_iterations"]) CHECK(iterations == solver["iterations"]);
    CHECK(solver["history"].back()[0] == solver["iterations"]);
  }
}

TEST_CASE("reproduce lists every published experiment", "[program]") {
  const Ended list = cfdmark_with("reproduce --list");
  REQUIRE(list.status == 0);
  int published = 0;
  for (const auto& entry : std::filesystem::directory_iterator(CFDMARK_SWEEPS "/../results/published"))
    if (entry.path().extension() == ".yaml") {
      CHECK_THAT(list.out, ContainsSubstring("\n" + entry.path().stem().string() + " "));
      ++published;
    }
  REQUIRE(published >= 30);
}

TEST_CASE("a published experiment is measured and compared, and is not measured twice", "[program]") {
  const TemporaryFolder folder;
  const std::string command =
      "reproduce menon-figure-2.5 --filter 'plain@32x32' --backend serial,openmp --no-roofs "
      "--case-seconds 0.02 --output " +
      (folder / "out");
  const Ended first = cfdmark_with(command);
  INFO(first.err);
  REQUIRE(first.status == 0);
  REQUIRE(records_in(folder / "out/menon-figure-2.5.jsonl") == 4);  // a line after each of two processes
  REQUIRE_THAT(first.out,
               ContainsSubstring("Verdict: not comparable") && ContainsSubstring("menon-figure-2.5.html"));
  for (const char* page :
       {"menon-figure-2.5.html", "menon-figure-2.5.md", "menon-figure-2.5.tex", "index.html"})
    CHECK(std::filesystem::file_size(folder / ("out/" + std::string(page))) > 500);
  REQUIRE(cfdmark_with(command).status == 0);
  REQUIRE(records_in(folder / "out/menon-figure-2.5.jsonl") == 4);
}

TEST_CASE("the name of a work means all its experiments, each once", "[program]") {
  const TemporaryFolder folder;
  const Ended dry = cfdmark_with("reproduce shinn shinn-heat --dry-run --output " + (folder / "out"));
  REQUIRE(dry.status == 0);
  for (const char* id : {"shinn-heat", "shinn-memory", "shinn-poisson-share"}) {
    INFO(id);
    CHECK_THAT("\n" + dry.out, ContainsSubstring("\n" + std::string(id) + "\n"));
  }
  CHECK(dry.out.find("shinn-heat\n") == dry.out.rfind("shinn-heat\n"));
  CHECK_THAT(dry.out, !ContainsSubstring("normore"));
}

TEST_CASE("kept records make the page without measuring, with figures as files", "[program]") {
  const TemporaryFolder folder;
  const Ended o = cfdmark_with("reproduce normore-figure-6.1 --records " CFDMARK_SWEEPS
                               "/../results/amd-epyc-zen5-2-cores/reproduce --figures svg --output " +
                               (folder / "out"));
  INFO(o.err);
  REQUIRE(o.status == 0);
  CHECK_THAT(o.out, ContainsSubstring("Verdict: "));
  CHECK(std::filesystem::exists(folder / "out/normore-figure-6.1.html"));
  CHECK(std::filesystem::exists(folder / "out/normore-figure-6.1-figures/cost-1.svg"));
  CHECK(std::filesystem::exists(folder / "out/normore-figure-6.1-figures/cost-1.csv"));
  CHECK_FALSE(std::filesystem::exists(folder / "out/normore-figure-6.1.jsonl"));
}

TEST_CASE("an experiment that uses the records of others has them measured, once", "[program]") {
  const TemporaryFolder folder;
  const Ended o = cfdmark_with(
      "reproduce normore-table-6.3 normore-table-6.4 --filter 'paper@128x32.*pressure_sweeps=5,' --backend "
      "serial "
      "--no-roofs --processes 1 --case-seconds 0.02 --fresh --output " +
      (folder / "out"));
  INFO(o.err);
  REQUIRE(o.status == 0);
  CHECK(records_in(folder / "out/normore-table-6.3.jsonl") == 1);
  CHECK_FALSE(std::filesystem::exists(folder / "out/normore-table-6.3.jsonl.bak"));
  CHECK_FALSE(std::filesystem::exists(folder / "out/normore-table-6.4.jsonl"));
  CHECK_THAT(text_of(folder / "out/normore-table-6.4.md"), ContainsSubstring("128×32"));
}

TEST_CASE("an experiment without a solver has a page and measures nothing", "[program]") {
  const TemporaryFolder folder;
  const Ended o = cfdmark_with("reproduce jespersen-table-2 --output " + (folder / "out"));
  REQUIRE(o.status == 0);
  REQUIRE_THAT(o.out, ContainsSubstring("Out of reach"));
  REQUIRE(std::filesystem::exists(folder / "out/jespersen-table-2.html"));
  REQUIRE_FALSE(std::filesystem::exists(folder / "out/jespersen-table-2.jsonl"));
}

TEST_CASE("a dry run of all experiments lists those without a solver, too", "[program]") {
  const TemporaryFolder folder;
  const Ended dry = cfdmark_with("reproduce --all --dry-run --output " + (folder / "out"));
  REQUIRE(dry.status == 0);
  REQUIRE_THAT(dry.out, Mentions({"jespersen-table-2: ", "axpy/serial/fp32/plain@32x32"}));
  REQUIRE_FALSE(std::filesystem::exists(folder / "out"));
}

TEST_CASE("list has a row for each backend, with a reason where it cannot run", "[program]") {
  const Ended list = cfdmark_with("list --json");
  REQUIRE(list.status == 0);
  const Json rows = Json::parse(list.out);
  std::set<std::string> backends;
  for (const Json& row : rows) {
    for (const char* key :
         {"name", "kind", "backend", "precision", "method", "settings", "problems", "available", "reason"})
      REQUIRE(row.contains(key));
    REQUIRE(row["available"].get<bool>() == row["reason"].get<std::string>().empty());
    backends.insert(row["backend"]);
  }
  REQUIRE(backends == std::set<std::string>{"serial", "openmp", "kokkos", "cuda"});
}

TEST_CASE("a missing device is an error of every subcommand with --device", "[program]") {
  const TemporaryFolder folder;
  for (const std::string& command :
       {std::string("devices --no-roofs"), std::string("solve --backend cuda --grid 9x9"),
        std::string("tune jacobi --backend cuda --grid 9x9 --keep-nothing --output /dev/null"),
        "run " + small_sweep(folder) + " --output /dev/null"}) {
    INFO(command);
    const Ended refused = cfdmark_with(command + " --device 99");
    CHECK(refused.status == 2);
    CHECK_THAT(refused.err, ContainsSubstring("--device 99: ") || ContainsSubstring("not available"));
    CHECK(cfdmark_with(command + " --device -1").status == 2);
  }
}

TEST_CASE("devices lists the facts of the machine", "[program]") {
  const Ended devices = cfdmark_with("devices --json --no-roofs");
  REQUIRE(devices.status == 0);
  const Json facts = Json::parse(devices.out);
  REQUIRE(facts["host"]["cores"] >= 1);
  REQUIRE(facts["backends"].size() == 3 + facts.value("gpus", Json{1}).size());
  REQUIRE(facts["backends"][0] ==
          Json{{"name", "serial"}, {"device", 0}, {"available", true}, {"reason", ""}});
}

TEST_CASE("a sweep and solve use tuned layouts on request, and report how well they match",
          "[program][tune]") {
  const TemporaryFolder folder;
  setenv("CFDMARK_TUNED", (folder / "tuned").c_str(), 1);
  const Ended tune =
      cfdmark_with("tune sor --backend serial --grid 33x33 --no-roof --output " + (folder / "t.jsonl"));
  INFO(tune.err);
  REQUIRE(tune.status == 0);
  REQUIRE_THAT(tune.out, ContainsSubstring("  use ") && ContainsSubstring("tuned table: "));
  std::ofstream(folder / "tuned.yaml")
      << "question: Is it used?\n"
         "blocks:\n"
         "  - {solvers: sor, backends: serial, precisions: fp64, grids: [33x33, 65x65],\n"
         "     parameters: tuned}\n";
  const Ended run =
      cfdmark_with("run " + (folder / "tuned.yaml") +
                   " --no-roofs --processes 1 --case-seconds 0.02 --output " + (folder / "r.jsonl"));
  const Ended solve =
      cfdmark_with("solve --solver sor --backend serial --grid 33x33 --tolerance 1e-6 --tuned");
  unsetenv("CFDMARK_TUNED");
  REQUIRE(run.status == 0);
  std::map<std::string, int> matches;
  for (const Json& line : read_records(folder / "r.jsonl").lines)
    if (line["type"] == "record") ++matches[line["tuned"]["match"]];
  CHECK(matches["exact"] == 1);
  CHECK(matches["outside"] == 1);
  CHECK_THAT(run.err, Mentions({"1 outside", "3.88"}));
  CHECK_THAT(solve.out, ContainsSubstring("tuned: exact, on "));
}

TEST_CASE("tune suggests the closest word and says why a row cannot be tuned", "[program][tune]") {
  const auto complains = [](const std::string& arguments, const std::string& words) {
    const Ended o = cfdmark_with("tune " + arguments);
    INFO(arguments << ": " << o.err);
    CHECK(o.status == 2);
    CHECK(o.err.find(words) != std::string::npos);
  };
  complains("", "expected the NAME of a kernel or solver");
  complains("layouts --cvs x", "did you mean '--csv'?");
  complains("jacobbi", "did you mean 'jacobi'?");
  complains("jacobi --backend sirial", "did you mean 'serial'?");
  complains("jacobi --backend serial --precision fp46", "did you mean 'fp64'?");
  complains("jacobi --backend serial --method plane", "method 'plane' of jacobi/kernel/serial/fp64");
  complains("jacobi --strategy gready", "racing, exhaustive, random, local");
  complains("smoothing --backend serial --grid 64x64", "smoothing exists in 3-D only");
  const std::string serial = "jacobi --backend serial --no-roof --keep-nothing --output /dev/null ";
  complains(serial + "--grid 8x8 --grid 8x8", "--grid 8x8 is given twice");
  complains(serial + "--one-answer --grid 8x8 --grid 8x8x8", "--one-answer: 8x8 and 8x8x8");
  complains(serial + "--grid 8x8:3", "--grid 8x8:3: a weight needs --one-answer");
  complains(serial + "--ladder 512..64", "--ladder 512..64: ");
  complains(serial + "--against block_q=3", "has no setting 'block_q'");
  complains(serial + "--against plian:", "did you mean 'plain'?");
  complains("jacobi --backend openmp --against threads=-1", "--against threads=-1: threads=-1: expected");
  complains("jacobi --backend openmp --against threads", "NAME=VALUE");
  complains("jacobi --backend serial --budget 0.001s --keep-nothing --output /dev/null",
            "the budget of 1.00 ms ended");
}

TEST_CASE("a real number and a word go from help to a sweep, a record and the report",
          "[program][settings]") {
  const TemporaryFolder folder;
  const std::string help = cfdmark_with("solve --solver sor --help").out, list = cfdmark_with("list sor").out;
  for (const char* declared : {"--omega", "--conductivity", "a number above 0 and below 2, or optimal"})
    CHECK_THAT(help, ContainsSubstring(declared));
  CHECK_THAT(list, ContainsSubstring("static, dynamic or guided") && ContainsSubstring("conductivity"));
  std::ofstream(folder / "omega.yaml")
      << "question: Does omega matter?\n"
         "blocks:\n"
         "  - {solvers: sor, backends: openmp, methods: chunked, precisions: fp64, grids: 17x17, problem: "
         "jump,\n"
         "     conductivity: 10, parameters: {omega: [1.5, optimal], schedule: guided}}\n";
  const std::string records = folder / "r.jsonl";
  REQUIRE(
      cfdmark_with("run " + (folder / "omega.yaml") + " --no-roofs --case-seconds 0.02 --output " + records)
          .status == 0);
  std::map<std::string, Json> by_label;
  for (const Json& line : read_records(records).lines)
    if (line["type"] == "record") by_label[line["label"]] = line;
  const std::string label =
      "sor/openmp/fp64/chunked@17x17:schedule=guided,omega=1.5;problem=jump,conductivity=10";
  REQUIRE(by_label.contains(label));
  CHECK(by_label.contains("sor/openmp/fp64/chunked@17x17:schedule=guided;problem=jump,conductivity=10"));
  CHECK(by_label[label]["config"]["omega"] == 1.5);
  CHECK(by_label[label]["config"]["schedule"] == "guided");
  CHECK(by_label[label]["workload"]["conductivity"] == 10.0);
  CHECK(by_label[label]["solver"]["converged"] == true);
  CHECK_THAT(cfdmark_with("report " + records + " --format markdown --output -").out,
             ContainsSubstring(label) && ContainsSubstring("jump with conductivity=10"));
}

TEST_CASE("a setting with a wrong name, type or range is an error that says what is valid",
          "[program][settings]") {
  const auto complains = [](const std::string& arguments, const std::vector<std::string>& words) {
    const Ended o = cfdmark_with("solve --backend serial --grid 9x9 " + arguments);
    INFO(arguments << ": " << o.err);
    CHECK(o.status == 2);
    CHECK_THAT(o.err, Mentions(words));
  };
  complains("--solver sor --omega 2", {"omega=2: ", "optimal"});
  complains("--solver sor --omega best", {"omega=best: ", "optimal"});
  complains("--solver cg --omega 1.5", {"cg", "'omega'", "tolerance"});
  complains("--solver sor --set omga=1.5", {"'omga'", "'omega'"});
  complains("--solver sor --set omega", {"NAME=VALUE"});
  complains("--solver sor --omega 1.5 --set omega_gap=0.5", {"omega=1.5", "omega_gap"});
  complains("--solver cg --conductivity 10", {"cg", "'conductivity'"});
  complains("--solver cg --problem jumps", {"'jump'"});
  complains("--solver cg --tolerance 0", {"tolerance=0: "});
  complains("--solver cg --max-iterations 1e3", {"max_iterations=1e3: "});
}

TEST_CASE("list ends with the methods that a kernel cannot have, with reasons", "[program]") {
  const Ended kernel = cfdmark_with("list smoothing");
  CHECK_THAT(kernel.out, ContainsSubstring("KERNELS"));
  if constexpr (built_with_cuda) {
    CHECK_THAT(kernel.out, ContainsSubstring("UNSUPPORTED METHODS\n") &&
                               ContainsSubstring("cuda     vector        it reads neighbours"));
    CHECK_THAT(cfdmark_with("tune smoothing --backend cuda --method vector").err,
               ContainsSubstring("method 'vector' of smoothing") && ContainsSubstring("it reads neighbours"));
  }
  CHECK_THAT(cfdmark_with("list").out, !ContainsSubstring("UNSUPPORTED METHODS"));
}

TEST_CASE("inspect accepts 3-D kernels and says why a method is missing", "[program]") {
  if constexpr (!built_with_cuda) {
    WARN("skipped: built without CUDA");
    return;
  }
  const Ended flat = cfdmark_with("inspect smoothing"), deep = cfdmark_with("inspect smoothing --3d");
  INFO(flat.err);
  CHECK(flat.status == 0);
  CHECK_THAT(flat.out, Mentions({"smoothing in fp64, 3-D", "`vector`: "}));
  CHECK(flat.out == deep.out);
  const auto complains = [](const std::string& arguments, const std::vector<std::string>& words) {
    const Ended o = cfdmark_with("inspect " + arguments);
    CHECK(o.status == 2);
    CHECK_THAT(o.err, Mentions(words));
  };
  const std::string why_no_vector = why_absent("jacobi", BackendKind::cuda, "vector");
  complains("jacobi --method vector", {"jacobi", "'vector'", why_no_vector});
  complains("smoothing --method streamed",
            {"smoothing", "'streamed'", why_absent("smoothing", BackendKind::cuda, "streamed")});
  complains("gauss_seidel",
            {"gauss_seidel", absent_methods_of("gauss_seidel", BackendKind::cuda).at(0).reason});
  complains("jacobbi", {"'jacobi'"});
  complains("momentum --3d", {"momentum", "--3d"});
}

TEST_CASE("the worker is an internal command", "[program]") {
  const Ended worker = cfdmark_with("worker 3<&- 4<&-");
  REQUIRE(worker.status == 2);
  REQUIRE_THAT(worker.err, Mentions({"`cfdmark run`"}));
  REQUIRE(cfdmark_with("--help").out.find("worker") == std::string::npos);
}

TEST_CASE("help for an unknown command, an invalid architecture and too many threads end with status 2",
          "[program]") {
  const Ended help = cfdmark_with("help nope");
  CHECK(help.status == 2);
  CHECK_THAT(help.err, Mentions({"'nope'"}));
  if (built_with_cuda) {
    const Ended inspect = cfdmark_with("inspect jacobi --arch hopper");
    CHECK(inspect.status == 2);
    CHECK_THAT(inspect.err, Mentions({"sm_90", "hopper"}));
  }
  if (!openmp_unavailable().empty()) return;
  const Ended threads = cfdmark_with("solve --solver cg --grid 16x16 --backend openmp --set threads=9999");
  CHECK(threads.status == 2);
  CHECK_THAT(threads.err, Mentions({"9999 threads"}));
}

// A sweep with ranks by the program: measured, resumed, compared and reported.
#include <fstream>
#include <map>
#include <string>

#include "bench/compare/comparison.hpp"
#include "bench/record/records.hpp"
#include "bench/text/exit_status.hpp"
#include "tests/bench/commands/program.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

// Returns the last record of each case by label.
std::map<std::string, Json> records_in(const std::string& path) {
  std::map<std::string, Json> found;
  for (const Json& line : read_records(path).lines)
    if (line.at("type") == "record") found[line.at("label")] = line;
  return found;
}

std::size_t lines_of(const std::string& path) { return read_records(path).lines.size(); }

}  // namespace

TEST_CASE("a sweep with ranks is measured, resumed, compared and reported", "[program][ranks]") {
  const TemporaryFolder folder;
  const std::string records = folder / "ranks.jsonl", sweep = folder / "ranks.yaml";
  const auto write_sweep = [&](const std::string& ranks) {
    std::ofstream(sweep) << "question: do ranks repeat the bits of one\n"
                            "blocks:\n"
                            "  - solvers: [jacobi, cg]\n"
                            "    backends: serial\n"
                            "    methods: [plain, textbook]\n"
                            "    precisions: fp64\n"
                            "    grids_per_rank: 33x24\n"
                            "    max_iterations: 40\n"
                            "    ranks: "
                         << ranks << "\n";
  };
  const auto run = [&] {
    return cfdmark_with("run " + sweep + " --output " + records +
                        " --case-seconds 0.05 --no-roofs --processes 1");
  };
  // First a grid per rank, then the same grid for one rank.
  write_sweep("[1, 2]");
  const Ended first = run();
  INFO(first.err);
  REQUIRE(first.status == exit_ok);
  const std::map<std::string, Json> weak = records_in(records);
  REQUIRE(weak.size() == 4);
  const std::size_t lines = lines_of(records);
  const Ended again = run();
  CHECK(again.status == exit_ok);
  CHECK(lines_of(records) == lines);  // all recorded
  std::ofstream(sweep, std::ios::app)
      << "  - {solvers: [jacobi, cg], backends: serial, methods: [plain, "
         "textbook], precisions: fp64, grids: 33x48, max_iterations: 40}\n"
         "  - {kernels: [red_black_sor, dot], backends: serial, methods: plain, "
         "precisions: fp64, grids: 33x48, ranks: [1, 2]}\n";
  REQUIRE(run().status == exit_ok);
  const std::map<std::string, Json> all = records_in(records);
  REQUIRE(all.size() == 10);
  for (const char* kernel : {"red_black_sor", "dot"}) {
    const Json& two = all.at(kernel + std::string("/serial/fp64/plain@33x48:ranks=2"));
    INFO(two.dump());
    CHECK(two.at("status") == "ok");
    CHECK(two.at("verification").at("passed") == true);
    // Each rank sends a row before each of two colours; a sum is one gather.
    const bool is_sum = kernel == std::string("dot");
    CHECK(two.at("ranks").at("exchange").at("messages_per_step") == (is_sum ? 0 : 4));
    CHECK(two.at("ranks").at("sums").at("per_step") == (is_sum ? 1 : 0));
  }

  for (const std::string solver : {"jacobi/serial/fp64/plain", "cg/serial/fp64/textbook"}) {
    const std::string problem = ";max_iterations=40";
    const Json &two = all.at(solver + "@33x48:ranks=2" + problem), &one = all.at(solver + "@33x48" + problem);
    INFO(two.dump());
    REQUIRE(two.at("status") == "ok");
    REQUIRE(one.at("status") == "ok");
    for (const char* fact : {"iterations", "history", "relative_residual", "true_residual", "error_history"})
      CHECK(two.at("solver").at(fact) == one.at("solver").at(fact));
    CHECK(two.at("cost").at("cells") == one.at("cost").at("cells"));
    CHECK(two.at("config").at("ranks") == 2);
    CHECK(two.at("resources").at("threads") == 2);
    const Json& ranks = two.at("ranks");
    CHECK(ranks.at("count") == 2);
    CHECK(ranks.at("joined_by") == "threads");
    CHECK(ranks.at("partition").at("cells") == Json({33 * 24, 33 * 24}));
    CHECK(ranks.at("exchange").at("largest_message") == 35 * 8);
    for (const char* part : {"work", "exchange", "sums"}) CHECK(ranks.at("seconds").at(part).size() == 2);
    for (const char* part : {"redundant", "exchange_waiting", "sums_waiting"})
      CHECK(ranks.at("detail").at(part).size() == 2);
    CHECK_FALSE(one.contains("ranks"));
    CHECK_FALSE(one.at("config").contains("ranks"));
  }

  const Ended compared = cfdmark_with("compare " + records + " " + records);
  INFO(compared.out << compared.err);
  CHECK((compared.status == compare::compare_ok ||
         compared.status == compare::compare_undecided));  // by the noise of few samples
  CHECK_THAT(compared.out, Mentions({"ranks=2"}));
  const Ended report = cfdmark_with("report " + records + " --format markdown --output -");
  INFO(report.err);
  CHECK(report.status == exit_ok);
  CHECK_THAT(report.out, Mentions({"Strong scaling", "Weak scaling", "33×24", "efficiency"}));
}

TEST_CASE("kernels on meshes on ranks are verified, and their record has the cut",
          "[program][ranks][meshes]") {
  const TemporaryFolder folder;
  const std::string records = folder / "ranks.jsonl", sweep = folder / "ranks.yaml";
  std::ofstream(sweep) << "question: do ranks repeat the bits of one\n"
                          "blocks:\n"
                          "  - kernels: [mesh_gradient, mesh_flux]\n"
                          "    backends: serial\n"
                          "    methods: plain\n"
                          "    precisions: fp64\n"
                          "    vectors: planes\n"
                          "    meshes: triangles-2x2\n"
                          "    ranks: [1, 2]\n"
                          "    parameters: {overlap: [none, inner_first]}\n";
  const Ended run =
      cfdmark_with("run " + sweep + " --output " + records + " --case-seconds 0.05 --no-roofs --processes 1");
  INFO(run.err);
  REQUIRE(run.status == exit_ok);
  const std::map<std::string, Json> all = records_in(records);
  CHECK(all.size() == 6);
  for (const auto& [label, record] : all) {
    INFO(record.dump());
    CHECK(record.at("status") == "ok");
    CHECK(record.contains("ranks") == (label.find("ranks=2") != std::string::npos));
  }
  // By hand: of 8 triangles each rank has 4, with 2 faces between. Rank 1 owns those and reads their two
  // other cells.
  const Json& ranks =
      all.at("mesh_gradient/serial/fp64/plain@triangles-2x2:overlap=inner_first,ranks=2").at("ranks");
  CHECK(ranks.at("partition").at("kind") == "bisection");
  CHECK(ranks.at("partition").at("cells") == Json({4, 4}));
  CHECK(ranks.at("partition").at("cut_faces") == 2);
  CHECK_FALSE(ranks.at("partition").contains("parts"));
  CHECK(ranks.at("exchange").at("messages_per_step") == 1);
  CHECK(ranks.at("exchange").at("bytes_per_step") == 16);
  const Ended report = cfdmark_with("report " + records + " --format markdown --output -");
  INFO(report.err);
  CHECK(report.status == exit_ok);
  CHECK_THAT(report.out, Mentions({"Strong scaling", "bisection"}));
}

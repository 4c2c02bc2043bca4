// cfdmark solve --matrix and sweeps over matrices, as a user runs them.
#include <fstream>
#include <map>
#include <string>

#include "bench/record/records.hpp"
#include "bench/text/exit_status.hpp"
#include "kernels/mesh/files/checksum.hpp"
#include "solvers/linear/system/model_matrices.hpp"
#include "tests/bench/commands/program.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

void write(const std::string& path, const std::string& text) { std::ofstream(path) << text; }

// x = 1, 2, 3 for b = 6, 10, 8.
constexpr const char* symmetric =
    "%%MatrixMarket matrix coordinate real symmetric\n3 3 5\n1 1 4\n2 1 1\n2 2 3\n3 2 1\n3 3 2\n";
constexpr const char* rhs = "%%MatrixMarket matrix array real general\n3 1\n6\n10\n8\n";
constexpr const char* triangular = "%%MatrixMarket matrix coordinate pattern general\n2 2 3\n1 1\n1 2\n2 2\n";

}  // namespace

TEST_CASE("solve picks a solver for one's own matrix and says why", "[program][matrix]") {
  const TemporaryFolder folder;
  write(folder / "A.mtx", symmetric), write(folder / "b.mtx", rhs), write(folder / "T.mtx", triangular);
  const Ended own = cfdmark_with("solve --matrix " + (folder / "A.mtx") + " --rhs " + (folder / "b.mtx"));
  INFO(own.err);
  CHECK(own.status == exit_ok);
  CHECK_THAT(
      own.out,
      Mentions({"solver: matrix_pcg, because the matrix is symmetric with a positive diagonal",
                "A.mtx-" + checksum_of_file(folder / "A.mtx"),
                "3 rows, 7 entries, symmetric, positive diagonal; b from", "converged in", "true residual"}));
  const Ended other = cfdmark_with("solve --matrix " + (folder / "T.mtx") + " --backend serial");
  CHECK(other.status == exit_ok);
  CHECK_THAT(other.out, Mentions({"solver: matrix_bicgstab, because the matrix is not symmetric",
                                  "b = A x of a random x", "max_error"}));
  const Ended given = cfdmark_with("solve --matrix poisson-12x12 --solver matrix_cg --backend serial");
  CHECK(given.status == exit_ok);
  CHECK_THAT(given.out, Mentions({"matrix_system on poisson-12x12 by matrix_cg"}));
  CHECK(given.out.find("because") == std::string::npos);
}

TEST_CASE("solve writes the answer of one's own system as a vector that can be read again",
          "[program][matrix]") {
  const TemporaryFolder folder;
  write(folder / "A.mtx", symmetric), write(folder / "b.mtx", rhs);
  const std::string solve = "solve --backend serial --tolerance 1e-12 --matrix " + (folder / "A.mtx");
  REQUIRE(cfdmark_with(solve + " --rhs " + (folder / "b.mtx") + " --answer " + (folder / "x.mtx")).status ==
          exit_ok);
  std::ifstream x(folder / "x.mtx");
  std::string header;
  std::getline(x, header);
  CHECK(header == "%%MatrixMarket matrix array real general");
  double rows = 0, columns = 0, value = 0;
  x >> rows >> columns;
  CHECK((rows == 3 && columns == 1));
  for (const double expected : {1, 2, 3}) {
    REQUIRE(x >> value);
    CHECK(value == Approx(expected));
  }
  // The answer is a right-hand side for the next solve.
  CHECK(cfdmark_with(solve + " --rhs " + (folder / "x.mtx")).status == exit_ok);
  CHECK(cfdmark_with(solve + " --answer " + (folder / "none/x.mtx")).status == exit_cannot_write);
  const Ended on_grid = cfdmark_with("solve --solver cg --grid 9x9 --answer " + (folder / "x.mtx"));
  CHECK(on_grid.status == exit_usage);
  CHECK_THAT(on_grid.err, Mentions({"--answer", "--matrix"}));
}

TEST_CASE("solve refuses a matrix that it cannot use, with file, place and fix", "[program][matrix]") {
  const TemporaryFolder folder;
  write(folder / "A.mtx", symmetric), write(folder / "T.mtx", triangular);
  write(folder / "bad.mtx", "%%MatrixMarket matrix coordinate real general\n2 2 2\n1 1 3\n2 x 4\n");
  const std::string a = "solve --matrix " + (folder / "A.mtx");
  const std::map<std::string, std::vector<std::string>> refusals = {
      {"solve --matrix " + (folder / "bad.mtx"), {"bad.mtx:4:", "found 'x'"}},
      {"solve --matrix " + (folder / "none.mtx"), {"none.mtx", "cannot open it"}},
      {"solve --matrix possion-8x8", {"unknown matrix 'possion'", "poisson"}},
      {"solve --matrix 8x8", {"--matrix 8x8", "Matrix Market", ".mtx"}},
      {"solve --matrix triangles-8x8", {"--matrix triangles-8x8", "poisson-100x100"}},
      {"solve --rhs b.mtx", {"--rhs", "--matrix"}},
      {a + " --rhs b.txt", {"--rhs b.txt", ".mtx"}},
      {a + " --rhs " + (folder / "A.mtx"), {"A.mtx:2:", "a vector has one"}},
      {a + " --grid 8x8", {"--grid", "--matrix", "remove one"}},
      {a + " --solver cg", {"cg cannot solve matrix_system", "matrix_pcg"}},
      {a + " --tuned", {"--tuned"}},
      {"solve --solver matrix_pcg --matrix " + (folder / "T.mtx"), {"symmetric", "matrix_bicgstab"}},
      {"solve --solver matrix_pcg --grid 8x8", {"matrices such as", "8x8 is a grid"}}};
  for (const auto& [line, words] : refusals) {
    INFO(line);
    const Ended refused = cfdmark_with(line);
    CHECK(refused.status == exit_usage);
    CHECK_THAT(refused.err, Mentions(words, "cfdmark: "));
  }
}

TEST_CASE("files and generated matrices are swept under their names, and a changed file is not the same case",
          "[program][matrix]") {
  const TemporaryFolder folder;
  const std::string a = folder / "A.mtx", b = folder / "b.mtx", sweep = folder / "m.yaml",
                    records = folder / "m.jsonl";
  write(a, symmetric), write(b, rhs);
  const auto run = [&](const std::string& matrices) {
    write(sweep,
          "question: which solver for my matrices\nblocks:\n  - solvers: [matrix_pcg, matrix_bicgstab]\n"
          "    backends: serial\n    precisions: fp64\n    matrices: [" +
              matrices + "]\n");
    return cfdmark_with("run " + sweep + " --output " + records + " --budget 4s --no-roofs --processes 1");
  };
  const Ended first = run(a + "+" + b + ", convection_1-12x12");
  INFO(first.err);
  REQUIRE(first.status == exit_ok);
  const std::string named = a + "-" + checksum_of_file(a) + "+" + b + "-" + checksum_of_file(b);
  std::map<std::string, Json> found;
  for (const Json& line : read_records(records).lines)
    if (line.at("type") == "record")
      found[line.at("name").get<std::string>() + " " + line.at("matrix").get<std::string>()] = line;
  REQUIRE(found.size() == 4);
  for (const char* solver : {"matrix_pcg ", "matrix_bicgstab "}) {
    const Json& record = found.at(solver + named);
    CHECK(record.at("status") == "ok");
    CHECK(record.at("nodes") == 3);
    CHECK_FALSE(record.contains("grid"));
    CHECK(record.at("solver").at("true_residual") < 1e-5);
    CHECK(record.at("case").get<std::string>().find("@" + named + ":") != std::string::npos);
  }
  CHECK(found.at("matrix_bicgstab convection_1-12x12").at("status") == "ok");
  const Json& unsuitable = found.at("matrix_pcg convection_1-12x12");
  CHECK(unsuitable.at("status") != "ok");
  CHECK_THAT(unsuitable.at("reason").get<std::string>(), Mentions({"symmetric", "matrix_bicgstab"}));

  const Ended missing = run(folder / "none.mtx");
  CHECK(missing.status == exit_usage);
  CHECK_THAT(missing.err, Mentions({"m.yaml:6:", "none.mtx", "cannot open it"}));
  write(a, "%%MatrixMarket matrix coordinate real symmetric\n3 3 3\n1 1 4\n2 2 3\n3 3 2\n");
  const Ended changed = run(named);
  CHECK(changed.status == exit_usage);
  CHECK_THAT(changed.err, Mentions({"m.yaml:6:", "checksum"}));
}

TEST_CASE("list shows every generated matrix", "[program][matrix]") {
  const Ended list = cfdmark_with("list matrix_");
  CHECK(list.status == exit_ok);
  CHECK_THAT(list.out, Mentions({"matrix_cg", "matrix_pcg", "matrix_bicgstab", "matrices"}));
  for (const ModelMatrix& model : model_matrices())
    CHECK_THAT(list.out, Mentions({model.name + (model.dims == 3 ? "-NxNxN" : "-NxN"), model.help}));
  CHECK(cfdmark_with("list mesh_cg").out.find("GENERATED MATRICES") == std::string::npos);
}

// One's own matrix: what is known of it, what is refused, and solves by every solver and method that runs
// here.
#include "solvers/matrix/matrix_system.hpp"

#include <cmath>
#include <fstream>

#include "kernels/device/backend.hpp"
#include "solvers/families.hpp"
#include "solvers/linear/system/model_matrices.hpp"
#include "solvers/matrix/family.hpp"
#include "tests/bench/mentions.hpp"
#include "tests/bench/temporary_folder.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

const std::string real = "%%MatrixMarket matrix coordinate real ";

std::string written(const TemporaryFolder& folder, const std::string& name, const std::string& text) {
  std::ofstream(folder / name) << text;
  return folder / name;
}

// 4 1 0
// 1 3 1
// 0 1 2
const std::string three_rows = real + "symmetric\n3 3 5\n1 1 4\n2 1 1\n2 2 3\n3 2 1\n3 3 2\n";
// The same with both triangles.
const std::string three_rows_general =
    real + "general\n3 3 7\n1 1 4\n1 2 1\n2 1 1\n2 2 3\n2 3 1\n3 2 1\n3 3 2\n";

MatrixRef known_as(const std::string& text) { return known(domain_from(text).matrix()); }

std::string refusal_of(const std::string& text) {
  try {
    known_as(text);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

struct Answer {
  Outcome outcome;
  Judgement judgement;
  std::vector<double> x;
  double error() const {
    for (const NamedValue& result : outcome.results)
      if (result.name == "max_error") return result.value;
    FAIL("the results lack max_error");
    return 0;
  }
};

struct Able {
  std::string solver;
  BackendKind backend;
  FamilyMethod method;
};

// Returns all methods of the family that can solve a system here.
std::vector<Able> able_here(const MatrixRef& ref, Precision p = Precision::fp64) {
  const Domain domain = ref;
  std::vector<Able> all;
  for (const BackendKind kind : backends_here())
    for (const FamilySolver& solver : matrix_family().solvers)
      for (const FamilyMethod& method : solver.methods(kind))
        if (method.unsupported({domain, p, {}}).empty()) all.push_back({solver.name, kind, method});
  return all;
}
std::string text(const Able& able) {
  return able.solver + "/" + std::string(to_string(able.backend)) + "/" + able.method.name;
}

Answer solve(const Able& able, const MatrixRef& ref, double tolerance = 1e-11,
             Precision p = Precision::fp64) {
  const auto prepared = able.method.prepare(backend(able.backend), p, able.method.space.defaults(),
                                            matrix_system(ref), LevelConfigs());
  prepared->reset();
  Answer solved{prepared->solve(tolerance, 5000), {}, {}};
  solved.judgement = prepared->verify(solved.outcome, tolerance);
  solved.x = dynamic_cast<PreparedMatrixSolve&>(*prepared).solution();
  return solved;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double most = 0;
  for (std::size_t n = 0; n < a.size(); ++n) most = std::max(most, std::abs(a[n] - b[n]));
  return most;
}

std::string why_not(const std::string& solver, const std::string& method, const MatrixRef& ref) {
  const Domain domain = ref;
  for (const FamilyMethod& m : find_solver(*family_of_solver(solver), solver)->methods(BackendKind::serial))
    if (m.name == method) return m.unsupported({domain, Precision::fp64, {}});
  throw std::invalid_argument(method);
}

}  // namespace

TEST_CASE("a system of three equations has the answer found by hand, by every solver, method and precision",
          "[matrix]") {
  const TemporaryFolder folder;
  const std::string b = written(folder, "b.mtx", "%%MatrixMarket matrix array real general\n3 1\n6\n10\n8\n");
  // x = 1, 2, 3: 4 + 2 = 6, 1 + 6 + 3 = 10, 2 + 6 = 8.
  for (const std::string& file :
       {written(folder, "lower.mtx", three_rows), written(folder, "all.mtx", three_rows_general)})
    for (const Precision p : all_precisions) {
      const MatrixRef ref = known_as(file + "+" + b);
      CHECK(ref.is_symmetric);
      CHECK(ref.entries == 7);
      for (const Able& able : able_here(ref, p)) {
        INFO(text(able) << " " << to_string(p) << " " << file);
        const double tolerance = p == Precision::fp32 ? 1e-5 : 1e-11;
        const Answer solved = solve(able, ref, tolerance, p);
        CHECK(solved.judgement.wrong == "");
        CHECK(solved.judgement.converged);
        CHECK(solved.judgement.true_residual < 1.5 * tolerance);
        CHECK(largest_difference(solved.x, {1, 2, 3}) < 100 * tolerance);
      }
    }
}

// BiCGStab ends at the exact answer within as many iterations as unknowns, and here after half of them if the
// matrix is symmetric with two colours, though it is checked after each.
TEST_CASE("BiCGStab needs no more iterations than unknowns for a few equations", "[matrix]") {
  const TemporaryFolder folder;
  for (const std::string& file :
       {written(folder, "two.mtx", real + "general\n2 2 4\n1 1 4\n1 2 1\n2 1 2\n2 2 3\n"),
        written(folder, "three.mtx",
                real + "general\n3 3 7\n1 1 4\n1 2 1\n2 1 2\n2 2 3\n2 3 1\n3 2 -1\n3 3 2\n")}) {
    const MatrixRef ref = known_as(file);
    for (const Able& able : able_here(ref)) {
      if (able.solver != "matrix_bicgstab") continue;
      INFO(text(able) << " " << file);
      const Answer solved = solve(able, ref);
      CHECK(solved.judgement.converged);
      CHECK(solved.outcome.iterations <= ref.rows);
      CHECK(solved.error() < 1e-8);
    }
  }
}

TEST_CASE("a pattern that is not symmetric is solved as a matrix of ones", "[matrix]") {
  const TemporaryFolder folder;
  const std::string a = written(
      folder, "p.mtx", "%%MatrixMarket matrix coordinate pattern general\n3 3 5\n1 1\n1 2\n2 2\n2 3\n3 3\n");
  const std::string b = written(folder, "b.mtx", real + "general\n3 1 2\n1 1 5\n3 1 4\n");  // b = 5, 0, 4
  const MatrixRef ref = known_as(a + "+" + b);
  CHECK_FALSE(ref.is_symmetric);
  const std::vector<Able> able = able_here(ref);
  REQUIRE_FALSE(able.empty());
  for (const Able& one : able) {
    INFO(text(one));
    CHECK(largest_difference(solve(one, ref).x, {9, -4, 4}) < 1e-8);
  }
}

TEST_CASE("every solver and method here finds the known answer of every generated matrix", "[matrix]") {
  for (const ModelMatrix& model : model_matrices()) {
    const MatrixRef ref = known_as(model.name + (model.dims == 3 ? "-6x6x6" : "-16x16"));
    CHECK(ref.is_symmetric == model.is_symmetric);
    CHECK(ref.diagonal_sign == 1);
    const std::vector<Able> able = able_here(ref);
    REQUIRE_FALSE(able.empty());
    for (const Able& one : able) {
      INFO(text(one) << " " << model.name);
      const Answer solved = solve(one, ref);
      CHECK(solved.judgement.wrong == "");
      CHECK(solved.judgement.converged);
      CHECK(solved.judgement.true_residual <= 1.5e-11);
      CHECK(solved.error() < 1e-6);
    }
  }
}

TEST_CASE("BoomerAMG takes fewer iterations than the diagonal, also without conjugate gradients",
          "[matrix][hypre]") {
  const MatrixRef ref = known_as("checkerboard-64x64");
  int diagonal = 0, found = 0;
  for (const Able& able : able_here(ref))
    if (able.solver == "matrix_pcg" && able.backend == BackendKind::serial)
      diagonal = solve(able, ref).outcome.iterations;
  REQUIRE(diagonal > 40);
  for (const MatrixRef& a : {ref, known_as("convection_1-64x64")})
    for (const Able& able : able_here(a)) {
      if (able.solver != "matrix_hypre") continue;
      ++found;
      INFO(text(able) << " " << a.generator);
      const Answer solved = solve(able, a);
      CHECK(solved.judgement.converged);
      CHECK(solved.outcome.iterations < diagonal / 2);
    }
  if (found == 0) WARN("skipped: built without hypre");
}

TEST_CASE(
    "a negative definite matrix, such as a Laplacian with its own sign, is solved by conjugate gradients",
    "[matrix]") {
  const TemporaryFolder folder;
  std::string lines;
  for (int row = 1; row <= 40; ++row) {
    lines += std::to_string(row) + " " + std::to_string(row) + " -" + std::to_string(1 + row % 3) + ".5\n";
    if (row > 1) lines += std::to_string(row) + " " + std::to_string(row - 1) + " 0.5\n";
  }
  const MatrixRef ref = known_as(written(folder, "n.mtx", real + "symmetric\n40 40 79\n" + lines));
  CHECK(ref.diagonal_sign == -1);
  CHECK(suitable_solver(ref).name == "matrix_pcg");
  CHECK_THAT(suitable_solver(ref).why, ContainsSubstring("negative diagonal"));
  for (const Able& able : able_here(ref)) {
    INFO(text(able));
    const Answer solved = solve(able, ref);
    CHECK(solved.judgement.converged);
    CHECK(solved.error() < 1e-9);
  }
}

TEST_CASE("a matrix that does not suit a solver is not solved by it, and the reason names a solver that can",
          "[matrix]") {
  const TemporaryFolder folder;
  const MatrixRef convection = known_as("convection_100-8x8");
  for (const char* solver : {"matrix_cg", "matrix_pcg"}) {
    const char* method = std::string(solver) == "matrix_cg" ? "passes" : "diagonal";
    CHECK(why_not(solver, method, known_as("poisson-8x8")) == "");
    CHECK_THAT(why_not(solver, method, convection), Mentions({"need a symmetric matrix", "matrix_bicgstab"}));
    const MatrixRef saddle = known_as(written(folder, "s.mtx", real + "symmetric\n2 2 2\n1 1 2\n2 1 1\n"));
    CHECK_THAT(why_not(solver, method, saddle), Mentions({"diagonal entry of row 2", "matrix_bicgstab"}));
    const MatrixRef mixed = known_as(written(folder, "m.mtx", real + "symmetric\n2 2 2\n1 1 2\n2 2 -1\n"));
    CHECK_THAT(why_not(solver, method, mixed), Mentions({"changes sign", "matrix_bicgstab"}));
    const FamilyMethod prepared =
        find_solver(*family_of_solver(solver), solver)->methods(BackendKind::serial).front();
    CHECK_THROWS_AS(prepared.prepare(backend(BackendKind::serial), Precision::fp64, prepared.space.defaults(),
                                     matrix_system(saddle), LevelConfigs()),
                    std::invalid_argument);
    CHECK(suitable_solver(saddle).name == "matrix_bicgstab");
    CHECK(suitable_solver(mixed).name == "matrix_bicgstab");
  }
  CHECK(why_not("matrix_bicgstab", "textbook", convection) == "");
  CHECK(suitable_solver(convection).name == "matrix_bicgstab");
  CHECK(suitable_solver(known_as("poisson-8x8")).name == "matrix_pcg");
}

TEST_CASE("BiCGStab solves a matrix with a zero on its diagonal", "[matrix]") {
  const TemporaryFolder folder;
  const MatrixRef ref = known_as(written(folder, "z.mtx", real + "general\n2 2 3\n1 1 1\n1 2 2\n2 1 1\n"));
  CHECK(ref.zero_diagonal_row == 2);
  for (const Able& able : able_here(ref)) {
    INFO(text(able));
    CHECK(solve(able, ref).error() < 1e-9);
  }
}

TEST_CASE("symmetry is that of values up to rounding, not of the file's header", "[matrix]") {
  const TemporaryFolder folder;
  const auto symmetric = [&](const std::string& other) {
    return known_as(
               written(folder, "a.mtx", real + "general\n2 2 4\n1 1 2\n1 2 0.3\n2 1 " + other + "\n2 2 2\n"))
        .is_symmetric;
  };
  CHECK(symmetric("0.3"));
  CHECK(symmetric("0.30000000000000004"));
  CHECK_FALSE(symmetric("0.3000001"));
  CHECK_FALSE(
      known_as(written(folder, "a.mtx", real + "general\n2 2 3\n1 1 2\n1 2 1\n2 2 2\n")).is_symmetric);
}

TEST_CASE("a system that cannot be posed is refused with file, place and fix", "[matrix]") {
  const TemporaryFolder folder;
  const std::string a = written(folder, "a.mtx", three_rows);
  CHECK_THAT(refusal_of(folder / "none.mtx"), Mentions({"none.mtx", "cannot open it"}));
  CHECK_THAT(refusal_of(written(folder, "wide.mtx", real + "general\n2 3 2\n1 1 1\n2 2 1\n")),
             Mentions({"wide.mtx:2:", "square matrix"}));
  CHECK_THAT(refusal_of(written(folder, "empty.mtx", real + "general\n3 3 3\n1 1 1\n1 2 1\n3 3 1\n")),
             Mentions({"empty.mtx: row 2", "singular", "remove"}));
  CHECK_THAT(refusal_of(written(folder, "zeros.mtx", real + "general\n2 2 3\n1 1 1\n2 1 0\n2 2 0\n")),
             Mentions({"zeros.mtx: row 2 has no entry other than 0"}));
  CHECK_THAT(refusal_of(written(folder, "column.mtx", real + "general\n2 2 2\n1 1 3\n2 1 1\n")),
             Mentions({"column.mtx: column 2 has no entry other than 0", "singular"}));
  CHECK_THAT(
      refusal_of(a + "+" + written(folder, "b.mtx", "%%MatrixMarket matrix array real general\n2 1\n1\n1\n")),
      Mentions({"b.mtx: 2 values", "has 3 rows"}));
  CHECK_THAT(refusal_of(a + "+" +
                        written(folder, "o.mtx", "%%MatrixMarket matrix array real general\n3 1\n0\n0\n0\n")),
             Mentions({"o.mtx: all values are 0"}));
  CHECK_THAT(refusal_of(a + "+" + a), Mentions({"a.mtx:2: 3 columns; a vector has one"}));
  CHECK_THAT(refusal_of(a + "+" + (folder / "none.mtx")), Mentions({"none.mtx", "cannot open it"}));
  CHECK_THAT(refusal_of(a + "-1a2b"), Mentions({"checksum", "not 1a2b", "changed"}));
  CHECK_THAT(refusal_of("possion-8x8"), Mentions({"unknown matrix 'possion'", "poisson"}));
  CHECK_THAT(refusal_of("poisson-8x9"), Mentions({"equal sides", "poisson-100x100"}));
  CHECK_THAT(refusal_of("poisson-8x8x8"), Mentions({"poisson-100x100"}));
  CHECK_THAT(refusal_of("poisson_3d-8x8"), Mentions({"poisson_3d-20x20x20"}));
  CHECK_THAT(refusal_of("poisson-1x1"), Mentions({"at least 2"}));
  CHECK_THAT(refusal_of("poisson-30000x30000"), Mentions({"too large"}));
}

TEST_CASE("a matrix file is known by its checksum, and a changed one is read again", "[matrix]") {
  const TemporaryFolder folder;
  const std::string file = written(folder, "a.mtx", three_rows);
  const MatrixRef first = known_as(file);
  CHECK(first.rows == 3);
  CHECK(first.checksum.size() == 16);
  CHECK(domain_from(Domain(first).text()).matrix().checksum == first.checksum);
  CHECK(matrix_system(first) == matrix_system(first));  // the same object
  written(folder, "a.mtx", real + "symmetric\n2 2 2\n1 1 4\n2 2 3\n");
  CHECK(known_as(file).rows == 2);
  CHECK_THAT(refusal_of(Domain(first).text()), Mentions({"checksum", first.checksum}));
}

TEST_CASE("the answer of a matrix whose rows add up to 0 is not known, since constants may be added",
          "[matrix]") {
  const TemporaryFolder folder;
  const auto system = matrix_system(
      known_as(written(folder, "n.mtx", real + "symmetric\n3 3 5\n1 1 1\n2 1 -1\n2 2 2\n3 2 -1\n3 3 1\n")));
  CHECK_FALSE(system->results);
  CHECK_FALSE(system->error);
  CHECK(norm(system->b) > 0.01);
}

TEST_CASE("without a right-hand side b is A times the answer whose error is reported", "[matrix]") {
  const TemporaryFolder folder;
  const auto system =
      matrix_system(known_as(written(folder, "d.mtx", real + "general\n2 2 2\n1 1 2\n2 2 4\n")));
  const std::vector<double> x = {system->b[0] / 2, system->b[1] / 4};
  CHECK(x[0] != x[1]);
  for (const double value : x) CHECK((value >= 0.5 && value < 1.5));
  CHECK(system->error(x) < 1e-15);
  CHECK(system->error({x[0], x[1] + 0.25}) == Approx(0.25));
}

TEST_CASE("a solver knows about how many bytes the fields of a matrix take before it is prepared",
          "[matrix]") {
  for (const char* name : {"poisson-40x40", "poisson_3d-12x12x12"}) {
    const MatrixRef ref = known_as(name);
    const Domain domain = ref;
    for (const Able& able : able_here(ref)) {
      if (able.backend != BackendKind::serial) continue;
      INFO(text(able) << " " << name);
      const auto prepared =
          able.method.prepare(backend(able.backend), Precision::fp64, able.method.space.defaults(),
                              matrix_system(ref), LevelConfigs());
      const double estimate = able.method.field_bytes({domain, Precision::fp64, {}});
      CHECK(estimate >= 0.9 * double(prepared->field_bytes()));
      CHECK(estimate <= 2 * double(prepared->field_bytes()));
    }
  }
}

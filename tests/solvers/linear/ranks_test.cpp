// A system in two parts, each on a rank: the operator's exchange and the sums over ranks join them. The ranks
// are threads of the test.
#include <barrier>
#include <functional>
#include <thread>

#include "kernels/reduction/reduction.hpp"
#include "tests/catch.hpp"
#include "tests/solvers/linear/csr_systems.hpp"
#include "tests/solvers/linear/solve.hpp"

using namespace cfdmark;

namespace {

// State shared by two ranks. Both prepare the same operations in the same order, so the n-th exchange of one
// belongs to the n-th of the other.
struct Joint {
  std::barrier<> all_here{2};
  std::vector<AnyView> fields[2];
  double shares[2] = {};
  int exchanges = 0, sums = 0;  // counted by rank 0 when they run
};

// Rank 0 holds the lower half of the rows, rank 1 the upper half.
class Half final : public Communicator {
 public:
  Half(Joint& joint, int rank, Index unknowns) : joint_(joint), rank_(rank), unknowns_(unknowns) {}

  std::vector<Operation> exchange(const Operations&, const AnyView& field) const override {
    const std::size_t number = joint_.fields[rank_].size();
    joint_.fields[rank_].push_back(field);
    return {operation([this, number] {
      const AnyView &mine = joint_.fields[rank_][number], &other = joint_.fields[1 - rank_].at(number);
      joint_.all_here.arrive_and_wait();
      const int ghost = rank_ == 0 ? mine.grid.ny : -1, row = rank_ == 0 ? 0 : other.grid.ny - 1;
      for (int i = 0; i < mine.grid.nx; ++i) mine.as<double>()(i, ghost) = other.as<const double>()(i, row);
      joint_.exchanges += rank_ == 0;
      joint_.all_here.arrive_and_wait();
    })};
  }
  std::vector<Operation> sum(const Operations&, double* share) const override {
    return {operation([this, share] {
      joint_.shares[rank_] = *share;
      joint_.all_here.arrive_and_wait();
      *share = joint_.shares[0] + joint_.shares[1];
      joint_.sums += rank_ == 0;
      joint_.all_here.arrive_and_wait();
    })};
  }
  Index unknowns() const override { return unknowns_; }

 private:
  static Operation operation(std::function<void()> run) {
    return {"ranks", &backend(BackendKind::serial), nullptr, {std::move(run), {}, {}, {}}, {}};
  }

  Joint& joint_;
  int rank_;
  Index unknowns_;
};

// Returns rows of a field from `first` on, with the ghosts around them.
HostField rows_of(const HostField& whole, int first, int rows) {
  const Grid g{whole.grid().nx, rows};
  HostField part(g, whole.storage());
  for_each_cell(g, true, [&](int i, int j, int k) { part.set(i, j, k, whole.get(i, j + first, k)); });
  return part;
}
LinearProblem half_of(const LinearProblem& whole, int rank) {
  const int rows = whole.grid.ny / 2;
  LinearProblem half = whole;
  half.grid = {whole.grid.nx, rows};
  for (HostField& c : half.coefficients) c = rows_of(c, rank * rows, rows);
  half.b = rows_of(whole.b, rank * rows, rows), half.initial = rows_of(whole.initial, rank * rows, rows);
  return half;
}

// Part of a problem on one rank.
struct Part {
  LinearProblem problem;
  Half ranks;
  OwnedSystem owned;

  Part(Joint& joint, int rank, const LinearProblem& whole)
      : problem(half_of(whole, rank)),
        ranks(joint, rank, whole.grid.cells()),
        owned(backend(BackendKind::serial), Precision::fp64, problem.grid, form(whole), nullptr,
              sides_of(*whole.description)) {
    owned.upload(problem);
    owned.upload_start(problem.initial);
  }
  System system() const {
    System of_rank = owned.system();
    of_rank.ranks = &ranks;
    return of_rank;
  }

 private:
  static Operator form(const LinearProblem& whole) {
    Operator a = whole.constant;
    a.constant = whole.coefficients.empty();
    return a;
  }
};

// Solves on both ranks at once.
std::vector<SolvedSystem> solve_on_two(Part& lower, Part& upper, const SolverMethod& method,
                                       double tolerance) {
  const Config config = method.space.complete({{"check_interval", 1}});
  std::vector<std::unique_ptr<Iteration>> iterations;
  for (const Part* part : {&lower, &upper})
    iterations.push_back(prepare_iteration(method, part->system(), config));
  std::vector<SolvedSystem> solved(2);
  const auto solve = [&](int rank, const Part& part) {
    solved[rank] = solve_system(part.owned, std::move(iterations[rank]), config, tolerance, 2000);
  };
  std::thread other([&] { solve(1, upper); });
  solve(0, lower);
  other.join();
  return solved;
}

}  // namespace

// Sums over two ranks round otherwise than those of one, so that slow solves differ by some iterations: CG by
// 3 %, BiCGStab, whose iterations depend far more on rounding, by 7 to 45 % from processor to processor.
TEST_CASE("CG and BiCGStab on two ranks find the answer of one in about as many iterations",
          "[ranks][cg][bicgstab]") {
  for (const auto& [name, grid] :
       {std::pair{"heated_plate", Grid{14, 18}}, {"jump", {11, 16}}, {"insulated", {12, 14}}})
    for (const char* solver : {"cg", "bicgstab"}) {
      INFO(solver << " " << name);
      const double spread = solver == std::string("cg") ? 0.1 : 0.6;
      const auto whole = posed(name, grid);
      // The random shadow residual of a singular system differs with the number of ranks.
      if (is_singular(*whole->description) && solver == std::string("bicgstab")) continue;
      const SolverMethod method = method_named(solver_named(solver), BackendKind::serial, "textbook");
      const Solved alone = solve(solver, method, backend(BackendKind::serial), Precision::fp64, whole,
                                 {1e-10, 2000, {{"check_interval", 1}}});
      Joint joint;
      Part lower(joint, 0, *whole), upper(joint, 1, *whole);
      const std::vector<SolvedSystem> parts = solve_on_two(lower, upper, method, 1e-10);
      for (const SolvedSystem& part : parts) {
        CHECK(part.outcome.converged);
        CHECK(std::abs(part.outcome.iterations - alone.outcome.iterations) <=
              spread * alone.outcome.iterations);
        CHECK(part.outcome.iterations == parts[0].outcome.iterations);
      }
      std::vector<double> together = parts[0].u;
      together.insert(together.end(), parts[1].u.begin(), parts[1].u.end());
      const std::vector<double> expected = interior(alone.u);
      REQUIRE(together.size() == expected.size());
      for (std::size_t n = 0; n < expected.size(); ++n) CHECK(std::abs(together[n] - expected[n]) <= 1e-9);
      CHECK(joint.exchanges >= parts[0].outcome.iterations);
      CHECK(joint.sums > 2 * parts[0].outcome.iterations);
    }
}

TEST_CASE("methods with kernels of their own for stencils reject systems over ranks", "[ranks]") {
  Joint joint;
  const auto whole = posed("heated_plate", {6, 4});
  const SystemShape shape = shape_of(Part(joint, 0, *whole).system());
  const auto reason = [&](const char* solver, const char* method) {
    return method_named(solver_named(solver), BackendKind::serial, method).why_unsupported(shape);
  };
  CHECK(reason("cg", "textbook").empty());
  CHECK(reason("bicgstab", "textbook").empty());
  CHECK_THAT(reason("cg", "fused"), ContainsSubstring("cg/textbook"));
  CHECK(reason("jacobi", "plain").empty());
  CHECK(reason("sor", "plain").empty());
  CHECK(reason("multigrid", "plain").empty());
  for (const char* solver : {"sor", "multigrid"})
    CHECK_THAT(reason(solver, "wavefront"),
               ContainsSubstring("ranks are not supported; use jacobi/plain, sor/plain"));
  CHECK_THAT(reason("gauss_seidel", "plain"), ContainsSubstring("use jacobi/plain, sor/plain"));
}

TEST_CASE("a reduction over ranks other than a sum is an error", "[ranks]") {
  Joint joint;
  const Part part(joint, 0, *posed("heated_plate", {6, 4}));
  const DeviceScalar most(backend(BackendKind::serial));
  const Operations op(part.system(), {});
  CHECK_THROWS_WITH(op.sweep<MaxNorm>("max", {Precision::fp64, {}, {part.owned.u().view()}, most.data()}),
                    ContainsSubstring("sums only"));
}

// Sparse matrices on an emulated device: products with any number of threads per row, and the solvers of any
// operator.
#include "kernels/device/cuda/plan/cuda_offline.hpp"
#include "tests/catch.hpp"
#include "tests/cuda_emulation/csr_cases.hpp"
#include "tests/cuda_emulation/emulated_backend.hpp"

using namespace cfdmark;

namespace {

const Method<CsrArgs> product_method = csr_methods(BackendKind::cuda).front();

// Returns the product, or the residual, of the uneven matrix on a CPU.
std::vector<double> product_on_cpu(Precision p, bool residual, const CsrMatrix<double>& a = uneven_matrix()) {
  Backend& serial = backend(BackendKind::serial);
  const CsrProduct product(serial, p, a);
  csr_methods(BackendKind::serial).front().prepare(serial, product.args(residual), {}).run();
  return interior(product.y.download());
}

}  // namespace

TEST_CASE("any number of threads per row gives the product and the residual of a CPU on an emulated device",
          "[cuda][csr]") {
  EmulatedCuda device;
  for_each_csr_product(device, [&](const CsrProduct& product, bool residual, const Config& config) {
    INFO(to_string(product.precision) << " " << config.text());
    product_method.prepare(device, product.args(residual), product_method.space.complete(config)).run();
    CHECK(interior(product.y.download()) == product_on_cpu(product.precision, residual));
  });
}

TEST_CASE("a product that reads its entries as a stream gives that of a CPU and x . y on an emulated device",
          "[cuda][csr]") {
  EmulatedCuda device;
  const Method<CsrArgs> dot = csr_dot_methods(BackendKind::cuda).front();
  const Method<CsrArgs> stream = csr_methods(BackendKind::cuda).back();
  REQUIRE(stream.name == "stream");
  for_each_csr_dot(device, [&](const CsrProduct& product, const Config& config) {
    INFO(to_string(product.precision) << " " << config.text());
    const std::vector<double> expected = product_on_cpu(product.precision, false);
    const DeviceScalar result(device);
    CsrArgs args = product.args(false);
    args.dot = result.data();
    dot.prepare(device, args, dot.space.complete(config)).run();
    CHECK(interior(product.y.download()) == expected);
    double sum = 0;
    for (int n = 0; n < int(expected.size()); ++n) sum += (n % 13 - 6) * expected[std::size_t(n)];
    CHECK(result.get() == sum);
    stream.prepare(device, product.args(true), stream.space.complete(config)).run();
    CHECK(interior(product.y.download()) == product_on_cpu(product.precision, true));
  });
}

TEST_CASE(
    "columns in 16 bits and values in 32 give the product of full rows on an emulated device, far columns "
    "too",
    "[cuda][csr]") {
  EmulatedCuda device;
  const std::vector<double> expected = product_on_cpu(Precision::fp64, false, far_matrix());
  for (const CsrForm& form : csr_forms(Precision::fp64))
    for (const Method<CsrArgs>& method : csr_methods(BackendKind::cuda)) {
      INFO(method.name << " " << form.near_columns << form.values_in_32_bits);
      const CsrProduct product(device, Precision::fp64, far_matrix(), form);
      CHECK((product.args(false).far_columns > 0) == form.near_columns);
      const Config config = method.name == "plain" ? Config{{"block_x", 64}, {"row_threads", 16}} : Config{};
      method.prepare(device, product.args(false), method.space.complete(config)).run();
      CHECK(interior(product.y.download()) == expected);
    }
}

// The threads of a row add partial sums, so that answers differ by rounding, at most 1e-11 of order 1.
// BiCGStab amplifies it: on the jump it takes 274 iterations here and 354 on a CPU.
TEST_CASE("solvers of any operator iterate on rows on an emulated device as on a CPU, directly and captured",
          "[cuda][csr][solvers]") {
  EmulatedCuda device;
  Backend& serial = backend(BackendKind::serial);
  for_each_csr_solver(BackendKind::cuda, [&](const LinearProblem& problem, const SolverMethod& method) {
    INFO(problem.description->name << " " << method.name);
    const auto solve_on = [&](Backend& on, const Config& given) {
      const OwnedSystem rows = csr_system(on, Precision::fp64, problem);
      const Config config = method.space.complete(given);
      return solve_system(rows, prepare_iteration(method, rows.system(), config), config, 1e-10, 500);
    };
    const SolvedSystem direct = solve_on(device, {{"check_interval", 2}, {"graph_iterations", 1}});
    const int graphs = device.graphs_run();
    const SolvedSystem captured = solve_on(device, {{"check_interval", 2}, {"graph_iterations", 2}});
    CHECK(device.graphs_run() > graphs);
    CHECK(captured.outcome.history == direct.outcome.history);
    CHECK(captured.u == direct.u);
    const SolvedSystem expected = solve_on(serial, {{"check_interval", 2}, {"graph_iterations", 1}});
    CHECK(direct.outcome.converged);
    CHECK(std::abs(direct.outcome.iterations - expected.outcome.iterations) <=
          expected.outcome.iterations / 3);
    for (std::size_t n = 0; n < expected.u.size(); ++n) CHECK(std::abs(direct.u[n] - expected.u[n]) <= 1e-11);
  });
}

TEST_CASE("CG in one launch has the textbook's iterates on rows, in one launch, in many, and when repeated",
          "[cuda][csr][cg]") {
  EmulatedCuda device;
  Backend& serial = backend(BackendKind::serial);
  const SolverMethod persistent = persistent_matrix_cg(BackendKind::cuda).front();
  const SolverMethod textbook = textbook_cg(BackendKind::serial).front();
  for_each_csr_launch([&](const LinearProblem& problem, Precision p) {
    INFO(problem.description->name << " " << to_string(p));
    const auto solve_on = [&](Backend& on, const SolverMethod& method, int interval, int most,
                              double tolerance) {
      const OwnedSystem rows = csr_system(on, p, problem);
      const Config config = method.space.complete({{"check_interval", interval}});
      return solve_system(rows, prepare_iteration(method, rows.system(), config), config, tolerance, most);
    };
    const SolvedSystem once = solve_on(device, persistent, 10, 10, 1e-30),
                       often = solve_on(device, persistent, 3, 10, 1e-30),
                       again = solve_on(device, persistent, 10, 10, 1e-30),
                       expected = solve_on(serial, textbook, 1, 10, 1e-30);
    CHECK(once.outcome.iterations == 10);
    CHECK(once.outcome.relative_residual ==
          Approx(expected.outcome.relative_residual).epsilon(p == Precision::fp64 ? 1e-10 : 1e-3));
    CHECK(once.u == often.u);
    CHECK(once.u == again.u);
    const double tolerance = p == Precision::fp64 ? 1e-10 : 1e-4;
    const SolvedSystem solved = solve_on(device, persistent, 100, 500, tolerance),
                       known = solve_on(serial, textbook, 1, 500, tolerance);
    CHECK(solved.outcome.converged);
    CHECK(std::abs(solved.outcome.iterations - known.outcome.iterations) <= (p == Precision::fp64 ? 1 : 4));
    for (std::size_t n = 0; n < known.u.size(); ++n)
      CHECK(std::abs(solved.u[n] - known.u[n]) <= (p == Precision::fp64 ? 1e-9 : 1e-3));
  });
}

TEST_CASE("CG in one launch names the memory that rows with far neighbours need", "[cuda][csr][cg]") {
  EmulatedCuda device;
  // Every row has a neighbour half the matrix away.
  constexpr int rows = 132 * 5500;
  CsrMatrix<double> a{{0}, {}, {}};
  for (int row = 0; row < rows; ++row) {
    a.column.insert(a.column.end(), {row, (row + rows / 2) % rows});
    a.value.insert(a.value.end(), {2, 1});
    a.row_begin.push_back(int(a.column.size()));
  }
  const OwnedSystem system(device, Precision::fp64, flat_grid(rows),
                           std::make_shared<const CsrOperator>(device, Precision::fp64, a));
  const SolverMethod method = persistent_matrix_cg(BackendKind::cuda).front();
  CHECK_THROWS_WITH(method.prepare(system.system(), method.space.defaults()),
                    ContainsSubstring("shared memory") && ContainsSubstring("hilbert"));
}

TEST_CASE("refinement iterates on rows on an emulated device as on a CPU", "[cuda][csr][solvers]") {
  EmulatedCuda device;
  Backend& serial = backend(BackendKind::serial);
  for_each_csr_solver(BackendKind::cuda, [&](const LinearProblem& problem, const SolverMethod& method) {
    INFO(problem.description->name << " " << method.name);
    const auto solve_on = [&](Backend& on) {
      const OwnedSystem rows = csr_system(on, Precision::fp64, problem);
      return solve_system(rows, refinement(rows.system(), method, method.space.defaults()), {}, 1e-11, 10000);
    };
    const SolvedSystem here = solve_on(device), expected = solve_on(serial);
    CHECK(here.outcome.converged);
    for (std::size_t n = 0; n < expected.u.size(); ++n) CHECK(std::abs(here.u[n] - expected.u[n]) <= 1e-8);
  });
}

TEST_CASE("the product of rows compiles for two architectures in every precision and spills nothing",
          "[cuda][csr]") {
  for (const char* architecture : {"sm_80", "sm_90"}) {
    CudaOffline offline;
    for_each_csr_product(offline, [&](const CsrProduct& product, bool residual, const Config& config) {
      product_method.prepare(offline, product.args(residual), product_method.space.complete(config));
    });
    for_each_csr_dot(offline, [&](const CsrProduct& product, const Config& config) {
      CsrArgs args = product.args(false);
      args.dot = reinterpret_cast<double*>(product.y.data());  // never runs
      const Method<CsrArgs> dot = csr_dot_methods(BackendKind::cuda).front();
      dot.prepare(offline, args, dot.space.complete(config));
    });
    const std::vector<CompiledFunction> functions = offline.compile(architecture);
    // Threads of a row by precision, and compressed forms; streams of two lengths in eight forms.
    CHECK(functions.size() == 3 * 6 + 5 + 2 * 2 * 8);
    for (const CompiledFunction& f : functions) {
      INFO(f.expression);
      CHECK(f.report.registers > 0);
      CHECK(f.report.spill_bytes == 0);
    }
  }
}

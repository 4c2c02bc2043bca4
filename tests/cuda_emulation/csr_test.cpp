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
std::vector<double> product_on_cpu(Precision p, bool residual) {
  Backend& serial = backend(BackendKind::serial);
  const CsrProduct product(serial, p, uneven_matrix());
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
    const std::vector<CompiledFunction> functions = offline.compile(architecture);
    CHECK(functions.size() == 3 * 6);
    for (const CompiledFunction& f : functions) {
      INFO(f.expression);
      CHECK(f.report.registers > 0);
      CHECK(f.report.spill_bytes == 0);
    }
  }
}

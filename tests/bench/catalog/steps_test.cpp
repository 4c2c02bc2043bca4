// Methods whose run makes several steps: what they leave, what they cost, and with whom they share a problem.
#include "bench/catalog/kept_problem.hpp"
#include "bench/catalog/kernel_workload.hpp"
#include "bench/catalog/row_settings.hpp"
#include "generated/cell_kernels.hpp"
#include "tests/catch.hpp"
#include "tests/user_kernels/nine_point/repeated.hpp"

using namespace cfdmark;

namespace {

using JacobiArgs = CellArgs<Jacobi>;

// Of a method of Jacobi, which is told to be one of so many steps.
Verification verified(const Method<JacobiArgs>& method, const ProblemShape& shape, const Config& config) {
  const auto kernel = CellKernel<Jacobi>::kernel();
  const auto host = std::make_shared<const HostProblem>(kernel.problem(shape));
  Backend& on = backend(BackendKind::serial);
  const auto fields = std::make_shared<KernelFields>(on, shape.precision, host);
  return KernelWorkload<JacobiArgs>(kernel, method, on, shape, config, fields).verify();
}

const void* problem_of(const std::string& name, BackendKind kind, const std::string& method,
                       const Config& config, const Config& asked = {}) {
  for (const Row& row : catalog())
    if (row.name == name && row.kind == RowKind::kernel && row.backend == kind && row.method == method &&
        row.precision == Precision::fp64) {
      row.prepare(backend(kind), {9, 7}, row.space.complete(config), question_of(row, asked));
      return kept_problems().back().problem.get();
    }
  FAIL(name << " has no method " << method);
  return nullptr;
}

}  // namespace

TEST_CASE("a method that makes k sweeps is held to k plain ones, and fails with any other number",
          "[steps]") {
  const Method<JacobiArgs> method = repeated_method<Jacobi>();
  for (OperatorKind op : {OperatorKind::constant, OperatorKind::arrays})
    for (const Grid& g : {Grid{1, 1}, Grid{13, 9}, Grid{6, 5, 4}})
      for (int made : {1, 2, 3, 4})
        for (int told : {1, 2, 3, 4}) {
          INFO(made << " sweeps, told as " << told << " on " << grid_text(g));
          CHECK(verified(method, {Precision::fp64, g, op, told}, {{"sweeps", made}}).passed ==
                (made == told || g.cells() == 1));  // the sweep of one cell does not read it
        }
}

TEST_CASE("what is updated in place is updated again by the next step", "[steps]") {
  const auto kernel = CellKernel<GaussSeidel>::kernel();
  const Grid g{7, 5};
  const HostProblem twice = kernel.problem({Precision::fp64, g, OperatorKind::constant, 2});
  HostProblem by_hand = kernel.problem({Precision::fp64, g});
  HostField u = *by_hand.fields[0].expected;
  const auto plain = CellKernel<GaussSeidel>::methods(BackendKind::serial).front();
  plain
      .prepare(backend(BackendKind::serial),
               kernel.bind({Precision::fp64, g}, {u.view(), by_hand.fields[1].initial.view()}, nullptr), {})
      .run();
  double error = 0;
  CHECK(first_difference(u, *twice.fields[0].expected, error) == "");
}

TEST_CASE("a step of several in one run moves its share of one pass", "[steps]") {
  const Grid g{16, 8};
  const auto args = args_without_values<Jacobi>(Precision::fp64, g, true);
  const Cost one = cell_cost(args);
  const Cost share = declared_cost(repeated_method<Jacobi>(), cell_cost<Jacobi>, args, {{"sweeps", 4}});
  CHECK(share.bytes == one.bytes / 4);
  CHECK(share.flops == one.flops);
  CHECK(share.cells == one.cells);
  CHECK_FALSE(repeated_method<Jacobi>().is_of_one_step());
}

TEST_CASE("several steps of a kernel that does not read what it writes are refused", "[steps]") {
  const Method<CellArgs<Triad>> method{.name = "twice", .space = {}, .prepare = nullptr, .steps = "sweeps"};
  CHECK_THROWS_WITH(check_steps(CellKernel<Triad>::kernel(), {method}),
                    "twice cannot make several steps of triad: none reads what the one before left");
  CHECK_NOTHROW(check_steps(CellKernel<Jacobi>::kernel(), {repeated_method<Jacobi>()}));
}

TEST_CASE("configs that must leave the same share one problem, and other operators and steps do not",
          "[steps]") {
  const Config arrays{{"operator", "arrays"}};
  const void* first = problem_of("jacobi", BackendKind::openmp, "plain", {{"threads", 1}}, arrays);
  CHECK(problem_of("jacobi", BackendKind::openmp, "plain", {{"threads", 2}}, arrays) == first);
  CHECK(problem_of("jacobi", BackendKind::serial, "plain", {}, arrays) == first);
  const std::string key = kept_problems().back().key;
  problem_of("jacobi", BackendKind::serial, "plain", {});
  CHECK(kept_problems().back().key != key);
#if __has_include("nine_point/nine_point.hpp")
  const void* one = problem_of("nine_point", BackendKind::serial, "plain", {});
  CHECK(problem_of("nine_point", BackendKind::serial, "repeated", {{"sweeps", 1}}) == one);
  const std::string of_one = kept_problems().back().key;
  problem_of("nine_point", BackendKind::serial, "repeated", {{"sweeps", 2}});
  CHECK(kept_problems().back().key != of_one);
#endif
}

TEST_CASE("a launch of several sweeps moves everything once, whatever their number", "[steps]") {
  if constexpr (built_with_cuda) {
    const auto methods = CellKernel<RedBlackSor>::methods(BackendKind::cuda);
    for (const char* name : {"tiled", "pipelined"}) {
      const auto& method = find_method(methods, name);
      const auto bytes_a_cell = [&](bool constant, int depth, int sweeps) {
        const Grid g{64, 32};
        const auto args = args_without_values<RedBlackSor>(Precision::fp64, g, constant);
        const Config config = method.space.complete({{"depth", depth}, {"sweeps", sweeps}});
        return declared_cost(method, cell_cost<RedBlackSor>, args, config).bytes / double(g.cells());
      };
      CHECK(bytes_a_cell(true, 4, 16) == 4 * 3 * 8 / 16.0);   // u and b read, u written; four launches
      CHECK(bytes_a_cell(false, 4, 16) == 4 * 8 * 8 / 16.0);  // five arrays more
      CHECK(bytes_a_cell(true, 4, 9) == 4 * 3 * 8 / 9.0);     // there and back, twice
      CHECK(bytes_a_cell(true, 1, 1) == 2 * 3 * 8);           // once there, and back
    }
  }
}

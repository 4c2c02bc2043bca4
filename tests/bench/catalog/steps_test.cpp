// Methods with several steps per run: results, cost and shared problems.
#include "bench/case/row_settings.hpp"
#include "bench/catalog/catalog.hpp"
#include "bench/catalog/kept_problem.hpp"
#include "bench/catalog/kernel_list.hpp"
#include "bench/catalog/kernel_workload.hpp"
#include "generated/cell_kernels.hpp"
#include "tests/catch.hpp"
#include "tests/user_kernels/nine_point/repeated.hpp"

using namespace cfdmark;

namespace {

using JacobiArgs = CellArgs<Jacobi>;

// Verifies a method of Jacobi as one of `shape.steps` steps.
Verification verified(const Method<JacobiArgs>& method, const ProblemShape& shape, const Config& config) {
  const auto kernel = CellKernel<Jacobi>::kernel();
  const auto problem = std::make_shared<const KernelProblem>(problem_of(kernel, shape));
  Backend& on = backend(BackendKind::serial);
  const auto fields = std::make_shared<KernelFields>(on, shape.precision, problem);
  return KernelWorkload<JacobiArgs>(kernel, method, on, shape, config, fields).verify();
}

// Returns the key of the problem that a case prepares.
std::string problem_key(const std::string& name, BackendKind kind, const std::string& method,
                        const Config& config, const Config& asked = {}, Precision p = Precision::fp64) {
  for (const Row& row : catalog())
    if (row.name == name && row.kind == RowKind::kernel && row.backend == kind && row.method == method &&
        row.precision == p) {
      row.prepare(backend(kind), Grid{9, 7}, row.space.complete(config), workload_of(row, asked));
      return kept_problem().key;
    }
  FAIL(name << " has no method " << method);
  return "";
}

}  // namespace

TEST_CASE(
    "a method with k steps per run passes verification against k plain steps, and against no other number",
    "[steps]") {
  const Method<JacobiArgs> method = repeated_method<Jacobi>();
  for (OperatorKind op : {OperatorKind::constant, OperatorKind::arrays})
    for (const Grid& g : {Grid{1, 1}, Grid{13, 9}, Grid{6, 5, 4}})
      for (int made : {1, 2, 3, 4})
        for (int told : {1, 2, 3, 4}) {
          INFO(made << " sweeps, verified as " << told << " on " << grid_text(g));
          CHECK(verified(method, {Precision::fp64, g, op, told}, {{"sweeps", made}}).passed ==
                (made == told || g.cells() == 1));  // an iteration on one cell does not read it
        }
}

TEST_CASE("an in-place update is repeated by the next step", "[steps]") {
  const auto kernel = CellKernel<GaussSeidel>::kernel();
  const Grid g{7, 5};
  const HostProblem start = kernel.start({Precision::fp64, g});
  const Expected twice = kernel.expected(start, {Precision::fp64, g, OperatorKind::constant, 2});
  HostField u = kernel.expected(start, {Precision::fp64, g}).fields.at(0);
  const auto plain = CellKernel<GaussSeidel>::methods(BackendKind::serial).front();
  plain
      .prepare(backend(BackendKind::serial),
               kernel.bind({Precision::fp64, g}, {u.view(), start.fields[1].initial.view()}, nullptr), {})
      .run();
  double error = 0;
  CHECK(first_difference(u, twice.fields.at(0), error) == "");
}

TEST_CASE("the cost of a step is its share of the run's one pass", "[steps]") {
  const Grid g{16, 8};
  const auto args = args_without_values<Jacobi>(Precision::fp64, g, true);
  const Cost one = cell_cost(args);
  const Cost share = declared_cost(repeated_method<Jacobi>(), cell_cost<Jacobi>, args, {{"sweeps", 4}});
  CHECK(share.bytes == one.bytes / 4);
  CHECK(share.flops == one.flops);
  CHECK(share.cells == one.cells);
  CHECK_FALSE(repeated_method<Jacobi>().is_of_one_step());
}

TEST_CASE("several steps of a kernel that does not read its output are an error", "[steps]") {
  const Method<CellArgs<Triad>> method{.name = "twice", .space = {}, .prepare = nullptr, .steps = "sweeps"};
  CHECK_THROWS_AS(check_steps(CellKernel<Triad>::kernel(), {method}), std::logic_error);
  CHECK_THROWS_WITH(check_steps(CellKernel<Triad>::kernel(), {method}),
                    ContainsSubstring("twice") && ContainsSubstring("triad"));
  CHECK_NOTHROW(check_steps(CellKernel<Jacobi>::kernel(), {repeated_method<Jacobi>()}));
}

TEST_CASE("backends, configs, numbers of steps and precisions with equal storage share one problem",
          "[steps]") {
  const Config arrays{{"operator", "arrays"}};
  const std::string of_arrays = problem_key("jacobi", BackendKind::openmp, "plain", {{"threads", 1}}, arrays);
  CHECK(problem_key("jacobi", BackendKind::openmp, "plain", {{"threads", 2}}, arrays) == of_arrays);
  CHECK(problem_key("jacobi", BackendKind::serial, "plain", {}, arrays) == of_arrays);
  const std::string in_64_bits = problem_key("jacobi", BackendKind::serial, "plain", {});
  CHECK(in_64_bits != of_arrays);
  CHECK(problem_key("jacobi", BackendKind::serial, "wavefront", {}) == in_64_bits);
  const auto in_32_bits = [](Precision p) {
    return problem_key("jacobi", BackendKind::serial, "plain", {}, {}, p);
  };
  CHECK(in_32_bits(Precision::fp32) != in_64_bits);
  CHECK(in_32_bits(Precision::mixed) == in_32_bits(Precision::fp32));
}

TEST_CASE("the initial fields depend on the stored precision, not on the computing one", "[steps]") {
  int fields = 0;
  for_each_kernel([&](const auto& kernel) {
    INFO(kernel.name);
    for (OperatorKind op : {OperatorKind::constant, OperatorKind::arrays}) {
      const Grid g = kernel.in_2d ? Grid{9, 7} : Grid{5, 4, 3};
      const HostProblem in_32_bits = kernel.start({Precision::fp32, g, op}),
                        mixed = kernel.start({Precision::mixed, g, op});
      REQUIRE(in_32_bits.fields.size() == mixed.fields.size());
      double error = 0;
      for (std::size_t n = 0; n < mixed.fields.size(); ++n, ++fields)
        CHECK(first_difference(mixed.fields[n].initial, in_32_bits.fields[n].initial, error) == "");
    }
  });
  CHECK(fields > 0);
}

TEST_CASE("expected results are computed on first use per precision and number of steps, and four are kept",
          "[steps]") {
  const auto kernel = CellKernel<Jacobi>::kernel();
  const Grid g{9, 7};
  int made = 0;
  const KernelProblem problem(kernel.start({Precision::fp32, g}),
                              [&](const HostProblem& start, const ProblemShape& shape) {
                                ++made;
                                return kernel.expected(start, shape);
                              });
  CHECK(made == 0);
  const auto expected = [&](int steps, Precision p = Precision::fp32) {
    return problem.expected({p, g, OperatorKind::constant, steps});
  };
  const std::weak_ptr<const Expected> one = expected(1), two = expected(2);
  CHECK(made == 2);
  CHECK(expected(1) == one.lock());
  CHECK(expected(1, Precision::mixed) != one.lock());
  CHECK(made == 3);
  expected(3), expected(4);
  CHECK(made == 5);
  CHECK(two.expired());  // requested before the second request for the first
  CHECK_FALSE(one.expired());
}

TEST_CASE("a launch with several steps moves every field once, whatever their number", "[steps]") {
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
      CHECK(bytes_a_cell(true, 4, 9) == 4 * 3 * 8 / 9.0);     // to the copy and back, twice
      CHECK(bytes_a_cell(true, 1, 1) == 2 * 3 * 8);           // to the copy and back, once
    }
  }
}

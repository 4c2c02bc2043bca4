// Iterations that also compute the residual norm: compared with the separate kernel, and by hand.
#include "bench/catalog/kernel_workload.hpp"
#include "kernels/jacobi/jacobi_methods.hpp"
#include "kernels/red_black_sor/red_black_methods.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

Methods<SweepsAndResidual<Jacobi>> with_residual(const Jacobi&, BackendKind kind) {
  return jacobi_with_residual(kind);
}
Methods<SweepsAndResidual<RedBlackSor>> with_residual(const RedBlackSor&, BackendKind kind) {
  return red_black_with_residual(kind);
}
const AnyView& left(const CellArgs<Jacobi>& args) { return args.fields.out; }
const AnyView& left(const CellArgs<RedBlackSor>& args) { return args.fields.u; }

// A kernel's problem with fields in host memory. All have the ghosts of the first field, u.
template <class K>
struct Posed {
  std::vector<HostField> fields;
  CellArgs<K> args;

  explicit Posed(const ProblemShape& shape) {
    const auto kernel = CellKernel<K>::kernel();
    const HostProblem problem = kernel.start(shape);
    std::vector<AnyView> views;
    for (const auto& entry : problem.fields) fields.push_back(entry.initial);
    for (HostField& field : fields) {
      views.push_back(field.view());
      for_each_cell(shape.grid, true, [&](int i, int j, int k) {
        const Grid& g = shape.grid;
        const bool inside = i >= 0 && i < g.nx && j >= 0 && j < g.ny && k >= 0 && k < g.nz;
        if (!inside) field.set(i, j, k, fields[0].get(i, j, k));
      });
    }
    args = kernel.bind(shape, views, nullptr);
  }
};

// Returns ResidualSquare of the field after the iterations.
template <class K>
double square_of(BackendKind kind, const CellArgs<K>& args) {
  double square = -1;
  const auto plain = CellKernel<ResidualSquare>::methods(kind).front();
  plain
      .prepare(backend(kind),
               {.precision = args.precision,
                .fields = {.a = args.fields.a, .u = left(args), .b = args.fields.b},
                .result = &square},
               plain.space.defaults())
      .run();
  return square;
}

struct Asked {
  Grid grid;
  OperatorKind op = OperatorKind::constant;
  Precision precision = Precision::fp64;
  int sweeps, depth, threads;
};

template <class K>
void check(const Asked& asked) {
  INFO(CellKernel<K>::kernel().name << " " << to_string(asked.precision) << " " << grid_text(asked.grid)
                                    << ", " << asked.sweeps << " sweeps, depth " << asked.depth << ", "
                                    << asked.threads << " threads");
  const ProblemShape shape{asked.precision, asked.grid, asked.op};
  for (const BackendKind kind : {BackendKind::serial, BackendKind::openmp}) {
    Config config{{"depth", asked.depth}, {"sweeps", asked.sweeps}};
    if (kind == BackendKind::openmp) config.set("threads", asked.threads);
    const Posed<K> alone(shape), both(shape);
    const auto methods = CellKernel<K>::methods(kind);
    find_method(methods, "wavefront").prepare(backend(kind), alone.args, config).run();

    double square = -1;
    const auto judged = with_residual(K{}, kind);
    const Step step = find_method(judged, "wavefront").prepare(backend(kind), {both.args, &square}, config);
    step.run();
    double error = 0;
    for (std::size_t n = 0; n < both.fields.size(); ++n)
      CHECK(first_difference(both.fields[n], alone.fields[n], error) == "");
    CHECK(square == square_of(kind, both.args));
    CHECK(square > 0);
  }
}

}  // namespace

TEMPLATE_TEST_CASE(
    "a wavefront gives the residual's square bit for bit, for any depth, number of threads and grid",
    "[kernels]", RedBlackSor, Jacobi) {
  for (const Grid& g : {Grid{3, 3}, Grid{2, 40}, Grid{33, 17}, Grid{20, 131}, Grid{7, 5, 41}})
    for (const int sweeps : {1, 2, 5, 16})
      for (const int depth : {1, 3, 8})
        for (const int threads : {1, 2, 5})
          check<TestType>({g, OperatorKind::constant, Precision::fp64, sweeps, depth, threads});
}

TEMPLATE_TEST_CASE("the same holds for an operator in arrays, in fp32 and in mixed precision", "[kernels]",
                   RedBlackSor, Jacobi) {
  for (const Precision p : all_precisions)
    for (const OperatorKind op : {OperatorKind::constant, OperatorKind::arrays})
      for (const Grid& g : {Grid{29, 67}, Grid{9, 8, 30}}) check<TestType>({g, op, p, 7, 4, 2});
}

// Two points with 3 to the west and 5 to the east, 7 and 11 south, 13 and 17 north, starting from 0 and 0,
// after two iterations:
//   Jacobi      125/16 and 155/16, with residuals 3 + 155/16 + 7 + 13 - 4 125/16 = 23/16 and
//               125/16 + 5 + 11 + 17 - 4 155/16 = 33/16
//   red-black   with omega = 1: 523/64 and 2635/256; 3 + 2635/256 + 7 + 13 - 4 523/64 = 155/256, and 0 at the
//               black point, which was relaxed last
TEST_CASE("the residual's square after two iterations of two points matches the hand calculation",
          "[kernels]") {
  const Grid g{2, 1};
  HostField start(g, Precision::fp64);
  start.set(-1, 0, 0, 3), start.set(2, 0, 0, 5);
  start.set(0, -1, 0, 7), start.set(1, -1, 0, 11), start.set(0, 1, 0, 13), start.set(1, 1, 0, 17);
  const HostField b(g, Precision::fp64);
  for (const BackendKind kind : {BackendKind::serial, BackendKind::openmp}) {
    HostField u = start, out = start;
    double square = -1;
    const auto jacobi = jacobi_with_residual(kind).front();
    Config config = jacobi.space.defaults();
    config.set("sweeps", 2);
    jacobi
        .prepare(backend(kind),
                 {{.fields = {.a = {}, .u = u.view(), .b = b.view(), .out = out.view()}}, &square}, config)
        .run();
    CHECK(out.get(0, 0) == 125 / 16.);
    CHECK(square == (23 * 23 + 33 * 33) / 256.);
    const auto red_black = red_black_with_residual(kind).front();
    red_black
        .prepare(backend(kind),
                 {{.kernel = {.omega = 1}, .fields = {.a = {}, .u = u.view(), .b = b.view()}}, &square},
                 config)
        .run();
    CHECK(u.get(1, 0) == 2635 / 256.);
    CHECK(square == 155 * 155 / 65536.);
  }
}

// 8 values per cell, 16 iterations of depth 8 in two passes: the residual starts a third, which reads u and
// b. With 15 Jacobi iterations it fits into the second.
TEST_CASE("a residual moves nothing if it fits into the last pass, else the reads of a pass", "[kernels]") {
  const Grid g{64, 64};
  const auto bytes = [&](const auto& methods, const auto& args, int sweeps) {
    double square = 0;
    Config config = methods.front().space.defaults();
    config.set("sweeps", sweeps);
    return methods.front().config_cost({args, &square}, config).bytes * sweeps / double(g.cells());
  };
  const auto jacobi = args_without_values<Jacobi>(Precision::fp64, g, true);
  CHECK(bytes(jacobi_with_residual(BackendKind::serial), jacobi, 15) == 2 * 4 * 8);
  CHECK(bytes(jacobi_with_residual(BackendKind::serial), jacobi, 16) == 2 * 4 * 8 + 2 * 8);
  const auto red_black = args_without_values<RedBlackSor>(Precision::fp64, g, true);
  CHECK(bytes(red_black_with_residual(BackendKind::serial), red_black, 15) == 2 * 3 * 8);
  CHECK(bytes(red_black_with_residual(BackendKind::serial), red_black, 16) == 2 * 3 * 8 + 2 * 8);
}

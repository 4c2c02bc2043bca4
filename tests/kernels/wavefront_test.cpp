// Several red-black iterations in one pass over memory give the result of as many plain ones.
#include "bench/catalog/kernel_list.hpp"
#include "bench/catalog/kernel_workload.hpp"
#include "kernels/jacobi/jacobi.hpp"
#include "kernels/red_black_sor/red_black_sor.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

struct Asked {
  Grid grid;
  OperatorKind op = OperatorKind::constant;
  Precision precision = Precision::fp64;
};

// Returns the result of one run with `sweeps` iterations; the ghosts of u are set.
template <class K>
HostField left_by(BackendKind kind, const Asked& asked, const Config& config) {
  const auto kernel = CellKernel<K>::kernel();
  const ProblemShape shape{asked.precision, asked.grid, asked.op};
  const HostProblem problem = kernel.start(shape);
  std::vector<HostField> fields;
  std::vector<AnyView> views;
  std::size_t result = 0;
  for (const auto& entry : problem.fields) {
    if (entry.is_written) result = fields.size();
    fields.push_back(entry.initial);
  }
  for (HostField& field : fields) views.push_back(field.view());
  const auto methods = kernel.methods(kind);
  find_method(methods, "wavefront").prepare(backend(kind), kernel.bind(shape, views, nullptr), config).run();
  return fields[result];
}

// Returns the expected result: plain loops with the same body.
template <class K>
HostField expected(const Asked& asked, int sweeps) {
  const auto kernel = CellKernel<K>::kernel();
  const ProblemShape shape{asked.precision, asked.grid, asked.op, sweeps};
  return kernel.expected(kernel.start(shape), shape).fields.at(0);
}

template <class K>
void check(const Asked& asked, int sweeps, int depth, int threads) {
  INFO(CellKernel<K>::kernel().name << " " << asked.grid.nx << " x " << asked.grid.ny << " x "
                                    << asked.grid.nz << ", " << sweeps << " sweeps, depth " << depth << ", "
                                    << threads << " threads");
  const HostField wanted = expected<K>(asked, sweeps);
  Config config{{"depth", depth}, {"sweeps", sweeps}};
  double error = 0;
  CHECK(first_difference(left_by<K>(BackendKind::serial, asked, config), wanted, error) == "");
  config.set("threads", threads);
  CHECK(first_difference(left_by<K>(BackendKind::openmp, asked, config), wanted, error) == "");
}

}  // namespace

TEMPLATE_TEST_CASE("a wavefront gives the bits of plain iterations for any depth, number of threads and grid",
                   "[kernels]", RedBlackSor, Jacobi) {
  for (const Grid& g :
       {Grid{3, 3}, Grid{1, 40}, Grid{33, 17}, Grid{20, 131}, Grid{61, 30, 1, 2, 1, 1}, Grid{7, 5, 41}})
    for (const int sweeps : {1, 2, 5, 16})
      for (const int depth : {1, 2, 3, 8})
        for (const int threads : {1, 2, 3, 5}) check<TestType>({g}, sweeps, depth, threads);
}

TEMPLATE_TEST_CASE(
    "a wavefront with an operator in arrays gives the bits of plain iterations in fp32 and mixed precision",
    "[kernels]", RedBlackSor, Jacobi) {
  for (const Precision p : all_precisions)
    for (const OperatorKind op : {OperatorKind::constant, OperatorKind::arrays})
      check<TestType>({{29, 67}, op, p}, 7, 4, 2), check<TestType>({{9, 8, 30}, op, p}, 7, 2, 2);
}

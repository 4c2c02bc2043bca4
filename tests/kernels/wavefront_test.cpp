// Several red-black sweeps in one pass over memory leave what as many plain ones do.
#include "bench/catalog/kernel_list.hpp"
#include "bench/catalog/kernel_workload.hpp"
#include "kernels/red_black_sor/red_black_sor.hpp"
#include "tests/catch.hpp"

using namespace cfdmark;

namespace {

struct Asked {
  Grid grid;
  OperatorKind op = OperatorKind::constant;
  Precision precision = Precision::fp64;
};

HostField left_by(BackendKind kind, const char* method, const Asked& asked, const Config& config, int times) {
  const auto kernel = CellKernel<RedBlackSor>::kernel();
  const HostProblem problem = kernel.problem({asked.precision, asked.grid, asked.op});
  std::vector<HostField> fields;
  std::vector<AnyView> views;
  for (const auto& entry : problem.fields) fields.push_back(entry.initial);
  for (HostField& field : fields) views.push_back(field.view());
  const auto methods = kernel.methods(kind);
  const CellArgs<RedBlackSor> args = kernel.bind({asked.precision, asked.grid, asked.op}, views, nullptr);
  const Step step = find_method(methods, method).prepare(backend(kind), args, config);
  for (int n = 0; n < times; ++n) step.run();
  return fields[0];
}

void check(const Asked& asked, int sweeps, int depth, int threads) {
  INFO(asked.grid.nx << " x " << asked.grid.ny << " x " << asked.grid.nz << ", " << sweeps
                     << " sweeps, depth " << depth << ", " << threads << " threads");
  const HostField expected = left_by(BackendKind::serial, "plain", asked, {}, sweeps);
  const Config several{{"depth", depth}, {"sweeps", sweeps}};
  double error = 0;
  CHECK(first_difference(left_by(BackendKind::serial, "wavefront", asked, several, 1), expected, error) ==
        "");
  Config of_threads = several;
  of_threads.set("threads", threads);
  CHECK(first_difference(left_by(BackendKind::openmp, "wavefront", asked, of_threads, 1), expected, error) ==
        "");
}

}  // namespace

TEST_CASE("a wavefront leaves the plain sweeps' bits, whatever its depth, its threads and the grid",
          "[kernels]") {
  for (const Grid& g :
       {Grid{3, 3}, Grid{1, 40}, Grid{33, 17}, Grid{20, 131}, Grid{61, 30, 1, 2, 1, 1}, Grid{7, 5, 41}})
    for (const int sweeps : {1, 2, 5, 16})
      for (const int depth : {1, 2, 3, 8})
        for (const int threads : {1, 2, 3, 5}) check({g}, sweeps, depth, threads);
}

TEST_CASE(
    "a wavefront of an operator in arrays, in 32 bits and mixed precision, leaves the plain sweeps' bits",
    "[kernels]") {
  for (const Precision p : all_precisions)
    for (const OperatorKind op : {OperatorKind::constant, OperatorKind::arrays})
      check({{29, 67}, op, p}, 7, 4, 2), check({{9, 8, 30}, op, p}, 7, 2, 2);
}

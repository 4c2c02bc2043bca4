// Methods of several iterations on an emulated device; the cases are shared by generator and test.
#pragma once

#include "kernels/jacobi/jacobi_methods.hpp"
#include "kernels/red_black_sor/red_black_methods.hpp"
#include "kernels/residual/residual.hpp"

namespace cfdmark {

// One way to perform some iterations.
struct SweepsCase {
  Precision precision;
  Grid grid;
  Config config;
  OperatorKind op = OperatorKind::constant;
};

// Grids of one strip and of several, where the last ends anywhere in a lane, with iterations that fill a
// pipeline, that do not, and that take several launches.
inline std::vector<SweepsCase> pipeline_cases(const TuningSpace& space) {
  std::vector<SweepsCase> cases;
  const auto add = [&](Precision p, const Grid& g, int packs, int a_warp, int warps, int sweeps) {
    cases.push_back(
        {p, g,
         space.complete(
             {{"packs", packs}, {"sweeps_a_warp", a_warp}, {"warps", warps}, {"sweeps", sweeps}})});
  };
  for (const Grid& g : {Grid{3, 3}, Grid{33, 17}, Grid{5, 103}, Grid{103, 5}})
    for (const int sweeps : {1, 4, 5, 7, 14}) add(Precision::fp64, g, 2, 2, 2, sweeps);
  for (const Grid& g : {Grid{2, 1}, Grid{1, 40}, Grid{260, 9}, Grid{367, 6}})
    add(Precision::fp64, g, 2, 1, 3, 3), add(Precision::fp32, g, 3, 3, 2, 13);
  for (const int packs : {2, 3, 4, 6}) add(Precision::fp64, {131, 23}, packs, 2, 3, 12);
  add(Precision::mixed, {131, 23}, 2, 2, 3, 6);
  cases.push_back({Precision::fp64, {2, 1}, space.complete({{"sweeps", 2}})});
  return cases;
}

// Grids of one tile and of several, at most eight, with iterations that never, once or often need an exchange
// of edges.
inline std::vector<SweepsCase> persistent_cases(const TuningSpace& space) {
  std::vector<SweepsCase> cases;
  const auto add = [&](Precision p, const Grid& g, int cells, int depth, int sweeps) {
    cases.push_back(
        {p, g,
         space.complete(
             {{"cells", cells}, {"rows", 4}, {"warps", 8}, {"depth", depth}, {"sweeps", sweeps}})});
  };
  for (const Grid& g : {Grid{2, 1}, Grid{3, 3}, Grid{33, 17}, Grid{103, 5}}) add(Precision::fp64, g, 2, 2, 2);
  for (const int sweeps : {1, 2, 5, 9}) add(Precision::fp64, {131, 53}, 2, 2, sweeps);
  for (const int sweeps : {3, 10}) add(Precision::fp64, {231, 40}, 4, 3, sweeps);
  add(Precision::fp32, {17, 103}, 4, 2, 6), add(Precision::mixed, {17, 103}, 4, 2, 6);
  add(Precision::fp64, {400, 400}, 2, 2, 1);
  return cases;
}

// The same with coefficient arrays.
inline std::vector<SweepsCase> persistent_arrays_cases(const TuningSpace& space) {
  std::vector<SweepsCase> cases;
  const auto add = [&](Precision p, const Grid& g, int cells, int rows, int sweeps) {
    cases.push_back(
        {p, g,
         space.complete({{"cells", cells}, {"rows", rows}, {"warps", 8}, {"depth", 2}, {"sweeps", sweeps}}),
         OperatorKind::arrays});
  };
  for (const Grid& g : {Grid{2, 1}, Grid{3, 3}, Grid{33, 17}, Grid{103, 5}}) add(Precision::fp64, g, 2, 4, 2);
  for (const int sweeps : {1, 2, 5, 9}) add(Precision::fp64, {131, 53}, 2, 4, sweeps);
  for (const int sweeps : {3, 10}) add(Precision::fp64, {231, 17}, 4, 2, sweeps);
  for (const Precision p : {Precision::fp32, Precision::mixed}) add(p, {17, 103}, 2, 4, 6);
  return cases;
}

// Grids of one strip and of several, of one part and of several, with iterations that fill a launch and that
// do not.
inline std::vector<SweepsCase> wavefront_cases(const TuningSpace& space) {
  std::vector<SweepsCase> cases;
  const auto add = [&](Precision p, const Grid& g, int pairs, int depth, int sweeps) {
    cases.push_back({p, g, space.complete({{"pairs", pairs}, {"depth", depth}, {"sweeps", sweeps}}),
                     OperatorKind::arrays});
  };
  for (const Grid& g : {Grid{2, 1}, Grid{3, 3}, Grid{33, 17}, Grid{5, 103}, Grid{103, 5}})
    for (const int sweeps : {1, 4, 7}) add(Precision::fp64, g, 32, 2, sweeps);
  for (const Grid& g : {Grid{1, 40}, Grid{129, 23}, Grid{200, 31}})
    for (const int depth : {3, 4})
      add(Precision::fp64, g, 32, depth, 2 * depth), add(Precision::fp32, g, 64, depth, 5);
  add(Precision::fp64, {260, 9}, 96, 3, 6), add(Precision::fp64, {189, 9}, 64, 3, 6);
  add(Precision::mixed, {131, 23}, 32, 3, 6);
  // A part of a grid that begins with the other colour.
  Grid slab = {131, 41};
  slab.parity = 1;
  for (const int sweeps : {1, 6, 8}) add(Precision::fp64, slab, 32, 3, sweeps);
  return cases;
}

// Calls f(K{}, method of SweepsAndResidual<K>, shape, config) for `pipelined` iterations: strips next to and
// below each other; iterations that leave room for the residual in the last launch, and that need one more
// launch for it.
template <class F>
void for_each_residual_case(const F& f) {
  const auto red_black = red_black_with_residual(BackendKind::cuda).at(0);
  const auto of_red_black = [&](Precision p, OperatorKind op, int cells) {
    for (const Grid& g : {Grid{1, 1}, Grid{7, 5}, Grid{131, 38}})
      for (const int sweeps : {1, 16})
        f(RedBlackSor{}, red_black, ProblemShape{p, g, op},
          red_black.space.complete({{"cells", cells}, {"row_blocks", 3}, {"sweeps", sweeps}}));
  };
  for (const int cells : {2, 4}) of_red_black(Precision::fp64, OperatorKind::constant, cells);
  of_red_black(Precision::fp64, OperatorKind::arrays, 2);
  for (const Precision p : {Precision::fp32, Precision::mixed}) of_red_black(p, OperatorKind::constant, 2);
  const auto jacobi = jacobi_with_residual(BackendKind::cuda).at(0);
  const auto of_jacobi = [&](Precision p, const Grid& g, int sweeps) {
    f(Jacobi{}, jacobi, ProblemShape{p, g, OperatorKind::constant},
      jacobi.space.complete({{"packs", 2}, {"sweeps_a_warp", 2}, {"warps", 3}, {"sweeps", sweeps}}));
  };
  for (const int sweeps : {1, 2, 5, 6, 12}) of_jacobi(Precision::fp64, {131, 23}, sweeps);
  for (const Grid& g : {Grid{1, 1}, Grid{3, 40}, Grid{40, 3}}) of_jacobi(Precision::fp64, g, 5);
  for (const Precision p : {Precision::fp32, Precision::mixed}) of_jacobi(p, {131, 23}, 5);
  Config two_sweeps = jacobi.space.defaults();
  two_sweeps.set("sweeps", 2);
  f(Jacobi{}, jacobi, ProblemShape{Precision::fp64, {2, 1}}, two_sweeps);
}

// Calls f(K{}, name of the method, its cases) for all methods of several iterations.
template <class F>
void for_each_method_of_sweeps(const F& f) {
  const auto of = [&](auto k, const char* name, auto cases_of) {
    const auto methods = CellKernel<decltype(k)>::methods(BackendKind::cuda);
    f(k, name, cases_of(find_method(methods, name).space));
  };
  of(Jacobi{}, "pipelined", pipeline_cases);
  of(JacobiLaplace{}, "pipelined", pipeline_cases);
  of(RedBlackSor{}, "staged", pipeline_cases);
  of(RedBlackLaplace{}, "staged", pipeline_cases);
  of(Jacobi{}, "persistent", persistent_cases);
  of(JacobiLaplace{}, "persistent", persistent_cases);
  of(RedBlackSor{}, "persistent", persistent_cases);
  of(RedBlackLaplace{}, "persistent", persistent_cases);
  of(RedBlackSor{}, "persistent_arrays", persistent_arrays_cases);
  of(RedBlackSor{}, "wavefront", wavefront_cases);
}

}  // namespace cfdmark

// Methods of several sweeps on an emulated device: the generator knows the same cases as the test.
#pragma once

#include "kernels/jacobi/jacobi_methods.hpp"
#include "kernels/red_black_sor/red_black_methods.hpp"

namespace cfdmark {

// One way to do some sweeps.
struct SweepsCase {
  Precision precision;
  Grid grid;
  Config config;
};

// Grids of one strip and of several, of which the last ends anywhere in a lane, with sweeps that fill a
// pipeline, that do not, and that take several launches.
inline std::vector<SweepsCase> pipelined_jacobi_cases(const TuningSpace& space) {
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
  add(Precision::fp64, {2, 1}, 4, 2, 8, 2);
  return cases;
}

// Grids of one tile and of several, eight at most, with sweeps after which tiles exchange their edges never,
// once and often.
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

// Calls f(K{}, name of the method, its cases) for all of them.
template <class F>
void for_each_method_of_sweeps(const F& f) {
  const auto of = [&](auto k, const char* name, auto cases_of) {
    const auto methods = CellKernel<decltype(k)>::methods(BackendKind::cuda);
    f(k, name, cases_of(find_method(methods, name).space));
  };
  of(Jacobi{}, "pipelined", pipelined_jacobi_cases);
  of(JacobiLaplace{}, "pipelined", pipelined_jacobi_cases);
  of(Jacobi{}, "persistent", persistent_cases);
  of(JacobiLaplace{}, "persistent", persistent_cases);
  of(RedBlackSor{}, "persistent", persistent_cases);
  of(RedBlackLaplace{}, "persistent", persistent_cases);
}

}  // namespace cfdmark

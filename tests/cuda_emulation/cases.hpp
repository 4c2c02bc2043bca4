// Cases in which every CUDA method runs on the emulated device.
#pragma once

#include "bench/catalog/kernel_list.hpp"
#include "bench/catalog/kernel_workload.hpp"
#include "kernels/cells/operator_problem.hpp"
#include "kernels/device/cuda/plan/cuda_plan.hpp"
#include "solvers/linear/table.hpp"

namespace cfdmark {

// Prepares a case; returns null if the method does not support it.
template <class Args>
std::unique_ptr<Workload> prepare_case(const KernelDescription<Args>& kernel, const Method<Args>& method,
                                       CudaBackend& backend, const ProblemShape& shape,
                                       const std::shared_ptr<const KernelProblem>& problem,
                                       const Config& config) {
  if (!method.why_unsupported(kernel.bind(shape, views_of(problem->start()), nullptr)).empty())
    return nullptr;
  return std::make_unique<KernelWorkload<Args>>(
      kernel, method, backend, shape, config,
      std::make_shared<KernelFields>(backend, shape.precision, problem));
}

// Calls f(kernel, method, shape, problem, config) for each kernel, method, precision, operator and suitable
// grid. In fp64 with each config of configs_of(space); in the other precisions, which differ in types only,
// with the default config.
template <class Configs, class F>
void for_each_cuda_case(const std::vector<Grid>& grids, const Configs& configs_of, const F& f) {
  for_each_kernel([&](const auto& kernel) {
    std::vector<OperatorKind> operators = {OperatorKind::constant};
    if (kernel.has_operator) operators.push_back(OperatorKind::arrays);
    for (Precision p : all_precisions)
      for (OperatorKind op : operators)
        for (const Grid& g : grids) {
          if (!(g.is_3d() ? kernel.in_3d : kernel.in_2d)) continue;
          const auto problem = std::make_shared<const KernelProblem>(problem_of(kernel, {p, g, op}));
          for (const auto& method : kernel.methods(BackendKind::cuda))
            if (method.device_code)
              for (const Config& config : configs_of(method.space)) {
                if (p != Precision::fp64 && config != method.space.defaults()) continue;
                const ProblemShape shape{p, g, op, method.steps_of(config)};
                f(kernel, method, shape, problem, config);
              }
        }
  });
}

// Calls f(method, args, config) for each CUDA method with several red-black iterations per step, with numbers
// of iterations that are distributed over launches in different ways. `u` and `b` are boxes that start with a
// black cell; the operator is constant or edged.
template <class F>
void for_each_sharing_of_sweeps(const AnyView& u, const AnyView& b, const F& f) {
  const auto kernel = CellKernel<RedBlackSor>::kernel();
  const auto part = [](const AnyView& whole) {
    const Grid& g = whole.grid;
    return g.is_3d() ? whole.box(4, 3, 2, g.nx - 14, g.ny - 8, g.nz - 3)
                     : whole.box(4, 3, 0, g.nx - 14, g.ny - 8);
  };
  auto args = kernel.bind({Precision::fp64, part(u).grid}, {part(u), part(b)}, nullptr);
  for (const double to_boundary : {1.0, 0.25}) {
    args.fields.a.to_boundary[0] = args.fields.a.to_boundary[1] = to_boundary;
    for (const auto& method : kernel.methods(BackendKind::cuda)) {
      if (!method.steps || !method.why_unsupported(args).empty()) continue;
      std::vector<Config> ways = {method.space.defaults()};
      if (ways.front().has("plane_blocks"))
        ways.push_back(method.space.complete({{"rows", 24}, {"depth", 2}, {"min_blocks_per_sm", 1}}));
      for (Config& config : ways)
        for (int sweeps : {1, 2, 7, 8, 9}) {
          config.set(method.steps, sweeps);
          f(method, args, config);
        }
    }
  }
}
inline const std::vector<Grid> grids_of_shared_sweeps = {{75, 38}, {75, 20, 11}};

// Calls f(solver, method, precision, problem) for each CUDA solver and method with device code of ours, on a
// 2-D and a 3-D grid, with a constant operator and with coefficient arrays. Mixed precision is skipped
// between periodic sides: it is refinement around fp32 and has nothing of its own there.
template <class F>
void for_each_cuda_solver(const F& f) {
  for (const auto& [name, grid] : {std::pair{"manufactured", Grid{9, 6}},
                                   {"jump", {10, 7}},
                                   {"manufactured", {5, 4, 3}},
                                   {"jump", {4, 5, 3}},
                                   {"insulated", {10, 7}},
                                   {"insulated", {4, 5, 3}},
                                   {"periodic_box", {10, 8}},
                                   {"periodic_box", {4, 6, 4}},
                                   {"periodic_channel", {10, 7}},
                                   {"periodic_channel", {4, 5, 4}},
                                   {"graded_channel", {10, 7}},
                                   {"graded_channel", {4, 3, 4}}}) {
    const auto problem = std::make_shared<const LinearProblem>(make_problem(name, grid));
    const Sides sides = sides_of(*problem->description);
    for (const SolverDescription& solver : solver_table())
      for (const SolverMethod& method : solver.methods(BackendKind::cuda))
        for (Precision p : all_precisions) {
          const SystemShape shape{grid, problem->coefficients.empty(), p, sides};
          const bool says_nothing_new = p == Precision::mixed && sides.are_periodic();
          if (!method.library && !says_nothing_new && refusal(solver, *problem->description).empty() &&
              method.why_unsupported(shape).empty())
            f(solver, method, p, problem);
        }
  }
}

// The emulated configs: the default, and the corners with all minima and all maxima.
inline std::vector<Config> emulated_configs(const TuningSpace& space) {
  const std::vector<Config> corners = space.corners();
  return {space.defaults(), corners.front(), corners.back()};
}
// Odd, smaller than a block, and of several blocks.
inline const std::vector<Grid> emulated_grids = {{1, 1}, {7, 5}, {75, 38}, {3, 3, 3}, {37, 9, 11}};

}  // namespace cfdmark

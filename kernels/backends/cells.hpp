// Makes CellKernel<K>: included by the file that the build writes for each kernel.
#pragma once

#include "kernels/backends/cells_cpu.hpp"
#include "kernels/backends/cells_cuda.hpp"

namespace cfdmark {

// The fields of a timed problem, in the order of the kernel's and with the arrays of the operator last, as
// args.
template <class K, OperatorKind kind>
CellArgs<K> bind_cells(Precision p, const Grid& g, const std::vector<AnyView>& views, double*) {
  constexpr int own = field_count<K> - has_operator<K>;
  int next = 0;
  const auto bound = [&](const auto& name) {
    if constexpr (std::decay_t<decltype(name)>::role == Role::op)
      return timed_operator<kind>(g, views, own);
    else
      return views[next++];
  };
  return {p, K::description().timed, mapped<K, AnyViews>(K::names, bound)};
}

// What one step must leave behind: the body on each cell, in plain loops. That the body itself is right is
// held by tests that work it out by hand.
template <class K>
void sweep_plainly(const CellArgs<K>& args) {
  with_views(args, [&]<class V>(const typename K::template Fields<V>& fields) {
    for (const K& part : parts_of(args)) {
      const K kernel = started(part);
      const auto cell = [&](int i, int j, int k) {
        if constexpr (every_second_cell<K>)
          if ((i + kernel.first(j, k)) % 2 != 0) return;
        sweep_cell<V>(kernel, fields, i, j, k);
      };
      if constexpr (in_order<K>)
        for_each_cell(args.grid(), false, cell);
      else
        for_each_cell_in_parallel(args.grid(), false, cell);
    }
  });
}

template <class K, OperatorKind kind>
HostProblem cell_problem(Precision p, const Grid& g) {
  HostProblem problem;
  problem.check = "every bit against a loop over the cells";
  unsigned salt = 0;
  for_each_field<K>(K::names, [&](const auto& name) {
    constexpr Role role = std::decay_t<decltype(name)>::role;
    const Grid own = field_grid<K>(g, name);
    if constexpr (role == Role::out)
      problem.fields.push_back({poisoned(HostField(own, p)), HostField(own, p)});
    else if constexpr (is_written(role))
      problem.fields.push_back({noise_field(own, p, ++salt), noise_field(own, p, salt)});
    else if constexpr (role != Role::op)
      problem.fields.push_back({noise_field(own, p, ++salt), {}});
  });
  if (has_operator<K> && kind == OperatorKind::arrays)
    append_operator_fields(problem, p, g.with_halo(halo_of<K>));

  std::vector<AnyView> views;
  for (const auto& entry : problem.fields)
    views.push_back(entry.expected ? entry.expected->view() : entry.initial.view());
  sweep_plainly(bind_cells<K, kind>(p, g, views, nullptr));
  return problem;
}

template <class K, OperatorKind kind>
KernelDescription<CellArgs<K>> described_kernel() {
  const CellDescription<K> d = K::description();
  return {.name = kind == OperatorKind::arrays ? d.name + "_coefficients" : d.name,
          .in_2d = d.in_2d,
          .in_3d = d.in_3d,
          .problem = cell_problem<K, kind>,
          .bind = bind_cells<K, kind>,
          .cost = cell_cost<K>,
          .methods = CellKernel<K>::methods,
          .described_at = d.described_at};
}

template <class K>
KernelDescription<CellArgs<K>> CellKernel<K>::kernel(OperatorKind kind) {
  if constexpr (has_operator<K>)
    if (kind == OperatorKind::arrays) return described_kernel<K, OperatorKind::arrays>();
  return described_kernel<K, OperatorKind::constant>();
}

template <class K>
Methods<CellArgs<K>> plain_methods(BackendKind kind) {
  switch (kind) {
    case BackendKind::serial: return cells_serial<K>();
    case BackendKind::openmp: return cells_openmp<K>();
    case BackendKind::kokkos:
      if constexpr (built_with_kokkos) return KokkosCells<K>::methods();
      break;
    case BackendKind::cuda:
      if constexpr (built_with_cuda) return cells_cuda<K>();
      break;
  }
  return {};
}

template <class K>
Methods<CellArgs<K>> CellKernel<K>::methods(BackendKind kind) {
  const CellDescription<K> d = K::description();
  Methods<Args> methods = plain_methods<K>(kind);
  if (!methods.empty()) methods.front().name = d.plain;
  if (d.more)
    for (Method<Args>& method : d.more(kind)) methods.push_back(std::move(method));
  return methods;
}

}  // namespace cfdmark

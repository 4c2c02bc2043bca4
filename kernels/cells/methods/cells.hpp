// Defines CellKernel<K>. Included by the file that the build writes for each kernel.
#pragma once

#include <algorithm>

#include "kernels/cells/cpu/cells_cpu.hpp"
#include "kernels/cells/cuda/cells_cuda.hpp"
#include "kernels/cells/expected_result.hpp"
#include "kernels/cells/recorded_reads.hpp"

namespace cfdmark {

// Returns args for a timed problem. `views` has the kernel's fields in order, then the arrays of its
// operator.
template <class K>
CellArgs<K> bind_cells(const ProblemShape& shape, const std::vector<AnyView>& views, double* result) {
  constexpr int own = field_count<K> - has_operator<K>;
  int next = 0;
  const auto bound = [&](const auto& name) {
    if constexpr (std::decay_t<decltype(name)>::role == Role::op)
      return timed_operator(shape, views, own);
    else
      return views[next++];
  };
  return {shape.precision, K::description().timed, mapped<K, AnyViews>(K::names, bound), result};
}

// Computes the expected fields of one step: the body on each cell, in plain loops. Other tests verify the
// body itself against hand calculations.
template <class K>
void sweep_plainly(const CellArgs<K>& args) {
  const Grid g = args.grid();
  using Row = std::function<void(const K&, int j, int k)>;
  const Row row = dispatch_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
    return Row([fields, nx = g.nx](const K& kernel, int j, int k) {
      for (int i = 0; i < nx; ++i) {
        if constexpr (every_second_cell<K>)
          if ((i + kernel.first(j, k)) % 2 != 0) continue;
        sweep_cell<V>(kernel, fields, i, j, k);
      }
    });
  });
  const HostRows rows = in_order<K> ? HostRows() : rows_of_reference(g);
  for (const K& part : parts_of(args))
    rows(rows_of(g),
         [&, kernel = started(part), at = RowIndex(g)](Index n) { row(kernel, at.j(n), at.k(n)); });
}

// The same for a reduction; stores the expected result in `scalar`.
template <class K>
void join_plainly(const CellArgs<K>& args, ExpectedScalar& scalar) {
  using Result = ExpectedResult<typename K::Reduction>;
  using Row = std::function<void(const K&, int j, int k, Result&)>;
  const Grid g = args.grid();
  const Row row = dispatch_types(args, [&]<class V>(const typename K::template Fields<V>& fields) {
    return Row([fields, nx = g.nx](const K& kernel, int j, int k, Result& result) {
      for (int i = 0; i < nx; ++i) result.add(sweep_cell<V>(kernel, fields, i, j, k));
    });
  });
  const K kernel = started(args.kernel);
  joined_over_rows<typename K::Reduction>(g, [&](int j, int k, Result& result) {
    row(kernel, j, k, result);
  }).expect(scalar, args.precision, g);
}

// Returns the initial values of a field that is read. For reductions the largest magnitude is negative, so
// that a result that ignores signs is detected.
template <class K>
HostField start_field(Precision p, const Grid& g, unsigned salt) {
  HostField field = noise_field(g, p, salt);
  if (is_reduction<K> && salt == 1) field.set(g.nx / 2, g.ny / 2, g.nz / 2, -1.75);
  return field;
}

// A field of one role: its index in a timed problem and its location.
struct TimedField {
  std::size_t index;
  FieldPlace place;
};
template <class K>
std::vector<TimedField> fields_with_role(Role wanted) {
  std::vector<TimedField> fields;
  std::size_t next = 0;
  for_each_field<K>(K::names, [&](const auto& name) {
    if (name.role == wanted) fields.push_back({next, name.place});
    next += name.role != Role::op;
  });
  return fields;
}

// Returns true if a step can follow another: every field read with neighbours has a written field at its
// location.
template <class K>
bool can_repeat() {
  if (is_reduction<K>) return false;
  const auto read = fields_with_role<K>(Role::stencil_in), written = fields_with_role<K>(Role::out);
  return written.empty() ||
         std::equal(read.begin(), read.end(), written.begin(), written.end(),
                    [](const TimedField& a, const TimedField& b) { return a.place == b.place; });
}

inline std::size_t output_index(const HostProblem& start, std::size_t field) {
  return std::size_t(std::count_if(start.fields.begin(), start.fields.begin() + std::ptrdiff_t(field),
                                   [](const auto& entry) { return entry.is_written; }));
}

// Performs shape.steps consecutive steps; each reads the result of the previous one.
template <class K>
void sweep_plainly(const HostProblem& start, const ProblemShape& shape, const std::vector<HostField>& left) {
  std::vector<AnyView> views = views_for_steps(start, left);
  const auto read = fields_with_role<K>(Role::stencil_in), written = fields_with_role<K>(Role::out);
  std::vector<HostField> before;  // the result of the previous step
  for (int step = 0; step < shape.steps; ++step) {
    for (std::size_t n = 0; step > 0 && n < written.size(); ++n) {
      if (step == 1) before.push_back(start.fields[read[n].index].initial);
      const HostField& from = left[output_index(start, written[n].index)];
      for_each_cell_in_parallel(from.grid(), false,
                                [&](int i, int j, int k) { before[n].set(i, j, k, from.get(i, j, k)); });
      views[read[n].index] = before[n].view();
    }
    sweep_plainly(bind_cells<K>(shape, views, nullptr));
  }
}

// Returns the initial problem. Throws std::invalid_argument for a kernel whose body reads beyond its halo.
template <class K>
HostProblem cell_start(const ProblemShape& shape) {
  static const std::string problem_of_halo = halo_problem<K>();
  if (!problem_of_halo.empty()) throw std::invalid_argument(problem_of_halo);
  const Precision p = shape.precision;
  const Grid& g = shape.grid;
  HostProblem problem;
  if constexpr (fields_with<K>(is_written) > 0) problem.check = "every bit against a loop over the cells";
  if constexpr (is_reduction<K>)
    problem.check +=
        std::string(problem.check.empty() ? "" : ", ") + "the result against a sum in extended precision";
  unsigned salt = 0;
  for_each_field<K>(K::names, [&](const auto& name) {
    constexpr Role role = std::decay_t<decltype(name)>::role;
    const Grid own = field_grid<K>(g, name);
    if constexpr (role == Role::out)
      problem.fields.push_back({poisoned(HostField(own, p)), true});
    else if constexpr (role != Role::op)
      problem.fields.push_back({start_field<K>(p, own, ++salt), is_written(role)});
  });
  if (has_operator<K> && shape.op == OperatorKind::arrays)
    append_operator_fields(problem, p, g.with_halo(halo_of<K>));
  return problem;
}

// Returns the expected fields and scalar after shape.steps steps.
template <class K>
Expected cell_expected(const HostProblem& start, const ProblemShape& shape) {
  Expected left;
  std::size_t next = 0;
  for_each_field<K>(K::names, [&](const auto& name) {
    constexpr Role role = std::decay_t<decltype(name)>::role;
    if constexpr (role == Role::out)
      left.fields.emplace_back(start.fields[next].initial.grid(), shape.precision);
    else if constexpr (is_written(role))
      left.fields.push_back(start.fields[next].initial);
    next += role != Role::op;
  });
  if constexpr (is_reduction<K>)
    join_plainly(bind_cells<K>(shape, views_for_steps(start, left.fields), nullptr), left);
  else
    sweep_plainly<K>(start, shape, left.fields);
  return left;
}

template <class K>
KernelDescription<CellArgs<K>> CellKernel<K>::kernel() {
  const CellDescription<K> d = K::description();
  return {.name = d.name,
          .in_2d = only_dims<K> != 3,
          .in_3d = only_dims<K> != 2,
          .has_operator = has_operator<K>,
          .repeats = can_repeat<K>(),
          .start = cell_start<K>,
          .expected = cell_expected<K>,
          .bind = bind_cells<K>,
          .cost = cell_cost<K>,
          .methods = CellKernel<K>::methods,
          .described_at = d.described_at};
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

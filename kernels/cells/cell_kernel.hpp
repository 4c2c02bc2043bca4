// Derives from a kernel's definition (cells/cell.hpp) what the catalog and the solvers need.
#pragma once

#include <set>
#include <stdexcept>
#include <string>

#include "kernels/cells/cell.hpp"
#include "kernels/cells/operator_problem.hpp"
#include "kernels/device/built.hpp"

namespace cfdmark {

// Representation by untyped views.
struct AnyViews {
  using In = AnyView;
  using OtherIn = AnyView;
  using StencilIn = AnyView;
  using Out = AnyView;
  using InOut = AnyView;
  using StencilInOut = AnyView;
  using Operator = cfdmark::Operator;
};

// Arguments of a kernel: the kernel with its parameters, and its fields. All fields but OtherIn are stored in
// the stored type of `precision`. `result` points to a double in the backend's memory for a reduction.
template <class K>
struct CellArgs {
  Precision precision = Precision::fp64;
  K kernel = {};
  typename K::template Fields<AnyViews> fields = {};
  double* result = nullptr;

  // Returns the cells to run over: those of the first written field, or of the last field if none is written.
  Grid grid() const {
    Grid g;
    bool written = false;
    for_each_view([&](const AnyView& view, Role role) {
      if (!written) g = view.grid;
      written = written || is_written(role);
    });
    return g;
  }
  // Returns the operator, or a constant one if the kernel has none.
  Operator op() const {
    Operator found;
    for_each_field<K>(fields, [&](const auto& field) {
      if constexpr (std::is_same_v<std::decay_t<decltype(field)>, Operator>) found = field;
    });
    return found;
  }
  // Calls f(view, role) for each field but the operator.
  template <class F>
  void for_each_view(const F& f) const {
    std::vector<Role> roles;
    for_each_field<K>(K::names, [&](const auto& name) { roles.push_back(name.role); });
    auto role = roles.begin();
    for_each_field<K>(fields, [&](const auto& field) {
      if constexpr (std::is_same_v<std::decay_t<decltype(field)>, AnyView>) f(field, *role);
      ++role;
    });
  }
};

// Returns the grid of a field, with the kernel's halo, for a kernel over the cells of g.
template <class K, Role role>
Grid field_grid(const Grid& g, const FieldName<role>& name) {
  return g.at(name.place).with_halo(halo_of<K>);
}

// Returns args with null views, to query methods about a grid.
template <class K>
CellArgs<K> args_without_values(Precision p, const Grid& g, bool constant_operator, const K& kernel = {}) {
  Operator a;
  a.constant = constant_operator;
  const auto field = [&](const auto& name) {
    if constexpr (std::decay_t<decltype(name)>::role == Role::op)
      return a;
    else
      return AnyView{nullptr, field_grid<K>(g, name), storage_of(p)};
  };
  return {p, kernel, mapped<K, AnyViews>(K::names, field)};
}

// Host-only facts about a kernel, returned by K::description() in the kernel's .cpp.
template <class K>
struct CellDescription {
  std::string name;  // name in the catalog
  K timed = {};      // with the parameters used for timing
  // Floating-point operations per cell. With constant weights, opposite neighbours may share one.
  double (*flops)(int dims, bool constant_operator);
  int column_cells = 0;         // default cells per thread of CUDA's `column`; 0: as many as fill 16 bytes
  std::string plain = "plain";  // name of the plain method, if a published document uses another
  // Hand-tuned methods of a backend, listed after the plain ones. Null: none.
  Methods<CellArgs<K>> (*more)(BackendKind) = nullptr;
  SourcePlace described_at = SourcePlace::here();
};

// Converts to the view type that a representation requires.
struct TypedView {
  const AnyView& view;
  template <Role r, class T>
  operator RoleView<r, T>() const {
    return view.as<T>();
  }
};

// Calls f.template operator()<V>(fields) with typed views and returns its result; V is a Views<...>. The
// types follow from precision, dimension and operator, so each combination is one instantiation.
template <class K, class F>
decltype(auto) dispatch_types(const CellArgs<K>& args, F&& f) {
  const auto with = [&]<class S, class C, class X, int dims, class A>(const A& a) -> decltype(auto) {
    using V = Views<S, C, A, dims, X>;
    const auto typed = [&](const auto& field) {
      if constexpr (std::is_same_v<std::decay_t<decltype(field)>, AnyView>)
        return TypedView{field};
      else
        return a;
    };
    return f.template operator()<V>(mapped<K, V>(args.fields, typed));
  };
  const Grid g = args.grid();
  if (only_dims<K> != 0 && g.is_3d() != (only_dims<K> == 3))
    throw std::logic_error(K::description().name + ": runs on grids of " + std::to_string(only_dims<K>) +
                           " dimensions only");
  if constexpr (has_operator<K>) {
    const auto with_a = [&]<class S, class C, int dims, class A>(const A& a) -> decltype(auto) {
      return with.template operator()<S, C, S, dims>(a);
    };
    if constexpr (on_coarse_grids<K>)
      return with_level_operator(args.precision, args.op(), g, with_a);
    else
      return with_operator(args.precision, args.op(), g, with_a);
  } else if constexpr (has_other_storage<K>) {
    return with_types(args.precision, [&]<class S, class C>() -> decltype(auto) {
      Precision other = args.precision;
      args.for_each_view([&](const AnyView& view, Role role) {
        if (role == Role::other_in) other = view.storage;
      });
      // 64-bit values imply 64-bit arithmetic.
      if constexpr (std::is_same_v<C, double>)
        if (other == Precision::fp64) return with.template operator()<S, C, double, 0>(NoOperator{});
      return with.template operator()<S, C, float, 0>(NoOperator{});
    });
  } else {
    return with_types(args.precision, [&]<class S, class C>() -> decltype(auto) {
      if constexpr (has_neighbours<K>) {
        if constexpr (only_dims<K> != 2)
          if (only_dims<K> == 3 || g.is_3d()) return with.template operator()<S, C, S, 3>(NoOperator{});
        if constexpr (only_dims<K> != 3) return with.template operator()<S, C, S, 2>(NoOperator{});
      } else {
        return with.template operator()<S, C, S, 0>(NoOperator{});
      }
    });
  }
}

// Returns the kernels of the passes that make a step, in order.
template <class K>
std::vector<K> parts_of(const CellArgs<K>& args) {
  std::vector<K> parts;
  if constexpr (requires { args.kernel.parts(); })
    for (int n = 0; n < args.kernel.parts(); ++n) parts.push_back(args.kernel.part(n));
  else
    parts.push_back(args.kernel);
  if constexpr (every_second_cell<K>)
    for (K& part : parts) part = part.on(args.grid().parity);
  return parts;
}

// Returns why a method with 16-byte loads does not support these args; empty if it does.
template <class K>
std::string unaligned(const CellArgs<K>& args) {
  bool aligned = true;
  args.for_each_view([&](const AnyView& view, Role) { aligned = aligned && view.rows_are_aligned(); });
  return aligned ? "" : "rows of the box are not aligned to 16 bytes";
}

// Returns the declared cost of a step. Each pass moves every field and array that it reads or writes once; a
// field bound to two inputs counts once.
template <class K>
Cost cell_cost(const CellArgs<K>& args) {
  const Grid g = args.grid();
  const Operator a = args.op();
  const double cells = double(g.cells()), parts = double(parts_of(args).size());
  double bytes = has_operator<K> ? double(a.arrays(g) * stored_bytes(args.precision)) : 0;
  std::set<const void*> seen;
  args.for_each_view([&](const AnyView& view, Role role) {
    if (role == Role::in && view.origin && !seen.insert(view.origin).second) return;
    bytes += double((is_read(role) + is_written(role)) *
                    stored_bytes(role == Role::other_in ? view.storage : args.precision));
  });
  const double updates = parts * cells / (every_second_cell<K> ? 2 : 1);
  return {parts * bytes * cells, K::description().flops(g.is_3d() ? 3 : 2, a.constant) * updates, updates};
}

// The interface of a kernel for the catalog and the solvers. The build writes one file per kernel that
// instantiates it (cells.hpp), and one that instantiates its Kokkos part with Kokkos's flags and compiler
// (cells_kokkos.hpp).
template <class K>
struct CellKernel {
  static_assert(!is_reduction<K> ||
                    !(in_order<K> || every_second_cell<K> || requires(const K& k) { k.parts(); }),
                "a reduction must visit every cell once, in any order");
  using Args = CellArgs<K>;
  // Returns the plain methods, then the hand-tuned ones.
  static Methods<Args> methods(BackendKind);
  static KernelDescription<Args> kernel();
};

template <class K>
struct KokkosCells {
  static Methods<CellArgs<K>> methods();
};

}  // namespace cfdmark

// From what a kernel says of itself (core/cell.hpp) to what the catalog and the solvers need to know of it.
#pragma once

#include <set>

#include "kernels/backends/built.hpp"
#include "kernels/backends/operator_problem.hpp"
#include "kernels/core/cell.hpp"

namespace cfdmark {

// A form: views that do not say their types.
struct AnyViews {
  using In = AnyView;
  using OtherIn = AnyView;
  using Around = AnyView;
  using Out = AnyView;
  using InOut = AnyView;
  using InOutAround = AnyView;
  using Operator = cfdmark::Operator;
};

// What a kernel is given: itself with its parameters, and its fields. Those that it assigns to are stored as
// `precision` says, and so are all others but OtherIn. `result` is for kernels that join: a double in the
// backend's memory.
template <class K>
struct CellArgs {
  Precision precision = Precision::fp64;
  K kernel = {};
  typename K::template Fields<AnyViews> fields = {};
  double* result = nullptr;

  // The cells that a sweep goes over: those of the field that is written, or else of the last.
  Grid grid() const {
    Grid g;
    bool written = false;
    for_each_view([&](const AnyView& view, Role role) {
      if (!written) g = view.grid;
      written = written || is_written(role);
    });
    return g;
  }
  // The operator, or one that is constant where the kernel has none.
  Operator op() const {
    Operator found;
    for_each_field<K>(fields, [&](const auto& field) {
      if constexpr (std::is_same_v<std::decay_t<decltype(field)>, Operator>) found = field;
    });
    return found;
  }
  // f(view, role) for each field but the operator.
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

// The grid of a field, for a kernel over the cells of g.
template <class K, Role role>
Grid field_grid(const Grid& g, const FieldName<role>& name) {
  return g.at(name.place).with_halo(halo_of<K>);
}

// Args whose fields look at nothing, to ask methods about a grid.
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

// What is not in the kernel's header, because only the host asks: made by K::description(), in the kernel's
// .cpp.
template <class K>
struct CellDescription {
  std::string name;  // in the catalog
  K timed = {};      // with the parameters that it is timed with
  // Floating-point operations of a cell. With constant weights opposite neighbours may share one.
  double (*flops)(int dims, bool constant_operator);
  bool in_2d = true, in_3d = true;
  int column_cells = 0;  // that a thread of CUDA's `column` takes unless chosen; 0: as many as 16 bytes hold
  std::string plain = "plain";  // the name of the plain method, where a document has another
  // Methods written by hand for a backend, behind the plain ones. Null: none.
  Methods<CellArgs<K>> (*more)(BackendKind) = nullptr;
  SourcePlace described_at = SourcePlace::here();
};

// Becomes a view of the type that a form asks for.
struct TypedView {
  const AnyView& view;
  template <Role r, class T>
  operator RoleView<r, T>() const {
    return view.as<T>();
  }
};

// Calls f.template operator()<V>(fields) with typed views, V a Views<...>.
template <class K, class F>
decltype(auto) with_views(const CellArgs<K>& args, F&& f) {
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
      // 64-bit values are computed with in 64 bits.
      if constexpr (std::is_same_v<C, double>)
        if (other == Precision::fp64) return with.template operator()<S, C, double, 0>(NoOperator{});
      return with.template operator()<S, C, float, 0>(NoOperator{});
    });
  } else {
    return with_types(args.precision, [&]<class S, class C>() -> decltype(auto) {
      if constexpr (has_neighbours<K>) {
        if (g.is_3d()) return with.template operator()<S, C, S, 3>(NoOperator{});
        return with.template operator()<S, C, S, 2>(NoOperator{});
      } else {
        return with.template operator()<S, C, S, 0>(NoOperator{});
      }
    });
  }
}

// The sweeps that make a step, in turn.
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

// Why a method that loads 16 bytes at a time cannot do these args; empty if it can.
template <class K>
std::string unaligned(const CellArgs<K>& args) {
  bool aligned = true;
  args.for_each_view([&](const AnyView& view, Role) { aligned = aligned && view.rows_are_aligned(); });
  return aligned ? "" : "the rows of a box do not begin at a multiple of 16 bytes";
}

// The values of fields and arrays that each part moves at least: those read and those written. A field that
// is given twice to be read is read once.
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

// A kernel as the catalog and the solvers know it. The build writes a file a kernel that makes this
// (cells.hpp), and one that makes its Kokkos side, for Kokkos's flags and compiler (cells_kokkos.hpp).
template <class K>
struct CellKernel {
  static_assert(!joins<K> || !(in_order<K> || every_second_cell<K> || requires(const K& k) { k.parts(); }),
                "a kernel that joins takes every cell once, in no order");
  using Args = CellArgs<K>;
  // The plain methods, then those written by hand.
  static Methods<Args> methods(BackendKind);
  static KernelDescription<Args> kernel();
};

template <class K>
struct KokkosCells {
  static Methods<CellArgs<K>> methods();
};

}  // namespace cfdmark

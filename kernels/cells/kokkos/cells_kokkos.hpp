// The generated methods of kokkos for kernels with a cell body (cells/cell.hpp). The build writes one file
// per kernel that includes this one and instantiates KokkosCells<K>.
#pragma once

#include "kernels/cells/kokkos/kokkos_cell_body.hpp"
#include "kernels/cells/kokkos/kokkos_reduction.hpp"
#include "kernels/cells/row_reduction.hpp"

namespace cfdmark {

// Reduces a row on one core, in the same lanes as serial and openmp. Used on hosts only.
template <class K, class V>
struct JoinedRowByCore {
  K kernel;
  typename K::template Fields<V> fields;
  LoopRows rows;
  double* numbers;

  void operator()(Index row) const {
    numbers[row] = reduce_row<V>(kernel, fields, int(row % rows.ny), int(row / rows.ny), rows.cells(row));
  }
};

// Reduces a row with one team.
template <class K, class V>
struct JoinedRowByTeam {
  KokkosCellBody<K, V> body;
  LoopRows rows;
  double* numbers;

  KOKKOS_INLINE_FUNCTION void operator()(const KokkosTeam& team) const {
    using Op = typename K::Reduction;
    const int row = team.league_rank(), j = row % rows.ny, k = row / rows.ny;
    double total = 0;
    auto add = [&](int i, double& running) { running = Op::add(running, in_double(body.cell(i, j, k))); };
    Kokkos::parallel_reduce(Kokkos::TeamVectorRange(team, rows.cells(row)), add, KokkosReducer<Op>(total));
    Kokkos::single(Kokkos::PerTeam(team), [&] { numbers[row] = total; });
  }
};

// On a device the plain method uses one team per row; by_core selects a core per row on hosts.
template <class K, bool by_core>
Step kokkos_joined_cells(Backend& backend, const CellArgs<K>& args, const Config&) {
  using Op = typename K::Reduction;
  const LoopRows all(args.grid());
  const int rows = int(all.count());
  const Buffer numbers(backend, rows * sizeof(double));
  double* const to = static_cast<double*>(numbers.data());
  const std::string label = K::description().name;
  return dispatch_types(args, [&]<class V>(const typename K::template Fields<V>& views) {
    if constexpr (kokkos_on_host && by_core) {
      const auto body = [=, kernel = args.kernel] {
        return JoinedRowByCore<K, V>{kokkos_started(kernel), views, all, to};
      };
      return kokkos_row_reduction<Op>(label, "rows", kokkos_shares(rows), body, numbers, rows, args.result);
    } else {
      const auto body = [=, kernel = args.kernel,
                         fields = mapped<K, KokkosFields<V>>(views, ToKokkosFields{})] {
        return JoinedRowByTeam<K, V>{{kokkos_started(kernel), fields}, all, to};
      };
      return kokkos_row_reduction<Op>(label, "a team a row", kokkos_teams(rows), body, numbers, rows,
                                      args.result);
    }
  });
}

template <class K, class Cells>
Step kokkos_cells(const CellArgs<K>& args, const Cells& cells) {
  constexpr bool in_columns = !kokkos_on_host && !std::is_same_v<Cells, KokkosStagedTiles>;
  static const std::string label = K::description().name;
  using Sweep = std::function<void(const K&)>;
  const Sweep sweep = dispatch_types(args, [&]<class V>(const typename K::template Fields<V>& views) {
    using Body = std::conditional_t<in_columns, KokkosColumnBody<K, V>, KokkosCellBody<K, V>>;
    const auto fields = [&] {
      if constexpr (in_columns)
        return views;
      else
        return mapped<K, KokkosFields<V>>(views, ToKokkosFields{});
    }();
    return Sweep([cells, grid = args.grid(), fields](const K& part) {
      cells(label.c_str(), grid, Body{kokkos_started(part), fields});
    });
  });
  return kokkos_step(cells.text(args.grid()), [sweep, parts = parts_of(args)] {
    for (const K& part : parts) sweep(part);
  });
}

template <class K>
Methods<CellArgs<K>> KokkosCells<K>::methods() {
  using Args = CellArgs<K>;
  if constexpr (in_order<K>) {
    return {};
  } else if constexpr (is_reduction<K>) {
    Methods<Args> methods = {{"plain", {}, kokkos_joined_cells<K, true>}};
    if (kokkos_on_host) methods.push_back({"team", {}, kokkos_joined_cells<K, false>});
    return methods;
  } else {
    Methods<Args> methods = {
        {"plain", {}, [](Backend&, const Args& a, const Config&) { return kokkos_cells(a, KokkosRows{}); }},
        {"mdrange", kokkos_tile_space(),
         [](Backend&, const Args& a, const Config& c) { return kokkos_cells(a, KokkosTiles(c)); }}};
    // A staged tile has one layer of ghosts.
    if constexpr (fields_of_role<K, Role::stencil_in> + fields_of_role<K, Role::stencil_in_out> == 1 &&
                  halo_of<K> == 1)
      methods.push_back({"team_scratch", kokkos_staged_space(), [](Backend&, const Args& a, const Config& c) {
                           return kokkos_cells(a, KokkosStagedTiles(c));
                         }});
    return methods;
  }
}

}  // namespace cfdmark

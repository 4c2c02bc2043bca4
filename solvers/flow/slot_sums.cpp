#include "solvers/flow/slot_sums.hpp"

#include "kernels/cells/row_reduction.hpp"
#include "kernels/partial_sums/partial_sums.hpp"

namespace cfdmark {
namespace {

constexpr const char* routine = "slot sums";
constexpr int lanes = reduction_lanes;

// Blocks for results in one column or in `lanes` columns; hosts ignore them.
Config with_blocks(Config config, int columns) {
  config.set("block_x", columns), config.set("block_y", 256 / columns);
  return config;
}

}  // namespace

SlotSums::SlotSums(const System& system, const Stack& stack, int sums, const Config& config)
    : system_(system), config_(config), stack_(stack) {
  Backend& on = *system.backend;
  const int rows = stack.grid().ny;
  const Grid parts{.nx = lanes, .ny = rows, .halo = 0};
  parts_ = Field(on, parts, system.precision);
  if (parts_.storage() != Precision::fp64) wide_parts_ = Field(on, parts, Precision::fp64);
  rows_ = Field(on, flat_grid(rows * sums), Precision::fp64);
  slots_ = Field(on, flat_grid(stack.slots * sums), Precision::fp64);
}

AnyView SlotSums::column(const Field& sums, int first, int count) {
  AnyView view = sums.view();
  view.origin = static_cast<double*>(view.origin) + first;
  view.grid = Grid{.nx = 1, .ny = count, .halo = 0};
  view.pitch = 1;
  view.is_box = true;
  return view;
}

template <class K>
Operation SlotSums::prepared(const K& kernel, const typename K::template Fields<AnyViews>& fields,
                             Precision precision) const {
  const CellArgs<K> args{.precision = precision, .kernel = kernel, .fields = fields};
  System system = system_;
  system.precision = precision;
  return prepare(system, routine, CellKernel<K>::methods(system.backend->kind()).front(), args,
                 with_blocks(config_, args.grid().nx == 1 ? 1 : lanes));
}

template <class Parts>
std::vector<Operation> SlotSums::rows_after(int n, const Parts& parts) {
  const int nx = stack_.tunnel.nx, rows = stack_.grid().ny, longer = nx % lanes;
  std::vector<Operation> all;
  if (longer > 0) all.push_back(parts(0, longer, nx / lanes + 1));
  if (longer < lanes) all.push_back(parts(longer, lanes, nx / lanes));
  const bool is_wide = parts_.storage() == Precision::fp64;
  if (!is_wide) all.push_back(Operations(system_, config_).scale({1}, parts_.view(), wide_parts_.view()));
  all.push_back(prepared(PartialSum{lanes, 1},
                         {.x = (is_wide ? parts_ : wide_parts_).view(), .sum = column(rows_, n * rows, rows)},
                         Precision::fp64));
  return all;
}

std::vector<Operation> SlotSums::of_product(int n, const AnyView& x, const AnyView& y) {
  const int rows = stack_.grid().ny;
  return rows_after(n, [&](int first, int end, int count) {
    return prepared(PartialDot{count, lanes},
                    {.x = x.box(first, 0, 0, end - first, rows),
                     .y = y.box(first, 0, 0, end - first, rows),
                     .sum = parts_.view().box(first, 0, 0, end - first, rows)},
                    system_.precision);
  });
}

std::vector<Operation> SlotSums::of(int n, const AnyView& x) {
  const int rows = stack_.grid().ny;
  return rows_after(n, [&](int first, int end, int count) {
    return prepared(PartialSum{count, lanes},
                    {.x = x.box(first, 0, 0, end - first, rows),
                     .sum = parts_.view().box(first, 0, 0, end - first, rows)},
                    system_.precision);
  });
}

std::vector<Operation> SlotSums::of_slots() const {
  const int all = slots_.grid().nx;
  AnyView rows = column(rows_, 0, all);  // the first row of each slot
  rows.pitch = stack_.pitch();
  return {
      prepared(PartialSum{stack_.pitch(), 1}, {.x = rows, .sum = column(slots_, 0, all)}, Precision::fp64)};
}

}  // namespace cfdmark

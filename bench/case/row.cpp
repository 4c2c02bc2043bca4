// Functions of a row that need no kernel or solver.
#include "bench/case/row.hpp"
#include "kernels/core/method.hpp"

namespace cfdmark {

std::string_view to_string(RowKind kind) { return kind == RowKind::kernel ? "kernel" : "solver"; }

std::string row_name(const Row& row, int device) {
  return row.name + "/" + to_string(DeviceId(row.backend, device)) + "/" +
         std::string(to_string(row.precision)) + "/" + row.method;
}

const Row& default_row(const std::vector<const Row*>& rows, const Grid& grid, const Config& workload) {
  const auto chosen = default_choice(
      rows,
      [&](const Row* row) {
        return (grid.is_3d() ? row->in_3d : row->in_2d) &&
               (!row->unsupported || row->unsupported(grid, workload).empty());
      },
      [&](const Row* row) { return row->preferred && row->preferred(grid, workload); });
  return chosen != rows.end() ? **chosen : *rows.front();
}

}  // namespace cfdmark

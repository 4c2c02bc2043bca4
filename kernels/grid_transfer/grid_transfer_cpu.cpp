#include "kernels/device/cpu/cpu_rows.hpp"
#include "kernels/grid_transfer/grid_transfer.hpp"
#include "kernels/grid_transfer/grid_transfer_row.hpp"

namespace cfdmark {
namespace {

Step plain(const GridTransferArgs& args, const HostRows& rows) {
  return with_transfer(args, [&](const auto& body) {
    return row_step(rows, [rows, body, grid = args.written().grid] {
      rows(rows_of(grid), [=](Index row) {
        const RowIndex at(grid);
        transfer_row(body, at.j(row), at.k(row), grid.nx);
      });
    });
  });
}

}  // namespace

Methods<GridTransferArgs> grid_transfer_serial() {
  return {{"plain", {}, [](Backend&, const GridTransferArgs& a, const Config& c) {
             return plain(a, serial_rows(c));
           }}};
}

Methods<GridTransferArgs> grid_transfer_openmp() {
  return {{"plain", openmp_space(),
           [](Backend&, const GridTransferArgs& a, const Config& c) { return plain(a, openmp_rows(c)); }}};
}

}  // namespace cfdmark

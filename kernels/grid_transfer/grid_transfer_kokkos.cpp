#include "kernels/cells/kokkos/kokkos_cells.hpp"
#include "kernels/grid_transfer/grid_transfer.hpp"
#include "kernels/grid_transfer/grid_transfer_row.hpp"

namespace cfdmark {
namespace {

template <class Body>
struct TransferCells {
  Body body;
  KOKKOS_INLINE_FUNCTION void operator()(KokkosIndex i, KokkosIndex j, KokkosIndex k) const {
    body(Index(i), int(j), int(k));
  }
  void row(int j, int k, int nx) const { transfer_row(body, j, k, nx); }
};

}  // namespace

Methods<GridTransferArgs> grid_transfer_kokkos() {
  return {{"plain", {}, [](Backend&, const GridTransferArgs& args, const Config&) {
             return with_transfer(args, [&]<class Body>(const Body& body) {
               return kokkos_step("grid transfer", KokkosRows{}, args.written().grid,
                                  TransferCells<Body>{body});
             });
           }}};
}

}  // namespace cfdmark

#include "kernels/cells/kokkos/kokkos_cells.hpp"
#include "kernels/csr_apply/csr_methods.hpp"

namespace cfdmark {
namespace {

template <class S, class C, class Rows>
struct CsrRow {
  Rows matrix;
  CsrVectors<S> v;

  KOKKOS_INLINE_FUNCTION void operator()(Index row) const {
    v.store(int(row), matrix.template product<C>(int(row), v.x));
  }
};

Step prepare(Backend&, const CsrArgs& args, const Config&) {
  return with_csr_types(args, [&]<class S, class C, class Rows>(const Rows& matrix) {
    const CsrRow<S, C, Rows> body{matrix, args.vectors<S>()};
    return kokkos_step("rows", [=] {
      const Index rows = body.matrix.rows;
      Kokkos::parallel_for("csr rows", kokkos_on_host ? kokkos_shares(rows) : KokkosRange(0, rows), body);
    });
  });
}

}  // namespace

Methods<CsrArgs> csr_kokkos() { return {{"plain", {}, prepare}}; }

}  // namespace cfdmark

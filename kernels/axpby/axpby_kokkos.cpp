#include "kernels/axpby/axpby.hpp"
#include "kernels/axpby/axpby_formula.hpp"
#include "kernels/backends/kokkos_cells.hpp"

namespace cfdmark {
namespace {

// A coefficient whose value is known when the kernel starts ...
template <class C>
struct Known {
  C value;
  KOKKOS_FORCEINLINE_FUNCTION C operator()() const { return value; }
};

// ... or that each thread works out from the device's memory, which the host may not read.
template <class C>
struct OnDevice {
  Scalar s;
  KOKKOS_FORCEINLINE_FUNCTION C operator()() const { return scalar_value<C>(s); }
};

template <class C>
auto coefficient(const Scalar& s) {
  if constexpr (kokkos_on_host)
    return Known<C>{scalar_value<C>(s)};
  else
    return OnDevice<C>{s};
}

template <class X, class Y, class C, class Coefficient>
struct Axpby {
  Coefficient alpha, beta;
  KokkosField<const X> x;
  KokkosField<Y> y;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(KokkosIndex i, KokkosIndex j, KokkosIndex k) const {
    y(i, j, k) = Y(axpby_value(alpha(), C(x(i, j, k)), beta(), C(y(i, j, k))));
  }
};

// y = alpha x: y may hold anything, NaN too.
template <class X, class Y, class C, class Coefficient>
struct Scale {
  Coefficient alpha;
  KokkosField<const X> x;
  KokkosField<Y> y;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(KokkosIndex i, KokkosIndex j, KokkosIndex k) const {
    y(i, j, k) = Y(alpha() * C(x(i, j, k)));
  }
};

template <class Cells>
Step sweep(const AxpbyArgs& args, const Cells& cells) {
  return with_axpby_types(args, [&]<class X, class Y, class C>() {
    return kokkos_step(cells.text(),
                       [cells, args, x = KokkosField<const X>(args.x), y = KokkosField<Y>(args.y)] {
                         if (kokkos_on_host)
                           Kokkos::fence();  // the scalars may be results of work still under way
                         const auto alpha = coefficient<C>(args.alpha), beta = coefficient<C>(args.beta);
                         using Coefficient = std::remove_const_t<decltype(alpha)>;
                         if (args.reads_y())
                           cells("axpby", args.grid, Axpby<X, Y, C, Coefficient>{alpha, beta, x, y});
                         else
                           cells("scale", args.grid, Scale<X, Y, C, Coefficient>{alpha, x, y});
                       });
  });
}

}  // namespace

Methods<AxpbyArgs> axpby_kokkos() {
  return {{"plain", {}, [](Backend&, const AxpbyArgs& a, const Config&) { return sweep(a, KokkosRows{}); }},
          {"mdrange", kokkos_tile_space(),
           [](Backend&, const AxpbyArgs& a, const Config& c) { return sweep(a, KokkosTiles(c)); }}};
}

}  // namespace cfdmark

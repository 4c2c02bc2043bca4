// Team policies.
#pragma once

#include <optional>

#include "kernels/device/cpu/row_stencil.hpp"
#include "kernels/device/kokkos/kokkos_space.hpp"

namespace cfdmark {

using KokkosTeams = Kokkos::TeamPolicy<KokkosExec>;
using KokkosTeam = KokkosTeams::member_type;

// Returns a policy with one core per team on hosts; on a device Kokkos chooses the team size.
inline KokkosTeams kokkos_teams(int how_many) {
  return kokkos_on_host ? KokkosTeams(how_many, 1) : KokkosTeams(how_many, Kokkos::AUTO, 32);
}
// Returns a policy with teams of `size` threads (default: Kokkos chooses) and `lanes` vector lanes per
// thread.
inline KokkosTeams kokkos_teams(int how_many, std::optional<int> size, int lanes) {
  return size ? KokkosTeams(how_many, *size, lanes) : KokkosTeams(how_many, Kokkos::AUTO, lanes);
}

// Calls f(i) for i in 0 .. n on the vector lanes of one team thread.
template <class F>
KOKKOS_FORCEINLINE_FUNCTION void kokkos_lanes(const KokkosTeam& team, int n, const F& f) {
  if constexpr (kokkos_on_host) {
    CFDMARK_INDEPENDENT_ITERATIONS
    for (int i = 0; i < n; ++i) f(i);
  } else {
    Kokkos::parallel_for(Kokkos::ThreadVectorRange(team, n), f);
  }
}

}  // namespace cfdmark

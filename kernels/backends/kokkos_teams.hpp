// Teams of threads.
#pragma once

#include <optional>

#include "kernels/backends/kokkos_space.hpp"
#include "kernels/backends/row_stencil.hpp"

namespace cfdmark {

using KokkosTeams = Kokkos::TeamPolicy<KokkosExec>;
using KokkosTeam = KokkosTeams::member_type;

// On a host a team is one core; on a device as many warps as Kokkos thinks best.
inline KokkosTeams kokkos_teams(int how_many) {
  return kokkos_on_host ? KokkosTeams(how_many, 1) : KokkosTeams(how_many, Kokkos::AUTO, 32);
}
// Teams of `size` threads, or without it as many as Kokkos thinks best, with so many vector lanes each.
inline KokkosTeams kokkos_teams(int how_many, std::optional<int> size, int lanes) {
  return size ? KokkosTeams(how_many, *size, lanes) : KokkosTeams(how_many, Kokkos::AUTO, lanes);
}

// f(i) for i in 0 .. n, by the vector lanes of one thread of a team.
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

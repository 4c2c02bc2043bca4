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

// A body for teams on a host. Like KokkosRowCall it lets one loop serve every body.
struct KokkosTeamCall {
  const void* body;
  void (*call)(const void* body, const KokkosTeam&);
  void operator()(const KokkosTeam& team) const { call(body, team); }
};
// Runs body(team) for each team of the policy.
template <class Body>
void run_teams(const char* label, const KokkosTeams& policy, const Body& body) {
  if constexpr (kokkos_on_host)
    Kokkos::parallel_for(label, policy, KokkosTeamCall{&body, [](const void* of, const KokkosTeam& team) {
                                                         (*static_cast<const Body*>(of))(team);
                                                       }});
  else
    Kokkos::parallel_for(label, policy, body);
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

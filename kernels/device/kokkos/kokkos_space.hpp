// The execution space of the kokkos backend. Included only by files compiled with Kokkos.
#pragma once

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <type_traits>

#include "kernels/core/grid.hpp"

namespace cfdmark {

using KokkosExec = Kokkos::DefaultExecutionSpace;
using KokkosMemory = KokkosExec::memory_space;

// True if kernels run on host cores. There a thread takes whole rows and the compiler vectorises them; on a
// device neighbouring threads take neighbouring cells.
inline constexpr bool kokkos_on_host = std::is_same_v<KokkosExec, Kokkos::DefaultHostExecutionSpace>;

// Type of a cell index. 64-bit on hosts: otherwise MDRangePolicy hides from compilers that cells are
// contiguous.
using KokkosIndex = std::conditional_t<kokkos_on_host, Index, int>;

inline int kokkos_concurrency() { return KokkosExec().concurrency(); }

using KokkosRange = Kokkos::RangePolicy<KokkosExec, Kokkos::IndexType<Index>>;

// Returns a range 0 .. n with one contiguous share per thread in all Kokkos versions, so that threads work on
// memory that they touched first.
inline KokkosRange kokkos_shares(Index n) {
  const Index threads = std::max(kokkos_concurrency(), 1);
  return {0, n, Kokkos::ChunkSize(int(std::max<Index>((n + threads - 1) / threads, 1)))};
}

}  // namespace cfdmark

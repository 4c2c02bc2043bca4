// The execution space that the kokkos backend uses. Only files that are compiled with Kokkos include this.
#pragma once

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <type_traits>

#include "kernels/core/grid.hpp"

namespace cfdmark {

using KokkosExec = Kokkos::DefaultExecutionSpace;
using KokkosMemory = KokkosExec::memory_space;

// Whether kernels run on the host's cores: there a thread takes whole rows and the compiler makes vectors of
// the cells; on a device neighbouring threads take neighbouring cells.
inline constexpr bool kokkos_on_host = std::is_same_v<KokkosExec, Kokkos::DefaultHostExecutionSpace>;

// Of a cell. On a host 64 bits, or compilers do not see through MDRangePolicy that cells are contiguous.
using KokkosIndex = std::conditional_t<kokkos_on_host, Index, int>;

inline int kokkos_concurrency() { return KokkosExec().concurrency(); }

using KokkosRange = Kokkos::RangePolicy<KokkosExec, Kokkos::IndexType<Index>>;

// 0 .. n in one contiguous share a thread, in every version of Kokkos: a thread always meets what it touched
// first.
inline KokkosRange kokkos_shares(Index n) {
  const Index threads = std::max(kokkos_concurrency(), 1);
  return {0, n, Kokkos::ChunkSize(int(std::max<Index>((n + threads - 1) / threads, 1)))};
}

}  // namespace cfdmark

// Backends that only count: what is prepared on one tells what it allocates, and nothing else is done. No
// memory is handed out, nothing is compiled and no device is touched, so that a case too large for the
// machine can be counted too.
#pragma once

#include <functional>

#include "kernels/backends/backend.hpp"

namespace cfdmark {

// Bytes allocated at the most at once while `prepare` runs on a backend of this kind that only counts. What
// is prepared there must not be run, and ends with it. Where there is a Kokkos it is
// started, for its policies ask it for its threads.
std::size_t counted_bytes(BackendKind, const std::function<void(Backend&)>& prepare);

// Whether a backend only counts: what preparing does beside allocating (assembling a matrix, starting a
// library) is then to be left out.
bool only_counts(const Backend&);

}  // namespace cfdmark

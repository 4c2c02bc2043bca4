// Backends that count allocations and do nothing else: they reserve no memory for fields, compile no device
// code and use no device. So the memory of a case can be predicted even if it is too large for the machine.
#pragma once

#include <functional>

#include "kernels/device/backend.hpp"

namespace cfdmark {

// Returns the peak bytes allocated while `prepare` runs on a counting backend of this kind. The prepared
// steps must not run and must not outlive the call. An available Kokkos is started, because its policies
// query its thread count.
std::size_t counted_bytes(BackendKind, const std::function<void(Backend&)>& prepare);

// Returns true if a backend has memory that values can be read back from: it neither only counts nor only
// compiles.
bool holds_values(const Backend&);
// Returns true if a backend only counts. Then other work of preparing, such as assembling a matrix or
// starting a library, is skipped.
bool only_counts(const Backend&);

}  // namespace cfdmark

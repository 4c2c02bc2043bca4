// The partition of ranks that share no domain.
#pragma once

namespace cfdmark {

// Each rank has the whole domain, and nothing is exchanged (catalog/copies_workload.hpp).
inline constexpr const char* partition_copies = "copies";

}  // namespace cfdmark

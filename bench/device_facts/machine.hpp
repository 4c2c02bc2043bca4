// Identifies the machine of a measurement, also among machines of the same name or kind.
#pragma once

#include <string>
#include <string_view>

#include "bench/text/json.hpp"

namespace cfdmark {

// Returns a short hash of a host (results/README.md, "Machines"): processor, cores, caches, memory, board and
// name. It survives updates and restarts. Takes the `host` of an environment.
std::string host_key(const Json& host);

// Returns true if cases of this backend ran on a GPU there.
bool on_gpu(const Json& environment, std::string_view backend);
// Returns the facts of GPU `index`; nullptr if the environment has none.
const Json* gpu_of(const Json& environment, int index);

// Returns the threads of a backend on the host: their number unless it is serial, their binding, and the
// processor quota of the control group. Null for a GPU. Records with different values are not comparable.
Json threads_of(const Json& environment, std::string_view backend);

// Returns the machine key of a case: the host, and for a case on a GPU also that GPU. A case on the
// processors has the same key with and without a GPU.
std::string machine_of(const Json& environment, const std::string& backend, int index);

}  // namespace cfdmark

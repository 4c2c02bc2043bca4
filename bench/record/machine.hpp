// Which machine a number comes from. Two machines of one name, or of one kind, must not be taken for one.
#pragma once

#include <string>
#include <string_view>

#include "bench/record/json.hpp"

namespace cfdmark {

// A short hash of what a host is (results/README.md, "Machines"): processor, cores, caches, memory, board and
// name. Not of what an update or a restart changes. Takes the `host` of an environment.
std::string host_key(const Json& host);

// Whether a case of a backend ran on a GPU there.
bool on_gpu(const Json& environment, std::string_view backend);
// The facts of GPU `index`; nullptr if the environment has none.
const Json* gpu_of(const Json& environment, int index);

// The threads of a backend on the host: how many, unless it is serial, where OpenMP binds them, and how much
// processor time the control group allows. Null for a GPU. Records with different values are not comparable.
Json threads_of(const Json& environment, std::string_view backend);

// What a case of that backend and device ran on: the host and, of a case on a GPU, that GPU. A case on the
// processors is the same with and without a GPU in sight.
std::string machine_of(const Json& environment, const std::string& backend, int index);

}  // namespace cfdmark

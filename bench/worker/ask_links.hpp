// Asks a worker to measure the links of the GPUs.
#pragma once

#include "bench/worker/ask_worker.hpp"

namespace cfdmark {

// Returns the environment's `links` of all GPUs of this machine. None if measuring failed; `note` then gets
// the reason.
Json ask_for_links(Supervisor&, const KeepGoing&, const std::function<void(const std::string&)>& note);

}  // namespace cfdmark

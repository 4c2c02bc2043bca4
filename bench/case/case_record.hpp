// The parts of a record (results/README.md) that follow from its case.
#pragma once

#include <string>

#include "bench/case/case.hpp"
#include "bench/case/workload.hpp"
#include "bench/text/json.hpp"

namespace cfdmark {

// Returns a record's identification and status. `reason` is empty exactly if the status is ok.
Json record_of(const Case&, const std::string& status, const std::string& reason);
Json verification_json(const Verification&);

}  // namespace cfdmark

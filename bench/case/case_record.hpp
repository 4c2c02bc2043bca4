// The parts of a record that follow from its case.
#pragma once

#include "bench/case/case.hpp"
#include "bench/case/workload.hpp"
#include "bench/record/record.hpp"

namespace cfdmark {

CaseId id_of(const Case&);
// Returns the record of a case that was not measured. `environment` is the id of the run's environment line.
Record record_without_time(const Case&, const std::string& status, const std::string& reason,
                           const std::string& environment);
Json verification_json(const Verification&);

}  // namespace cfdmark

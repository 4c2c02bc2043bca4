// Makes the record of a case from the numbers that a worker returned.
#pragma once

#include "bench/case/case.hpp"
#include "bench/record/record.hpp"

namespace cfdmark {

// `environment` is the run's environment line; its roofs give a measured case its roof.
Record make_record(const Case&, CaseResult, const Json& environment);

}  // namespace cfdmark

// The contents of messages between a supervisor and its worker. worker.hpp lists the requests.
#pragma once

#include <cstddef>
#include <vector>

#include "bench/case/case.hpp"
#include "bench/measure/roof.hpp"
#include "bench/record/record.hpp"
#include "bench/text/json.hpp"
#include "bench/worker/worker_rows.hpp"

namespace cfdmark {

// Version of the requests and answers; a worker states it in its description. `compare --base` starts workers
// of other builds, so it increases with every change that another build would misread.
inline constexpr int worker_protocol = 2;

// Sets the cases of a request, and the catalog to which the indices of their rows refer.
void set_cases(Json& request, const std::vector<Case>&, const WorkerRows&);
// Returns the cases of a request, in order. `rows` is the worker's own catalog, `own` its index. Throws
// std::runtime_error if the request refers to another catalog.
std::vector<Case> cases_from_request(const Json& request, const std::vector<Row>& rows,
                                     const WorkerRows& own);

// Returns the answer for one case of a request.
Json to_message(std::size_t index, const CaseResult&);
// Throws Json::exception for anything else.
CaseResult case_result_from_message(const Json&);

Json to_message(DeviceId);
DeviceId device_id_from_message(const Json&);
Json to_message(const RoofKey&);
RoofKey roof_key_from_message(const Json&);

}  // namespace cfdmark

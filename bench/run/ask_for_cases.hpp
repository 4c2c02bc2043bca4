// Asks a worker for records of cases: a worker that ends costs one of them.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bench/catalog/case.hpp"
#include "bench/run/supervisor.hpp"

namespace cfdmark {

struct CaseListener {
  // Each record, by the index of its case, and the line to write.
  std::function<void(std::size_t, const Json& record, const std::string& line)> record;
  // Called several times a second with what is done, "measuring copy/..."; false stops it.
  std::function<bool(const std::string& what)> keep_going;
};

// There is at least one case. `request`: "run" or "sample" with what belongs to it (worker.hpp) but the
// cases. The case at which the worker ended gets a record that says so, if it has none; the answer names it
// as the `culprit`. Of an answer that is done every case has a record, of any other that was not stopped at
// least one.
Answer ask_for_cases(Supervisor&, Json request, const std::vector<Case>& cases, const CaseListener&);

}  // namespace cfdmark

// What a record says of every solve, whatever its family (results/README.md, `solver`).
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "kernels/core/source_place.hpp"
#include "solvers/core/outcome.hpp"

namespace cfdmark {

inline nlohmann::json facts_of(const Outcome& outcome) {
  nlohmann::json facts = {{"iterations", outcome.iterations},
                          {"converged", outcome.converged},
                          {"relative_residual", outcome.relative_residual},
                          {"residuals", nlohmann::json::object()},
                          {"history", outcome.history}};
  for (const NamedValue& r : outcome.residuals) facts["residuals"][r.name] = r.value;
  for (const NamedValue& result : outcome.results) facts[result.name] = result.value;
  for (const RoutineTime& r : outcome.routines)
    facts["routines"].push_back({{"name", r.name}, {"seconds", r.seconds}, {"calls", r.calls}});
  return facts;
}

// "solvers/linear/cg.cpp" from the place in that file; nothing for the row that says that a backend is not
// there.
inline std::string solver_file(SourcePlace where) {
  const std::string file = where.file;
  const auto begin = file.rfind("solvers/");
  return begin == std::string::npos ? "" : file.substr(begin);
}

}  // namespace cfdmark

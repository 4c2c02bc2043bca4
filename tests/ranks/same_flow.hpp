// Bitwise comparison of flows on ranks, for tests.
#pragma once

#include <tuple>

#include "tests/ranks/same_bits.hpp"
#include "tests/solvers/flow/flow_solve.hpp"

namespace cfdmark {

// Returns the first difference of each field; empty if there is none.
inline std::string difference_of(const FlowFields& found, const FlowFields& expected) {
  std::string all;
  const FlowFields &a = found, &b = expected;
  const std::tuple<const char*, const HostField*, const HostField*> fields[] = {
      {"u", &a.u, &b.u},
      {"v", &a.v, &b.v},
      {"w", &a.w, &b.w},
      {"p", &a.p, &b.p},
      {"mass_x", &a.mass_x, &b.mass_x},
      {"mass_y", &a.mass_y, &b.mass_y},
      {"mass_z", &a.mass_z, &b.mass_z},
      {"T", &a.temperature, &b.temperature}};
  for (const auto& [name, one, other] : fields) {
    if (other->bytes() == 0) continue;
    if (const std::string where = difference_of(*one, *other); !where.empty()) all += name + (": " + where);
  }
  if (!equal_bits(a.time, b.time)) all += "another time; ";
  return all;
}

// Returns what differs in residuals, results and fields; empty if nothing.
inline std::string difference_of(const SolvedFlow& found, const SolvedFlow& expected) {
  std::string all = difference_of(found.outcome, expected.outcome);
  if (found.results.size() != expected.results.size()) return all + "another number of results; ";
  for (std::size_t n = 0; n < expected.results.size(); ++n)
    if (!equal_bits(found.results[n].value, expected.results[n].value))
      all += fmt::format("{} is {} instead of {}; ", expected.results[n].name, found.results[n].value,
                         expected.results[n].value);
  return all + difference_of(found.flow, expected.flow);
}

}  // namespace cfdmark

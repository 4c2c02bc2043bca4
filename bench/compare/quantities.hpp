// The quantities that a case uses besides time. They do not drift with the machine, so a change beyond a
// threshold needs no statistics.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/compare/side.hpp"

namespace cfdmark::compare {

struct Quantity {
  std::string name, unit;
  bool less_is_better;
  double threshold;  // relative change, against the base value, that must be exceeded
  double slack;      // absolute change that must be exceeded as well
  // Returns the value from a record; none if it is not recorded.
  std::optional<double> (*of)(const Json& record);
};

const std::vector<Quantity>& quantities();

// Thresholds by quantity name that replace the defaults.
using Thresholds = std::map<std::string, double>;
// Parses texts such as "registers=10%". Throws std::invalid_argument, with a suggestion for an unknown name.
Thresholds thresholds_from(const std::vector<std::string>& texts);

enum class Direction { better, unchanged, worse };
struct QuantityChange {
  const Quantity* quantity;
  double base, now;
  Direction direction;
};
// Returns the quantities that both sides recorded and that differ at all. Each value is the median over
// processes.
std::vector<QuantityChange> quantity_changes(const SideCase& base, const SideCase& now, const Thresholds&);

// Returns, for example, "registers 32 -> 40".
std::string to_text(const QuantityChange&);

}  // namespace cfdmark::compare

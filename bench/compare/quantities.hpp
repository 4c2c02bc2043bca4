// What a case uses besides time. None of it drifts with the machine, so a change beyond a threshold is a
// finding without any statistics.
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
  double threshold;  // a change of more than this part of the base value matters,
  double slack;      // if it is also more than this much
  // From a record; nothing if it does not say.
  std::optional<double> (*of)(const Json& record);
};

const std::vector<Quantity>& quantities();

// Threshold by quantity name, for those that are not to have their own.
using Thresholds = std::map<std::string, double>;
// From "registers=10%" and the like. Throws std::invalid_argument, with the name that was meant.
Thresholds thresholds_from(const std::vector<std::string>& texts);

enum class Direction { better, unchanged, worse };
struct QuantityChange {
  const Quantity* quantity;
  double base, now;
  Direction direction;
};
// Those that both sides know and that differ at all. Of several processes, the median.
std::vector<QuantityChange> quantity_changes(const SideCase& base, const SideCase& now, const Thresholds&);

// "registers 32 -> 40"
std::string to_text(const QuantityChange&);

}  // namespace cfdmark::compare

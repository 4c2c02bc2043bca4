// Objectives of a tune: time, energy, memory.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/text/json.hpp"
#include "tuning/size_ranges.hpp"

namespace cfdmark::tuning {

enum class Objective {
  time,
  energy,  // least energy within `most_time_for_energy` times the least time
  memory   // least time among the candidates with the fewest bytes of fields
};
std::string_view to_string(Objective);
// Throws std::invalid_argument that lists the objectives.
Objective objective_from(const std::string& word);

inline constexpr double most_time_for_energy = 1.25;
// Relative difference below which two energies are equal: the counter updates only every 0.1 s.
inline constexpr double energy_effect = 0.03;

// Returns joules per step or bytes of fields from a candidate's record.
std::optional<double> objective_quantity(const Json& record, Objective);

// Returns the table from which ranges are chosen. `times` are from confirming processes, `quantities` belong
// to the same candidates. For energy the table holds joules, for memory the times of the candidates with the
// fewest bytes, else the times unchanged. A size without any value keeps its default.
SizeTimes by_objective(SizeTimes times, const std::vector<std::optional<double>>& quantities, Objective);

// Returns the rule by which a config was chosen.
std::string objective_rule(Objective, bool is_default);

}  // namespace cfdmark::tuning

// Objectives of a tune: time, energy, memory.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bench/record/json.hpp"
#include "tuning/size_ranges.hpp"

namespace cfdmark::tuning {

enum class Aim {
  time,
  energy,  // least energy within `most_time_for_energy` times the least time
  memory   // least time among the candidates with the fewest bytes of fields
};
std::string_view to_string(Aim);
// Throws std::invalid_argument that lists the objectives.
Aim aim_from(const std::string& word);

inline constexpr double most_time_for_energy = 1.25;
// Relative difference below which two energies are equal: the counter updates only every 0.1 s.
inline constexpr double energy_effect = 0.03;

// Returns joules per step or bytes of fields from a candidate's record.
std::optional<double> aimed_quantity(const Json& record, Aim);

// Returns the table from which ranges are chosen. `times` are from confirming processes, `quantities` belong
// to the same candidates. For energy the table holds joules, for memory the times of the candidates with the
// fewest bytes, else the times unchanged. A size without any value keeps its default.
SizeTimes aimed(SizeTimes times, const std::vector<std::optional<double>>& quantities, Aim);

// Returns the rule by which a config was chosen.
std::string aimed_rule(Aim, bool is_default);

}  // namespace cfdmark::tuning

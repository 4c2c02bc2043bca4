// What a tune chooses by: time, or what else it weighs.
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
  energy,  // the least of those that take at most `most_time_for_energy` times the least time
  memory   // the fastest of those with the fewest bytes of fields
};
std::string_view to_string(Aim);
// Throws std::invalid_argument with the words that there are.
Aim aim_from(const std::string& word);

inline constexpr double most_time_for_energy = 1.25;
// Two energies that are nearer than this are as good: a counter that moves every 0.1 s tells a step's no
// better.
inline constexpr double energy_effect = 0.03;

// Joules a step, or bytes of fields, as a candidate's record has them.
std::optional<double> aimed_quantity(const Json& record, Aim);

// The table from which ranges are chosen, by what is aimed at. `times`: by fresh processes, `quantities`: of
// the same candidates. Of energy the numbers in it are joules, of memory the times of those with the least,
// else the times as they are. A size where nothing is known keeps its default.
SizeTimes aimed(SizeTimes times, const std::vector<std::optional<double>>& quantities, Aim);

// Why a config was chosen.
std::string aimed_rule(Aim, bool is_default);

}  // namespace cfdmark::tuning

// Which config the tuned tables have for a case, and how well that fits.
#pragma once

#include "bench/tune/tuned_table.hpp"

namespace cfdmark::tuning {

// Ordered: the better match is the lesser.
enum class TunedMatch { exact, nearest_size, same_architecture, none };
std::string_view to_string(TunedMatch);

struct TunedAnswer {
  TunedMatch match = TunedMatch::none;
  Config config;  // the row's defaults for none
  const Json* entry = nullptr;
  std::string device;  // that it was tuned on; empty for none
};

// The config of the row, so of its method, on this grid. An entry counts if its search was over this method
// alone, or over all and this one won; if the source has not changed since; if its config is valid here; and
// if a kernel was asked the same. One tuned for another architecture never counts, whatever its device's
// name.
//   exact               this device, this grid; for a solver also problem and tolerance
//   nearest_size        this device, the grid of the same dimension whose number of points is nearest
//   same_architecture   another device of the same architecture, likewise the nearest
//   none                the defaults
// `source_hash`: of the row as it is now.
TunedAnswer look_up(const TunedTables&, const TuningDevice&, const Row&, const Grid&, const Config& question,
                    const std::string& source_hash);

// Gives each case that wants a tuned config one, and notes where it comes from. `environment` describes this
// machine; the tables' warnings go to `warn`.
void use_tuned_configs(std::vector<Case>&, const TunedTables&, const Json& environment,
                       const std::function<void(const std::string&)>& warn);

// What those cases got, for people: "2 exact, 1 nearest_size (up to 64 times as many points or as few)".
// Empty if no case wanted a tuned config.
std::string tuned_matches_text(const std::vector<Case>&);

// How far apart two grids are: how many times as many points the larger has.
double size_ratio(const Grid&, const Grid&);

Grid grid_of(const Json& entry);
// The config of an entry's `winner`, `default` or tie, in the order of the row's space; unset parameters are
// left out.
Config config_of(const Json& choice, const TuningSpace&);

}  // namespace cfdmark::tuning

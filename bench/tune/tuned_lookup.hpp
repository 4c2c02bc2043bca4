// Which config the tuned tables have for a case, and how well that fits.
#pragma once

#include <optional>

#include "bench/tune/tuned_range.hpp"
#include "bench/tune/tuned_table.hpp"

namespace cfdmark::tuning {

// Ordered: the better match is the lesser.
enum class TunedMatch { exact, in_range, same_architecture, outside, none };
std::string_view to_string(TunedMatch);
// Whether the config is a tuned one, not the defaults.
bool is_tuned(TunedMatch);

struct TunedAnswer {
  TunedMatch match = TunedMatch::none;
  Config config;                // the row's defaults for outside and none
  const Json* entry = nullptr;  // for outside the one whose sizes are nearest
  std::string device;           // that it was tuned on; empty for none

  bool is_tuned() const { return tuning::is_tuned(match); }
};

// The config of the row, so of its method, on this grid. An entry counts if it was chosen by time, if its
// search was over this method alone, or over all and this one won; if the source has not changed since; if
// its config is valid here, and no more of its blocks wait for each other than it says; and if a kernel
// was asked the same. One tuned for another architecture never counts, whatever its device's name.
//   exact               this device, a size that it was tuned on; for a solver also problem and tolerance
//   in_range            this device, a range of sizes that covers this one
//   same_architecture   another device of the same architecture, a range that covers this size
//   outside             no range covers this size: the defaults
//   none                nothing was tuned: the defaults
// Of several ranges that cover it the narrowest counts, which was tuned the most closely. Where too many
// blocks of what covers it would wait, the range that begins at its end counts as covering it too.
// `source_hash`: of the row as it is now; nothing: an entry counts whatever its source was.
TunedAnswer look_up(const TunedTables&, const TuningDevice&, const Row&, const Grid&, const Config& question,
                    const std::optional<std::string>& source_hash);

// The same of the best match of several methods of one kernel or solver, and which method that is; null where
// nothing tuned applies, or the default won: whichever that is at the size. Of as good matches the one of the
// narrowest range.
struct TunedMethod {
  const Row* row = nullptr;
  TunedAnswer answer;

  bool is_tuned() const { return answer.is_tuned(); }
};
enum class Sources { as_now, any };  // of the entries that count
TunedMethod look_up_method(const TunedTables&, const TuningDevice&, const std::vector<const Row*>&,
                           const Grid&, const Config& question, Sources = Sources::as_now);

// Whether the entry's winner is one of these methods, of one kernel or solver, and its source is as it was.
bool is_current(const Json& entry, const std::vector<const Row*>& methods);

// Gives each case that wants a tuned config one, and notes where it comes from. A solver with levels that
// nothing was tuned for looks up their kernels, by each level's size (tuned_levels.hpp). `environment`
// describes this machine; the tables' warnings go to `warn`.
void use_tuned_configs(std::vector<Case>&, const TunedTables&, const Json& environment,
                       const std::function<void(const std::string&)>& warn);

// What those cases got, for people: "2 exact, 1 outside (the defaults; up to 64 times as many points or as
// few as what was tuned)". Empty if no case wanted a tuned config.
std::string tuned_matches_text(const std::vector<Case>&);

// The config of an entry's `winner`, `default` or tie, in the order of the row's space; unset parameters are
// left out.
Config config_of(const Json& choice, const TuningSpace&);

}  // namespace cfdmark::tuning

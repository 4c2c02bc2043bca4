// Tuned configs for the kernels of multigrid levels, looked up by the size of each level.
#pragma once

#include <memory>

#include "bench/catalog/catalog.hpp"
#include "bench/catalog/solver_rows.hpp"
#include "bench/tuned/tuned_lookup.hpp"
#include "solvers/base/level_configs.hpp"

namespace cfdmark::tuning {

class TunedLevels {
 public:
  // Takes the tables, the device, and the rows of the kernels; `rows` must outlive this object.
  TunedLevels(TunedTables, TuningDevice, BackendKind, const std::vector<Row>& rows = catalog());

  // Returns a function that looks up each kernel like a case of that kernel, and notes the result. It returns
  // an empty config if no tuned one applies: the kernel then runs with its default. The function must not
  // outlive this object.
  LevelConfigs configs();
  // Returns the distinct look-ups in order: {"grid", "kernel": "residual/plain", "match", "config"}.
  const Json& found() const { return found_; }

 private:
  Config look_up(const LevelKernel&);

  TunedTables tables_;
  TuningDevice device_;
  BackendKind kind_;
  const std::vector<Row>& rows_;
  Json found_ = Json::array();
};

// Returns the tuned levels from this machine's tables if the config has level_blocks=tuned, else null.
std::unique_ptr<TunedLevels> tuned_levels(const Config&, DeviceId);
// Returns the same as a lookup for the catalog's solvers (set_level_lookup).
LevelLookup look_up_levels(const Config&, DeviceId);
// Sets level_blocks=tuned if the row has levels.
void ask_for_tuned_levels(const Row&, Config&);

}  // namespace cfdmark::tuning

// What the tuned tables have for the kernels of multigrid's levels, each by the level's own size.
#pragma once

#include <memory>

#include "bench/tune/tuned_lookup.hpp"
#include "solvers/linear/level_configs.hpp"

namespace cfdmark::tuning {

class TunedLevels {
 public:
  // rows: that have the kernels; they outlive this.
  TunedLevels(TunedTables, TuningDevice, BackendKind, const std::vector<Row>& rows = catalog());

  // Looks each up as a case of that kernel, and notes it. Nothing where nothing tuned applies: the kernel is
  // run as if nobody had asked. What is returned must not outlive this.
  LevelConfigs configs();
  // What was asked, each once: {"grid", "kernel": "residual/plain", "match", "config"}; in the order of the
  // cycle's making.
  const Json& found() const { return found_; }

 private:
  Config look_up(const LevelKernel&);

  TunedTables tables_;
  TuningDevice device_;
  BackendKind kind_;
  const std::vector<Row>& rows_;
  Json found_ = Json::array();
};

// By this machine's usual tables, if a config says level_blocks=tuned; else none.
std::unique_ptr<TunedLevels> tuned_levels(const Config&, DeviceId);
// Has a config ask for them, where the row has levels.
void ask_for_tuned_levels(const Row&, Config&);

}  // namespace cfdmark::tuning

#include "bench/tuned/tuned_levels.hpp"

#include <algorithm>

#include "bench/catalog/source_hash.hpp"
#include "bench/record/config_json.hpp"
#include "bench/record/environment.hpp"
#include "solvers/linear/multigrid/level_blocks.hpp"

namespace cfdmark::tuning {

TunedLevels::TunedLevels(TunedTables tables, TuningDevice device, BackendKind kind,
                         const std::vector<Row>& rows)
    : tables_(std::move(tables)), device_(std::move(device)), kind_(kind), rows_(rows) {}

LevelConfigs TunedLevels::configs() {
  return [this](const LevelKernel& kernel) { return look_up(kernel); };
}

Config TunedLevels::look_up(const LevelKernel& asked) {
  const auto row = std::find_if(rows_.begin(), rows_.end(), [&](const Row& r) {
    return r.kind == RowKind::kernel && r.name == asked.kernel && r.backend == kind_ &&
           r.precision == asked.precision && r.method == asked.method;
  });
  if (row == rows_.end()) return {};
  const Config workload{{"operator", asked.constant_operator ? "constant" : "arrays"}};
  const TunedAnswer answer = tuning::look_up(tables_, device_, *row, asked.grid, workload, source_hash(*row));
  const Config config = is_tuned(answer.match) ? answer.config : Config{};
  const Json one = {{"grid", grid_text(asked.grid)},
                    {"kernel", asked.kernel + "/" + asked.method},
                    {"match", to_string(answer.match)},
                    {"config", config_json(config)}};
  if (std::find(found_.begin(), found_.end(), one) == found_.end()) found_.push_back(one);
  return config;
}

std::unique_ptr<TunedLevels> tuned_levels(const Config& config, DeviceId id) {
  if (!config.is(level_blocks_setting().name, "tuned")) return nullptr;
  return std::make_unique<TunedLevels>(read_usual_tuned_tables(), tuning_device(describe_environment(), id),
                                       id.kind);
}

LevelLookup look_up_levels(const Config& config, DeviceId id) {
  const std::shared_ptr<TunedLevels> levels = tuned_levels(config, id);
  if (!levels) return {};
  return {levels->configs(), [levels] { return levels->found(); }};
}

void ask_for_tuned_levels(const Row& row, Config& config) {
  const std::string name = level_blocks_setting().name;
  if (find_setting(row.space.settings, name)) config.set(name, "tuned");
}

}  // namespace cfdmark::tuning

#include "bench/tune/job.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/record/config_json.hpp"
#include "bench/tuned/tuned_lookup.hpp"

namespace cfdmark::tuning {
namespace {

// Seconds that a job needs: per job, per grid, per config of a grid, and per gigabyte of its fields, which
// three processes fill (docs/decisions).
constexpr double of_a_job = 1, of_a_grid = 0.35, of_a_config = 0.005, of_a_gigabyte = 0.25;
// Weight of configs with long samples: solvers, and methods with several steps per run, which also compile
// slowly.
constexpr double weight_of_long_samples = 4;

bool has_long_samples(const Row& row) { return row.several_steps || row.kind == RowKind::solver; }

double combinations(const Row& row) {
  double count = 1;
  for (const Setting& s : row.space.settings) count *= double(std::max<std::size_t>(s.values.size(), 1));
  return count;
}

// Returns the configs per grid that count for the job's share.
double counted_configs(const TuneJob& job) {
  double configs = 0;
  for (const Row* row : job.targets.front().methods)
    if (row->unavailable.empty())
      configs += combinations(*row) * (has_long_samples(*row) ? weight_of_long_samples : 1);
  return std::min(configs, weight_of_long_samples * double(most_configs));
}

double gigabytes(const TuneJob& job) {
  double bytes = 0;
  for (const TuningTarget& s : job.targets)
    if (job.row().field_bytes) bytes += job.row().field_bytes(s.grid, s.workload);
  return bytes / 1e9;
}

bool asks_the_same(const Json& entry, const TuneJob& job, const TuneOptions& options) {
  const Row& row = job.row();
  const TuningTarget& target = job.targets.front();
  return entry.at("kind") == to_string(row.kind) && entry.at("name") == row.name &&
         entry.at("backend") == to_string(row.backend) && entry.at("precision") == to_string(row.precision) &&
         entry.at("scope") == job.scope &&
         entry.value("workload", Json::object()) == config_json(target.workload) &&
         entry.value("objective", "time") == to_string(options.objective) &&
         entry.value("range", Json::object()).contains("mean_regret") == options.one_answer;
}

}  // namespace

std::string job_name(const TuneJob& job) {
  const Row& row = job.row();
  const Grid &first = job.targets.front().grid, &last = job.targets.back().grid;
  return fmt::format("{}{}/{}/{} on {}{}", row.kind == RowKind::solver ? "solver " : "", row.name,
                     to_string(DeviceId(row.backend, job.targets.front().device)), to_string(row.precision),
                     grid_text(first), first == last ? "" : " to " + grid_text(last));
}

double job_weight(const TuneJob& job) { return counted_configs(job) * double(job.targets.size()); }

double seconds_needed(const TuneJob& job) {
  const std::vector<const Row*>& methods = job.targets.front().methods;
  const double weight =
      std::any_of(methods.begin(), methods.end(), [](const Row* row) { return has_long_samples(*row); })
          ? weight_of_long_samples
          : 1;
  return of_a_job + of_a_grid * weight * double(job.targets.size()) + of_a_config * counted_configs(job) +
         of_a_gigabyte * gigabytes(job);
}

std::vector<Grid> answered_grids(const TuneJob& job, const TuneOptions& options,
                                 const std::vector<Json>& entries) {
  std::vector<Grid> grids;
  for (const Json& entry : entries) {
    if (!asks_the_same(entry, job, options) || !is_current(entry, job.targets.front().methods)) continue;
    for (const Grid& grid : answered_sizes_of(entry)) grids.push_back(grid);
    for (const Grid& grid : left_out_of(entry)) grids.push_back(grid);
  }
  return grids;
}

bool is_answered(const TuneJob& job, const TuneOptions& options, const std::vector<Json>& entries) {
  const std::vector<Grid> answered = answered_grids(job, options, entries);
  return std::all_of(job.targets.begin(), job.targets.end(), [&](const TuningTarget& s) {
    return std::find(answered.begin(), answered.end(), s.grid) != answered.end();
  });
}

}  // namespace cfdmark::tuning

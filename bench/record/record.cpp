#include "bench/record/record.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "bench/record/config_json.hpp"
#include "bench/record/interval_json.hpp"
#include "kernels/core/cache_regime.hpp"

namespace cfdmark {

std::string label_of(const Json& record) { return record.value("label", record.value("case", "")); }

Json time_json(const ProcessSamples& processes, int steps_per_sample, const std::string& stopped_by) {
  std::vector<double> samples;
  std::vector<std::size_t> counts;
  for (const std::vector<double>& of_process : processes) {
    samples.insert(samples.end(), of_process.begin(), of_process.end());
    counts.push_back(of_process.size());
  }
  const MedianInterval interval = median_interval(processes);
  Json json = {{"samples", samples},
               {"processes", counts},
               {"steps_per_sample", steps_per_sample},
               {"median", interval.median}};
  add_interval(json, interval, "ci_low", "ci_high");
  if (has_interval(interval)) json["confidence"] = interval.confidence;
  json["stopped_by"] = stopped_by;
  return json;
}

std::optional<ProcessSamples> process_samples(const Json& record) try {
  const Json& time = record.at("time");
  const std::vector<double> samples = time.at("samples");
  const std::vector<std::size_t> counts = time.value("processes", std::vector{samples.size()});
  ProcessSamples processes;
  auto next = samples.begin();
  for (const std::size_t count : counts) {
    if (count == 0 || count > std::size_t(samples.end() - next)) return std::nullopt;
    processes.emplace_back(next, next + std::ptrdiff_t(count));
    next += std::ptrdiff_t(count);
  }
  if (processes.empty() || next != samples.end()) return std::nullopt;
  return processes;
} catch (const Json::exception&) {
  return std::nullopt;
}

double sampled_seconds(const Json& record) {
  const Json& time = record.at("time");
  double seconds = 0;
  for (const Json& s : time.at("samples")) seconds += s.get<double>();
  return seconds * time.value("steps_per_sample", 1.0);
}

void set_samples(Json& record, const ProcessSamples& processes, const std::string& stopped_by) {
  record["time"] = time_json(processes, record.at("time").value("steps_per_sample", 1), stopped_by);
  const double median = record["time"]["median"];
  if (record.contains("cost"))
    record["rate"] = rate_json(cost_of(record), median, record.value("roof", Json()));
  if (record.contains("solver"))
    record["solver"]["time_per_iteration"] = median / std::max(1, record["solver"].value("iterations", 1));
}

void add_process(Json& record, const Json& again) {
  ProcessSamples all = process_samples(record).value();
  const ProcessSamples further = process_samples(again).value();
  all.insert(all.end(), further.begin(), further.end());
  const std::string before = record["time"].value("stopped_by", ""),
                    now = again["time"].value("stopped_by", "");
  set_samples(record, all, before == now ? now : "budget");
  add_sample_iterations(record, again);
  for (const auto& [part, seconds] : again["overhead"].items())
    record["overhead"][part] = record["overhead"].value(part, 0.0) + seconds.get<double>();
}

void add_sample_iterations(Json& record, const Json& again) {
  const auto where = "/solver/sample_iterations"_json_pointer;
  if (!record.contains(where) || !again.contains(where)) return;
  for (const Json& iterations : again.at(where)) record[where].push_back(iterations);
}

void fail_if_work_differs(Json& record) {
  const auto where = "/solver/sample_iterations"_json_pointer;
  if (!record.contains(where)) return;
  const int expected = record["solver"].value("iterations", 0);
  for (std::size_t n = 0; n < record[where].size(); ++n) {
    const int made = record[where][n];
    if (made == expected) continue;
    record["status"] = "failed";
    record["reason"] = fmt::format(
        "its samples differ in work: the solve took {} iterations, sample {} took {}", expected, n + 1, made);
    for (const char* of_time : {"time", "rate", "energy", "instructions"}) record.erase(of_time);
    record["solver"].erase("time_per_iteration");
    return;
  }
}

Cost cost_of(const Json& record) {
  const Json cost = record.value("cost", Json::object());
  return {cost.value("bytes", 0.0), cost.value("flops", 0.0), cost.value("cells", 0.0)};
}

Json cost_json(const Cost& cost) {
  return {{"bytes", cost.bytes}, {"flops", cost.flops}, {"cells", cost.cells}};
}

Json rate_json(const Cost& cost, double median, const Json& roof) {
  Json json = {{"lups", cost.cells / median}};
  if (cost.bytes == 0) return json;  // not known for a library's solver
  const double bandwidth = cost.bytes / median;
  json["bytes_per_second"] = bandwidth;
  if (!roof.is_null() && !roof.contains("unsound"))
    json["roof_fraction"] = bandwidth / roof.at("bytes_per_second").get<double>();
  return json;
}

Json cache_json(double working_set, double last_level) {
  Json json = {{"working_set_bytes", working_set}};
  if (last_level <= 0) return json;  // unknown
  json["last_level_bytes"] = last_level;
  json["regime"] = to_string(cache_regime(working_set / last_level));
  return json;
}

Json resources_json(const Resources& r) {
  Json json = Json::object();
  if (r.threads > 0) json["threads"] = r.threads;
  if (!r.tile.empty()) json["tile"] = r.tile;
  if (r.launches > 0) json["launches"] = r.launches;
  Json kernels = Json::array();  // each different one
  for (const KernelResources& k : r.kernels) {
    Json kernel = {{"name", k.name},
                   {"block", {k.block[0], k.block[1], k.block[2]}},
                   {"blocks", k.blocks},
                   {"resident_blocks", k.resident_blocks},
                   {"registers", k.registers},
                   {"shared_bytes", k.shared_bytes},
                   {"local_bytes", k.local_bytes},
                   {"occupancy", k.occupancy}};
    if (k.calls > 0) kernel.update({{"routine", k.routine}, {"calls", k.calls}});
    if (std::find(kernels.begin(), kernels.end(), kernel) == kernels.end())
      kernels.push_back(std::move(kernel));
  }
  if (!kernels.empty()) json["kernels"] = std::move(kernels);
  return json;
}

}  // namespace cfdmark

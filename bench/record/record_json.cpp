// A record as a line of JSON, and back. results/schema/record.schema.json is its counterpart.
#include "bench/record/config_json.hpp"
#include "bench/record/interval_json.hpp"
#include "bench/record/record.hpp"

namespace cfdmark {
namespace {

constexpr int schema = 2;

// Sets a value that is not null.
void set(Json& json, const char* key, Json value) {
  if (!value.is_null()) json[key] = std::move(value);
}
void set(Json& json, const char* key, const std::string& text) {
  if (!text.empty()) json[key] = text;
}
void set(Json& json, const char* key, const std::optional<double>& number) {
  if (number) json[key] = *number;
}

Json device_json(const Record& r) {
  Json json = {{"kind", r.id.backend}, {"index", r.id.device.value()}};
  set(json, "pci_bus_id", r.result.pci_bus_id);
  return json;
}

void add_id(Json& json, const Record& r) {
  const CaseId& id = r.id;
  json["case"] = id.name;
  set(json, "label", id.label);
  json["kind"] = id.kind;
  json["name"] = id.row;
  json["backend"] = id.backend;
  if (id.device) json["device"] = device_json(r);
  json["precision"] = id.precision;
  json["method"] = id.method;
  if (id.mesh.empty() && id.matrix.empty()) json["grid"] = id.grid;
  set(json, "mesh", id.mesh);
  set(json, "matrix", id.matrix);
  if (id.nodes > 0) json["nodes"] = id.nodes;
  json["config"] = config_json(id.config);
  if (!id.workload.empty()) json["workload"] = config_json(id.workload);
  if (id.tuned_match.empty()) return;
  Json& tuned = json["tuned"] = {{"match", id.tuned_match}};
  set(tuned, "device", id.tuned_device);
  set(tuned, "grid", id.tuned_grid);
}

Json time_json(const CaseResult& result, const MedianInterval& interval) {
  std::vector<double> samples;
  std::vector<std::size_t> counts;
  for (const std::vector<double>& of_process : result.samples) {
    samples.insert(samples.end(), of_process.begin(), of_process.end());
    counts.push_back(of_process.size());
  }
  Json json = {{"samples", samples},
               {"processes", counts},
               {"steps_per_sample", result.steps_per_sample},
               {"median", interval.median}};
  add_interval(json, interval, "ci_low", "ci_high");
  if (has_interval(interval)) json["confidence"] = interval.confidence;
  set(json, "stopped_by", result.stopped_by);
  if (result.samples_in_turn > 0) json["samples_in_turn"] = result.samples_in_turn;
  return json;
}

Json rate_json(const DerivedTimes& derived) {
  Json json;
  set(json, "lups", derived.lups);
  set(json, "bytes_per_second", derived.bytes_per_second);
  set(json, "roof_fraction", derived.roof_fraction);
  return json;
}

Json solver_json(const Record& r) {
  Json json = r.result.solver;
  if (json.is_null()) return json;
  if (r.derived) set(json, "time_per_iteration", r.derived->time_per_iteration);
  if (!r.result.sample_iterations.empty()) json["sample_iterations"] = r.result.sample_iterations;
  return json;
}

// Removes a member and returns it; null if there is none.
Json take(Json& from, const char* key) {
  const auto found = from.find(key);
  if (found == from.end()) return nullptr;
  Json value = std::move(*found);
  from.erase(found);
  return value;
}
template <class T>
T take(Json& from, const char* key, const T& without) {
  const Json value = take(from, key);
  return value.is_null() ? without : value.get<T>();
}
std::string take_text(Json& from, const char* key) { return take(from, key, std::string()); }

std::optional<double> number_in(const Json& json, const char* key) {
  return json.contains(key) ? std::optional(json[key].get<double>()) : std::nullopt;
}

CaseId take_id(Json& line) {
  CaseId id;
  id.name = take_text(line, "case");
  id.label = take_text(line, "label");
  id.kind = take_text(line, "kind");
  id.row = take_text(line, "name");
  id.backend = take_text(line, "backend");
  id.precision = take_text(line, "precision");
  id.method = take_text(line, "method");
  id.grid = take(line, "grid", std::vector<int>());
  id.mesh = take_text(line, "mesh");
  id.matrix = take_text(line, "matrix");
  id.nodes = take(line, "nodes", std::size_t(0));
  id.config = config_from_json(take(line, "config", Json::object()));
  id.workload = config_from_json(take(line, "workload", Json::object()));
  const Json tuned = take(line, "tuned", Json::object());
  id.tuned_match = tuned.value("match", "");
  id.tuned_device = tuned.value("device", "");
  id.tuned_grid = tuned.value("grid", "");
  return id;
}

void take_device(Json& line, Record& r) {
  const Json device = take(line, "device", Json::object());
  if (device.contains("index")) r.id.device = device["index"].get<int>();
  r.result.pci_bus_id = device.value("pci_bus_id", "");
}

void take_time(Json& line, Record& r) {
  const auto samples = process_samples(line);
  const Json time = take(line, "time");
  if (!samples) return;
  r.result.samples = *samples;
  r.result.steps_per_sample = time.value("steps_per_sample", 1);
  r.result.stopped_by = time.value("stopped_by", "");
  r.result.samples_in_turn = time.value("samples_in_turn", 0);
  MedianInterval& step = r.derived.emplace().step;
  step.median = time.contains("median") ? time["median"].get<double>() : median_interval(*samples).median;
  if (!time.contains("ci_low") || !time.contains("ci_high")) return;
  step.low = time["ci_low"], step.high = time["ci_high"];
  step.confidence = time.value("confidence", 0.95);  // older records do not state it
}

void take_rates(Json& line, Record& r) {
  const Json rate = take(line, "rate", Json::object());
  if (!r.derived) return;
  r.derived->lups = number_in(rate, "lups");
  r.derived->bytes_per_second = number_in(rate, "bytes_per_second");
  r.derived->roof_fraction = number_in(rate, "roof_fraction");
}

void take_solver(Json& line, Record& r) {
  Json& solver = r.result.solver = take(line, "solver");
  if (solver.is_null()) return;
  r.result.sample_iterations = take(solver, "sample_iterations", std::vector<int>());
  const Json seconds = take(solver, "time_per_iteration");
  if (r.derived && !seconds.is_null()) r.derived->time_per_iteration = seconds.get<double>();
}

}  // namespace

Json cost_json(const Cost& cost) {
  return {{"bytes", cost.bytes}, {"flops", cost.flops}, {"cells", cost.cells}};
}

Json cache_json(const CacheUse& use) {
  Json json = {{"working_set_bytes", use.working_set_bytes}};
  if (use.last_level_bytes > 0) json["last_level_bytes"] = use.last_level_bytes;
  set(json, "regime", regime_of(use));
  return json;
}

Json overhead_json(const Overhead& o) {
  Json json = {{"prepare", o.prepare}, {"verify", o.verify}};
  set(json, "warm_up", o.warm_up);
  set(json, "reset", o.reset);
  return json;
}

void read_sizes(const Json& object, CaseResult& r) {
  if (const auto cost = object.find("cost"); cost != object.end())
    r.cost = Cost{cost->value("bytes", 0.0), cost->value("flops", 0.0), cost->value("cells", 0.0)};
  if (const auto cache = object.find("cache"); cache != object.end())
    r.cache = CacheUse{cache->value("working_set_bytes", 0.0), cache->value("last_level_bytes", 0.0)};
  if (const auto overhead = object.find("overhead"); overhead != object.end())
    r.overhead = Overhead{overhead->value("prepare", 0.0), overhead->value("verify", 0.0),
                          number_in(*overhead, "warm_up"), number_in(*overhead, "reset")};
}

Json to_json(const Record& r) {
  const CaseResult& result = r.result;
  Json json = {{"type", "record"}, {"schema", schema}};
  add_id(json, r);
  json["status"] = result.status;
  set(json, "reason", result.reason);
  set(json, "failure", result.failure);
  if (r.derived) json["time"] = time_json(result, r.derived->step);
  if (result.cost) json["cost"] = cost_json(*result.cost);
  if (r.derived) set(json, "rate", rate_json(*r.derived));
  if (result.cache) json["cache"] = cache_json(*result.cache);
  set(json, "roof", r.roof);
  set(json, "verification", result.verification);
  set(json, "resources", result.resources);
  set(json, "memory", result.memory);
  if (result.overhead) json["overhead"] = overhead_json(*result.overhead);
  set(json, "environment", r.environment);
  set(json, "source", r.source);
  set(json, "device_state", result.device_state);
  set(json, "solver", solver_json(r));
  set(json, "energy", result.energy);
  set(json, "instructions", result.instructions);
  set(json, "mesh_facts", result.mesh_facts);
  set(json, "ranks", result.ranks);
  if (r.over_plain > 0) json["target"] = {{"over_plain", r.over_plain}};
  set(json, "tuning", r.tuning);
  if (r.round > 0) json["round"] = r.round;
  json.update(r.unknown);
  return json;
}

Record record_from_json(const Json& record) {
  Json line = record;  // members are taken out until the unknown ones remain
  for (const char* fixed : {"type", "schema"}) line.erase(fixed);
  Record r;
  r.id = take_id(line);
  take_device(line, r);
  r.result.status = take_text(line, "status");
  r.result.reason = take_text(line, "reason");
  r.result.failure = take_text(line, "failure");
  take_time(line, r);
  take_rates(line, r);
  read_sizes(line, r.result);
  for (const char* read : {"cost", "cache", "overhead"}) line.erase(read);
  r.roof = take(line, "roof");
  r.result.verification = take(line, "verification");
  r.result.resources = take(line, "resources");
  r.result.memory = take(line, "memory");
  r.environment = take_text(line, "environment");
  r.source = take_text(line, "source");
  r.result.device_state = take(line, "device_state");
  take_solver(line, r);
  r.result.energy = take(line, "energy");
  r.result.instructions = take(line, "instructions");
  r.result.mesh_facts = take(line, "mesh_facts");
  r.result.ranks = take(line, "ranks");
  r.over_plain = take(line, "target", Json::object()).value("over_plain", 0.0);
  r.tuning = take(line, "tuning");
  r.round = take(line, "round", 0);
  r.unknown = std::move(line);
  return r;
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

}  // namespace cfdmark

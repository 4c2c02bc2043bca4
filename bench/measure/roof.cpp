#include "bench/measure/roof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/case/ranked_case.hpp"
#include "bench/measure/fastest_method.hpp"
#include "bench/record/config_json.hpp"
#include "bench/record/interval_json.hpp"
#include "kernels/copy/copy.hpp"
#include "kernels/triad/triad.hpp"

namespace cfdmark {
namespace {

// Three fields, with the arguments of the kernels that run on them.
class RoofProblem {
 public:
  RoofProblem(const RoofKey& key, Backend& backend)
      : key_(key), backend_(backend), grid_(roof_grid(backend, key.storage)) {
    for (Field& f : fields_) f = Field(backend, grid_, key.storage);
  }

  CellArgs<Copy> copy() const { return {key_.storage, {}, {fields_[0].view(), fields_[2].view()}}; }
  CellArgs<Triad> triad() const {
    return {.precision = key_.storage,
            .kernel = {.s = 0.4},
            .fields = {.b = fields_[0].view(), .c = fields_[1].view(), .a = fields_[2].view()}};
  }

  // Returns bytes per second; 0 if the backend has no method. A host reads the cache lines of a store first,
  // so the stored field is moved twice.
  template <class K>
  MedianInterval best_bandwidth(const CellArgs<K>& a, const std::function<void()>& entering) const {
    const MedianInterval time =
        time_of_fastest(backend_, key_, a, {.seconds = 0.3, .max_rounds = 2}, entering);
    return time.median > 0 ? amount_per_second(cell_cost(a).bytes + allocated_bytes(), time)
                           : MedianInterval{};
  }

 private:
  double allocated_bytes() const {
    return backend_.host_accessible() ? double(stored_bytes(key_.storage)) * double(grid_.cells()) : 0;
  }

  RoofKey key_;
  Backend& backend_;
  Grid grid_;
  Field fields_[3];
};

}  // namespace

RoofKey roof_key(const Case& c) {
  RoofKey key{device_of(c), storage_of(c.row->precision), {}};
  if (c.config.has("threads")) key.config.set("threads", c.config.at("threads"));
  // Ranks of a host together reach what as many threads of OpenMP reach.
  if (const int ranks = ranks_of(c.config).count; ranks > 1) {
    const int threads = c.config.has("threads") ? c.config.integer("threads") : 1;
    key.device = {BackendKind::openmp, 0};
    key.config.set("threads", ranks * threads);
  }
  return key;
}

std::string roof_name(const RoofKey& key) {
  return fmt::format("{}/{}{}{}", to_string(key.device), to_string(key.storage),
                     key.config.empty() ? "" : ":", key.config.text());
}

Grid roof_grid(const Backend& backend, Precision storage) {
  const double least = backend.host_accessible() ? 64e6 : 512e6;
  const double wanted = std::max(least, 2 * double(backend.last_level_cache()));
  const double bytes = std::min(wanted, double(backend.free_memory()) / 12);
  const int side = int(std::sqrt(bytes / double(stored_bytes(storage)))) / 32 * 32;
  return {std::max(side, 32), std::max(side, 32), 1};
}

Json measure_roof(const RoofKey& key, const std::function<void()>& entering) {
  // Page placement affects bandwidth, so the better of two sets of fields counts.
  const RoofProblem problems[2] = {{key, backend(key.device)}, {key, backend(key.device)}};
  MedianInterval copy, triad;
  const auto keep_better = [](MedianInterval& best, const MedianInterval& next) {
    if (next.median > best.median) best = next;
  };
  for (const RoofProblem& problem : problems) {
    keep_better(copy, problem.best_bandwidth(problem.copy(), entering));
    keep_better(triad, problem.best_bandwidth(problem.triad(), entering));
  }
  Json entries = Json::array();
  if (copy.median > 0) entries.push_back(roof_entry(key, "copy", copy));
  if (triad.median > 0) entries.push_back(roof_entry(key, "triad", triad));
  if (backend(key.device).host_accessible())
    for (Json& entry : entries) entry["write_allocate"] = true;
  return entries;
}

Json roof_entry(const RoofKey& key, const std::string& kernel, const MedianInterval& bytes_per_second) {
  Json entry = {{"backend", to_string(key.device.kind)},
                {"device", key.device.index},
                {"precision", to_string(key.storage)},
                {"config", config_json(key.config)},
                {"kernel", kernel},
                {"bytes_per_second", bytes_per_second.median}};
  add_interval(entry, bytes_per_second, "low", "high");
  return entry;
}

RoofKey roof_key_of(const Json& entry) {
  return {{backend_from(entry.at("backend").get<std::string>()), entry.value("device", 0)},
          precision_from(entry.at("precision").get<std::string>()),
          config_from_json(entry.at("config"))};
}

Json find_roof(const Json& roofs, const RoofKey& key) {
  const Json* best = nullptr;
  for (const Json& entry : roofs)
    if (roof_key_of(entry) == key && (!best || entry.at("bytes_per_second") > best->at("bytes_per_second")))
      best = &entry;
  if (!best) return nullptr;
  Json roof = {{"kernel", best->at("kernel")}, {"bytes_per_second", best->at("bytes_per_second")}};
  for (const char* fact : {"low", "high", "least", "write_allocate", "unsound"})
    if (best->contains(fact)) roof[fact] = best->at(fact);
  return roof;
}

}  // namespace cfdmark

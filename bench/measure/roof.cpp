#include "bench/measure/roof.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "bench/measure/measure.hpp"
#include "bench/record/config_json.hpp"
#include "kernels/backends/field.hpp"
#include "kernels/stream/stream.hpp"

namespace cfdmark {
namespace {

// Three fields and the methods that run over them.
class RoofProblem {
 public:
  RoofProblem(const RoofKey& key, Backend& backend)
      : key_(key), backend_(backend), grid_(roof_grid(backend, key.storage)) {
    for (Field& f : fields_) f = Field(backend, grid_, key.storage);
  }

  StreamArgs args(StreamOperation operation) const {
    return {key_.storage, grid_, operation, 0.4, fields_[0].view(), fields_[1].view(), fields_[2].view()};
  }

  // Of the fastest method, in bytes a second; 0 if the backend has none.
  double best_bandwidth(StreamOperation operation, const std::function<void()>& entering) const {
    const StreamArgs a = args(operation);
    std::vector<Timed> timed;
    std::vector<Step> steps;
    for (const auto& method : stream_methods(key_.backend)) {
      if (method.unsupported && !method.unsupported(a).empty()) continue;
      steps.push_back(method.prepare(backend_, a, with_threads(method.space)));
      timed.push_back({method.name, &backend_, steps.back().run, nullptr});
    }
    MeasureOptions options;
    options.seconds = 0.3;
    options.max_rounds = 2;
    options.entering = [&](std::size_t) { entering(); };
    double best = 0;
    measure(timed, options, [&](std::size_t, const Measurement& m) {
      if (m.error.empty()) best = std::max(best, stream_cost(a).bytes / m.interval.median);
    });
    return best;
  }

 private:
  Config with_threads(const TuningSpace& space) const {
    Config config = space.defaults();
    config.take_known(key_.config);
    return config;
  }

  RoofKey key_;
  Backend& backend_;
  Grid grid_;
  Field fields_[3];
};

}  // namespace

RoofKey roof_key(const Case& c) {
  RoofKey key{c.row->backend, storage_of(c.row->precision), {}};
  if (c.config.has("threads")) key.config.set("threads", c.config.at("threads"));
  return key;
}

std::string roof_name(const RoofKey& key) {
  return fmt::format("{}/{}{}{}", to_string(key.backend), to_string(key.storage),
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
  constexpr StreamOperation operations[] = {StreamOperation::copy, StreamOperation::triad};
  // Where the pages of a field happen to lie makes a difference: the better of two sets of fields.
  const RoofProblem problems[2] = {{key, backend(key.backend)}, {key, backend(key.backend)}};
  double best[2] = {0, 0};
  for (const RoofProblem& problem : problems)
    for (int n = 0; n < 2; ++n) best[n] = std::max(best[n], problem.best_bandwidth(operations[n], entering));
  Json entries = Json::array();
  for (int n = 0; n < 2; ++n)
    if (best[n] > 0)
      entries.push_back({{"backend", to_string(key.backend)},
                         {"precision", to_string(key.storage)},
                         {"config", config_json(key.config)},
                         {"kernel", operations[n] == StreamOperation::copy ? "copy" : "triad"},
                         {"bytes_per_second", best[n]}});
  return entries;
}

Json find_roof(const Json& roofs, const RoofKey& key) {
  for (const Json& roof : roofs)
    if (roof.at("kernel") == "triad" && roof.at("backend") == to_string(key.backend) &&
        roof.at("precision") == to_string(key.storage) && roof.at("config") == config_json(key.config))
      return {{"kernel", "triad"}, {"bytes_per_second", roof.at("bytes_per_second")}};
  return nullptr;
}

}  // namespace cfdmark

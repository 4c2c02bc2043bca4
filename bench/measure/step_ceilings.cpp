#include "bench/measure/step_ceilings.hpp"

#include <algorithm>
#include <cmath>

#include "bench/measure/fastest_method.hpp"
#include "bench/record/config_json.hpp"
#include "bench/record/interval_json.hpp"
#include "kernels/arithmetic/arithmetic.hpp"
#include "kernels/triad/triad.hpp"

namespace cfdmark {
namespace {

constexpr int least_side = 32;

// Enough cells to make the launch negligible, few enough that a step takes milliseconds on one core.
Grid arithmetic_grid(const Backend& backend) {
  const int side = backend.host_accessible() ? 256 : 4096;
  return {side, side, 1};
}

class StepCeilings {
 public:
  StepCeilings(const RoofKey& key, const std::function<void()>& entering)
      : key_(key), backend_(backend(key.device)), entering_(entering) {}

  template <class K>
  void arithmetic(const char* kernel) {
    const Grid grid = arithmetic_grid(backend_);
    const Field u(backend_, grid, key_.storage), out(backend_, grid, key_.storage);
    const CellArgs<K> args{key_.storage, K::description().timed, {u.view(), out.view()}};
    add("arithmetic", kernel, time_of(args), cell_cost(args).flops);
  }

  void triad(const char* of, const Grid& grid) {
    const Field b(backend_, grid, key_.storage), c(backend_, grid, key_.storage),
        a(backend_, grid, key_.storage);
    const CellArgs<Triad> args{.precision = key_.storage,
                               .kernel = {.s = 0.4},
                               .fields = {.b = b.view(), .c = c.view(), .a = a.view()}};
    add(of, "triad", time_of(args), cell_cost(args).bytes);
  }

  Json entries = Json::array();

 private:
  // Returns the better of two measurements, since a limit is what the device can do and disturbances only add
  // time.
  template <class K>
  MedianInterval time_of(const CellArgs<K>& args) const {
    const auto once = [&] {
      return time_of_fastest(backend_, key_, args, {.seconds = 0.05, .max_rounds = 1}, entering_);
    };
    const MedianInterval first = once(), second = once();
    return second.median > 0 && second.median < first.median ? second : first;
  }

  void add(const std::string& of, const char* kernel, const MedianInterval& time, double amount) {
    if (time.median <= 0) return;
    const MedianInterval value = of == "launch" ? time : amount_per_second(amount, time);
    entries.push_back({{"backend", to_string(key_.device.kind)},
                       {"device", key_.device.index},
                       {"precision", to_string(key_.storage)},
                       {"config", config_json(key_.config)},
                       {"of", of},
                       {"kernel", kernel},
                       {"value", value.median}});
    add_interval(entries.back(), value, "low", "high");
  }

  const RoofKey& key_;
  Backend& backend_;
  const std::function<void()>& entering_;
};

}  // namespace

std::vector<LimitsKey> limits_keys(const std::vector<Case>& cases) {
  std::vector<LimitsKey> keys;
  const auto want = [&](const RoofKey& key, bool LimitsKey::*what) {
    auto known =
        std::find_if(keys.begin(), keys.end(), [&](const LimitsKey& seen) { return seen.roof == key; });
    if (known == keys.end()) known = keys.insert(keys.end(), {key, false, false});
    *known.*what = true;
  };
  for (const Case& c : cases) {
    RoofKey key = roof_key(c);
    want(key, &LimitsKey::memory);
    if (c.row->precision == Precision::mixed) key.storage = Precision::fp64;
    want(key, &LimitsKey::arithmetic);
  }
  return keys;
}

LimitsKey without_known(LimitsKey key, const Json& entries) {
  for (const Json& entry : entries)
    if (roof_key_of(entry) == key.roof)
      (entry.at("of") == "arithmetic" ? key.arithmetic : key.memory) = false;
  return key;
}

Grid cache_grid(const Backend& backend, Precision storage) {
  const double bytes = double(backend.last_level_cache()) / 2 / 3;
  const int side = int(std::sqrt(bytes / double(stored_bytes(storage)))) / least_side * least_side;
  return {std::max(side, least_side), std::max(side, least_side), 1};
}

Json measure_limits(const LimitsKey& key, const std::function<void()>& entering) {
  StepCeilings ceilings(key.roof, entering);
  if (key.arithmetic) {
    ceilings.arithmetic<FusedMultiplyAdd>("fused_multiply_add");
    ceilings.arithmetic<SeparateMultiplyAdd>("separate_multiply_add");
  }
  if (key.memory) {
    ceilings.triad("cache", cache_grid(backend(key.roof.device), key.roof.storage));
    ceilings.triad("launch", {least_side, least_side, 1});
  }
  return std::move(ceilings.entries);
}

}  // namespace cfdmark

#include "bench/shape/optimiser.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>

#include "bench/device_facts/installed.hpp"
#include "bench/shape/pagmo_module.hpp"

namespace cfdmark {
namespace {

struct PagmoModule {
  decltype(cfdmark_pagmo_version)* version = nullptr;  // null: no module
  decltype(cfdmark_pagmo_optimise)* optimise = nullptr;
  std::string why_none = "this build has no optimiser";
};

const PagmoModule& pagmo_module() {
  static const PagmoModule loaded = [] {
    PagmoModule found;
    const std::filesystem::path path = module_file("cfdmark_pagmo.so");
    if (!std::filesystem::exists(path)) return found;
    if (void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
      found.version = reinterpret_cast<decltype(found.version)>(dlsym(handle, "cfdmark_pagmo_version"));
      found.optimise = reinterpret_cast<decltype(found.optimise)>(dlsym(handle, "cfdmark_pagmo_optimise"));
    } else {
      found.why_none = std::string("the optimiser cannot be loaded: ") + dlerror();
    }
    return found;
  }();
  return loaded;
}

void evaluate_lattice(int points, const SearchBox& box, const BatchObjective& evaluate,
                      const std::function<bool()>& goes_on) {
  const std::size_t dimensions = box.low.size();
  const auto value = [&](std::size_t n, int point) {
    return box.low[n] + (box.high[n] - box.low[n]) * point / (points - 1);
  };
  std::vector<int> place(dimensions, 0);
  while (true) {
    std::vector<std::vector<double>> row;
    for (place[0] = 0; place[0] < points; ++place[0]) {
      auto& candidate = row.emplace_back();
      for (std::size_t n = 0; n < dimensions; ++n) candidate.push_back(value(n, place[n]));
    }
    evaluate(row);
    std::size_t next = 1;
    while (next < dimensions && ++place[next] == points) place[next++] = 0;
    if (!goes_on() || next >= dimensions) return;
  }
}

}  // namespace

std::string optimiser_version() { return pagmo_module().version ? pagmo_module().version() : ""; }

void require_optimiser(const OptimiserChoice& choice) {
  if (!choice.is_map() && !pagmo_module().optimise)
    throw std::runtime_error(
        pagmo_module().why_none +
        ": install pagmo (on Debian and Ubuntu: apt install libpagmo-dev) and build again");
}

void optimise(const OptimiserChoice& choice, const SearchBox& box, const BatchObjective& evaluate,
              const std::function<bool()>& goes_on) {
  require_optimiser(choice);
  if (choice.is_map()) return evaluate_lattice(choice.population, box, evaluate, goes_on);
  pagmo_module().optimise(choice, box, evaluate, goes_on);
}

}  // namespace cfdmark

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

}  // namespace

std::string optimiser_version() { return pagmo_module().version ? pagmo_module().version() : ""; }

void optimise(const OptimiserChoice& choice, const SearchBox& box, const BatchObjective& evaluate,
              const std::function<bool()>& goes_on) {
  const PagmoModule& module = pagmo_module();
  if (!module.optimise)
    throw std::runtime_error(
        module.why_none + ": install pagmo (on Debian and Ubuntu: apt install libpagmo-dev) and build again");
  module.optimise(choice, box, evaluate, goes_on);
}

}  // namespace cfdmark

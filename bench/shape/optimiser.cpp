#include "bench/shape/optimiser.hpp"

#include <dlfcn.h>

#include <filesystem>
#include <stdexcept>

#include "bench/shape/pagmo_module.hpp"

namespace cfdmark {
namespace {

constexpr const char* module_file = "cfdmark_pagmo.so";

// Returns the module of this program: next to it, in the folder above, where the tests have it, or in
// ../lib/cfdmark of an installation. Empty in a build without pagmo.
std::filesystem::path module_path() {
  std::error_code ignored;
  const auto folder = std::filesystem::read_symlink("/proc/self/exe", ignored).parent_path();
  for (const auto& path : {folder / module_file, folder.parent_path() / module_file,
                           folder.parent_path() / "lib" / "cfdmark" / module_file})
    if (std::filesystem::exists(path, ignored)) return path;
  return {};
}

struct PagmoModule {
  decltype(cfdmark_pagmo_version)* version = nullptr;  // null: no module
  decltype(cfdmark_pagmo_optimise)* optimise = nullptr;
  std::string why_none = "this build has no optimiser";
};

const PagmoModule& pagmo_module() {
  static const PagmoModule loaded = [] {
    PagmoModule found;
    const std::filesystem::path path = module_path();
    if (path.empty()) return found;
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

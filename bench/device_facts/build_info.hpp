// Sources, compiler and options of this program. The values are written at every build, not only when CMake
// runs. They are constants, not code: two trees with the same sources have the same machine code at the same
// addresses, so a comparison of their programs finds no difference.
#pragma once

#include <string_view>

namespace cfdmark {

// The processor of the build machine, as Linux reports it; empty if unknown.
struct BuildHost {
  std::string_view name;  // empty for ARM, whose processors have numbers only
  std::string_view vendor, family, model;
};

struct BuildInfo {
  std::string_view version;
  std::string_view fingerprint;  // hash of sources, compiler, flags and optional parts
  std::string_view commit;       // empty if the sources are not the top folder of a git checkout
  bool dirty = false;            // true if some sources differ from the commit
  std::string_view build_type, compiler, flags;
  std::string_view instruction_set;             // of the CPU kernels: what -march selected
  std::string_view yaml_cpp, google_benchmark;  // versions, which their headers do not define
  std::string_view source_folder;
  std::string_view arch;  // value of -march; empty for the compiler's default
  BuildHost build_host;
};

const BuildInfo& build_info();

}  // namespace cfdmark

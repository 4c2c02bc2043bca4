// Sources, compiler and options of this program. The values are written at every build, not only when CMake
// runs.
#pragma once

#include <string>

namespace cfdmark {

// The processor of the build machine, as Linux reports it; empty if unknown.
struct BuildHost {
  std::string name;  // empty for ARM, whose processors have numbers only
  std::string vendor, family, model;
};

struct BuildInfo {
  std::string version;
  std::string fingerprint;  // hash of sources, compiler, flags and optional parts
  std::string commit;       // empty if the sources are not the top folder of a git checkout
  bool dirty = false;       // true if some sources differ from the commit
  std::string build_type, compiler, flags;
  std::string instruction_set;             // of the CPU kernels: what -march selected
  std::string yaml_cpp, google_benchmark;  // versions, which their headers do not define
  std::string source_folder;
  std::string arch;  // value of -march; empty for the compiler's default
  BuildHost build_host;
};

const BuildInfo& build_info();

}  // namespace cfdmark

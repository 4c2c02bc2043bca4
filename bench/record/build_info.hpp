// What this program was built from and with. The values are written at every build, not only when CMake is
// run.
#pragma once

#include <string>

namespace cfdmark {

struct BuildInfo {
  std::string version;
  std::string fingerprint;  // of what it is built from: sources, compiler, flags, parts
  std::string commit;       // empty if the sources are not the top of a git checkout
  bool dirty = false;       // some of what it is built from is not in the commit
  std::string build_type, compiler, flags;
  std::string instruction_set;             // of the CPU kernels: what -march stood for
  std::string yaml_cpp, google_benchmark;  // versions that their headers do not tell
  std::string source_folder;
};

const BuildInfo& build_info();

}  // namespace cfdmark

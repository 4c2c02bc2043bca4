// What this program was built from and with. The values are written at every build, not only when CMake is
// run.
#pragma once

#include <string>

namespace cfdmark {

struct BuildInfo {
  std::string version;
  std::string commit;  // empty if not built from a git checkout
  bool dirty = false;  // files under version control differed from the commit
  std::string build_type, compiler, flags;
  std::string instruction_set;             // of the CPU kernels: what -march stood for
  std::string yaml_cpp, google_benchmark;  // versions that their headers do not tell
  std::string source_folder;
};

const BuildInfo& build_info();

}  // namespace cfdmark

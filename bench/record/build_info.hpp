// What this program was built from and with. The values are written at every build, not only when CMake is
// run.
#pragma once

#include <string>

namespace cfdmark {

// The processor of the machine that built the program, as Linux reports it; empty if unknown.
struct BuildHost {
  std::string name;  // empty of ARM, whose processors have numbers only
  std::string vendor, family, model;
};

struct BuildInfo {
  std::string version;
  std::string fingerprint;  // of what it is built from: sources, compiler, flags, parts
  std::string commit;       // empty if the sources are not the top of a git checkout
  bool dirty = false;       // some of what it is built from is not in the commit
  std::string build_type, compiler, flags;
  std::string instruction_set;             // of the CPU kernels: what -march stood for
  std::string yaml_cpp, google_benchmark;  // versions that their headers do not tell
  std::string source_folder;
  std::string arch;  // the value of -march; empty for the compiler's default
  BuildHost build_host;
};

const BuildInfo& build_info();

}  // namespace cfdmark

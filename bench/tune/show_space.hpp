// Shows recorded tuning spaces, and replays searches on them.
#pragma once

#include <string>

namespace cfdmark::tuning {

// Options of `tune space`. Empty strings: nothing to write.
struct SpaceRequest {
  std::string file;           // records
  std::string page;           // HTML page to write
  std::string t1, t4, cache;  // files in the formats of other tuners to write
  int replays = 100;          // searches per strategy; 0: none
  int rows = 5;               // configs to show
};

// Prints the spaces and writes the files. Returns an exit status.
int show_space(const SpaceRequest&);

}  // namespace cfdmark::tuning

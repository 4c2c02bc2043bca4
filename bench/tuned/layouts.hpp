// Prints and exports the tuned tables.
#pragma once

#include <string>
#include <vector>

namespace cfdmark {

struct WantedLayouts {
  std::vector<std::string> words;  // substrings of device or row, all required; empty: all layouts
  std::string method;              // best measured layouts of this method; empty: of all methods
  bool all = false;                // true to print one line per layout instead of a summary
  std::string device;              // full name; empty: all
  std::vector<std::string> names;  // names of kernels and solvers; empty: all
  std::string folder;              // folder of the tables; empty: the program's and the user's own
  std::string header, json, csv;   // files to write; empty: none
};
// Prints the layouts. Returns an exit status.
int show_layouts(const WantedLayouts&);

// Writes the page that compares the layouts of all devices. Returns an exit status.
int write_layouts_page(const std::string& folder, const std::string& page);

}  // namespace cfdmark

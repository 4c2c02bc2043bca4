// Shows and exports what the tuned tables hold.
#pragma once

#include <string>
#include <vector>

namespace cfdmark {

struct WantedLayouts {
  std::vector<std::string> words;  // each is in the device or the row; none: all layouts
  std::string method;              // its best measured layouts; empty: the best of all methods
  bool all = false;                // a line for each, however many
  std::string device;              // its whole name; empty: all
  std::vector<std::string> names;  // of kernels and solvers; none: all
  std::string folder;              // of the tables; empty: the program's and the user's own
  std::string header, json, csv;   // files to write; empty: none
};
// Prints them. Returns an exit status.
int show_layouts(const WantedLayouts&);

// Writes the page that sets all devices of the tables side by side. Returns an exit status.
int write_layouts_page(const std::string& folder, const std::string& page);

}  // namespace cfdmark

// Shows and exports what the tuned tables hold.
#pragma once

#include <string>
#include <vector>

namespace cfdmark {

struct WantedLayouts {
  std::string text;                // that device or row holds; empty: all
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

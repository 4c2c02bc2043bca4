// The tuned tables as people and other programs want them: a table, CSV, JSON, a C++ header.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/tune/tuned_table.hpp"

namespace cfdmark::tuning {

// One line of the tables: which layout to use, and what it gains.
struct Layout {
  std::string device, architecture;
  Json entry;            // of the tuned table
  bool current = false;  // whether the source is still the one that was tuned

  std::string text(const char* key) const { return entry.value(key, ""); }
  std::string grid() const;
  std::string config() const;  // "block_x=64,block_y=4" of the winner
};

// In the order of the tables; `text`: only those whose device or name/backend/precision holds it.
std::vector<Layout> layouts_of(const TunedTables&, const std::string& text = "");

std::string layouts_table(const std::vector<Layout>&);
std::string layouts_csv(const std::vector<Layout>&);
std::string layouts_json(const std::vector<Layout>&);
// A header of constexpr layouts that needs nothing but the standard library of C++17.
std::string layouts_header(const std::vector<Layout>&);

}  // namespace cfdmark::tuning

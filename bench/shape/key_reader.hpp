// Reads the values of a YAML file by the names of their keys. Errors name file, line and column.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "bench/sweep/file.hpp"
#include "bench/text/words.hpp"

namespace cfdmark {

class KeyReader {
 protected:
  // As SweepFile.
  KeyReader(const std::string& path, const char* kind, const char* keys) : file_(path, kind, keys) {}

  using Readers = std::vector<std::pair<std::string, std::function<void(const Entry&)>>>;

  // Calls the reader of each key in a map. Other keys are errors.
  void read_map(const YAML::Node& map, const std::string& expected, const Readers&) const;
  // Returns the word at a node, which must be one of `words`.
  std::string choice(const YAML::Node&, const std::vector<std::string>& words) const;
  // The same for values with a to_string().
  template <class Words>
  std::string word_of(const YAML::Node& node, const Words& all) const {
    std::vector<std::string> words;
    for (const auto& word : all) words.emplace_back(to_string(word));
    return choice(node, words);
  }
  // Calls f and reports what it throws at a position.
  template <class F>
  auto at(const YAML::Mark& mark, const F& f) const {
    try {
      return f();
    } catch (const std::invalid_argument& e) {
      file_.fail(mark, e.what());
    }
  }
  // Reads a number with or without a unit behind it, such as "0.1 %". Returns whether it has the unit.
  std::pair<double, bool> with_unit(const YAML::Node&, const std::string& unit,
                                    const std::string& expected) const;

  SweepFile file_;
};

}  // namespace cfdmark

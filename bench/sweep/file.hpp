// A sweep file as YAML with places: every complaint names file, line and column.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

#include "bench/sweep/sweep.hpp"

namespace cfdmark {

// One `key: value` of a map.
struct Entry {
  std::string key;
  YAML::Mark mark;  // of the key
  YAML::Node value;
};

class SweepFile {
 public:
  // Throws SweepError if the file cannot be read, is no YAML, or holds anything but one document.
  explicit SweepFile(std::string path);

  const YAML::Node& root() const { return root_; }

  // Throws SweepError: "file:line:column: complaint".
  [[noreturn]] void fail(const YAML::Mark& at, const std::string& complaint) const;

  // The readers below fail where the node is of another kind than `expected` says.

  // The entries of a map in the file's order. Fails for keys that are no words, that occur twice or have no
  // value.
  std::vector<Entry> entries(const YAML::Node&, const std::string& expected) const;
  // The elements of a list; of a single value, that value. Fails for an empty list.
  std::vector<YAML::Node> items(const Entry&, const std::string& expected) const;
  std::string word(const YAML::Node&, const std::string& expected) const;
  // A whole number in decimal digits, from `low` on.
  int integer(const YAML::Node&, int low, const std::string& expected) const;
  // A number above 0.
  double positive(const YAML::Node&, const std::string& expected) const;

 private:
  std::string path_;
  YAML::Node root_;
};

}  // namespace cfdmark

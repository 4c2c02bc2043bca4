// A YAML file with positions: every error names file, line and column.
#pragma once

#include <yaml-cpp/yaml.h>

#include <string>
#include <vector>

#include "bench/sweep/sweep.hpp"

namespace cfdmark {

// One `key: value` of a map.
struct Entry {
  std::string key;
  YAML::Mark mark;  // position of the key
  YAML::Node value;
};

class SweepFile {
 public:
  // Throws SweepError if the file cannot be read, is invalid YAML, or does not contain exactly one document.
  // `kind` and `keys` describe it in messages.
  explicit SweepFile(std::string path, const std::string& kind = "sweep file",
                     const std::string& keys = "'question' and 'blocks'");

  const YAML::Node& root() const { return root_; }

  // Throws SweepError: "file:line:column: complaint".
  [[noreturn]] void fail(const YAML::Mark& at, const std::string& complaint) const;

  // The readers below fail if the node is not of the kind that `expected` describes.

  // Returns the entries of a map in file order. Fails for keys that are not words, are repeated, or have no
  // value.
  std::vector<Entry> entries(const YAML::Node&, const std::string& expected) const;
  // Returns the elements of a list, or a single value as one element. Fails for an empty list.
  std::vector<YAML::Node> items(const Entry&, const std::string& expected) const;
  std::string word(const YAML::Node&, const std::string& expected) const;
  // Returns an integer in decimal digits, at least `low`.
  int integer(const YAML::Node&, int low, const std::string& expected) const;
  // Returns a number above 0.
  double positive(const YAML::Node&, const std::string& expected) const;
  // Returns any finite number.
  double number(const YAML::Node&, const std::string& expected) const;

 private:
  std::string path_;
  YAML::Node root_;
};

}  // namespace cfdmark

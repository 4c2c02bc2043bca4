// --filter: only cases in whose name, whole or short, each of some regular expressions has a match, in any
// order.
#pragma once

#include <regex>
#include <string>
#include <vector>

#include "bench/catalog/case.hpp"

namespace cfdmark {

class CaseFilter {
 public:
  // Regular expressions with blanks between them, which no name has. An empty text lets everything through.
  // Throws std::invalid_argument if one is no regular expression.
  explicit CaseFilter(const std::string& text);
  bool lets_through(const std::string& name) const;
  bool lets_through(const Case&) const;

 private:
  bool lets_through(const std::vector<std::string>& names_of_one) const;

  std::vector<std::regex> wanted_;
};

}  // namespace cfdmark

// --filter: selects cases whose full or short name matches each of several regular expressions.
#pragma once

#include <regex>
#include <string>
#include <vector>

#include "bench/case/case.hpp"

namespace cfdmark {

class CaseFilter {
 public:
  // Takes regular expressions separated by spaces. An empty text selects everything. Throws
  // std::invalid_argument for an invalid expression.
  explicit CaseFilter(const std::string& text);
  bool lets_through(const std::string& name) const;
  bool lets_through(const Case&) const;

 private:
  bool lets_through(const std::vector<std::string>& names_of_one) const;

  std::vector<std::regex> wanted_;
};

}  // namespace cfdmark

// --filter: only cases whose name, whole or short, has a match of a regular expression.
#pragma once

#include <regex>
#include <string>

#include "bench/catalog/case.hpp"

namespace cfdmark {

class CaseFilter {
 public:
  // An empty text lets everything through. Throws std::invalid_argument if the text is no regular expression.
  explicit CaseFilter(const std::string& text);
  bool lets_through(const std::string& name) const;
  bool lets_through(const Case&) const;

 private:
  bool all_;
  std::regex wanted_;
};

}  // namespace cfdmark

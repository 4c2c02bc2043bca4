// --filter: only cases whose name has a match of a regular expression.
#pragma once

#include <regex>
#include <string>

namespace cfdmark {

class CaseFilter {
 public:
  // An empty text lets everything through. Throws std::invalid_argument if the text is no regular expression.
  explicit CaseFilter(const std::string& text);
  bool lets_through(const std::string& case_name) const;

 private:
  bool all_;
  std::regex wanted_;
};

}  // namespace cfdmark

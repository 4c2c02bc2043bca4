#include "bench/catalog/case_filter.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace cfdmark {

CaseFilter::CaseFilter(const std::string& text) : all_(text.empty()) {
  try {
    wanted_ = text;
  } catch (const std::regex_error&) {
    throw std::invalid_argument(fmt::format("--filter '{}' is no regular expression", text));
  }
}

bool CaseFilter::lets_through(const std::string& name) const {
  return all_ || std::regex_search(name, wanted_);
}

bool CaseFilter::lets_through(const Case& c) const {
  return lets_through(case_name(c)) || lets_through(short_name(c));
}

}  // namespace cfdmark

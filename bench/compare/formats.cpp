#include "bench/compare/formats.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "bench/sweep/words.hpp"

namespace cfdmark::compare {
namespace {

struct Format {
  const char* name;
  std::string (*write)(const Comparison&);
};

std::string json_text(const Comparison& c) {
  return comparison_json(c).dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

constexpr Format formats[] = {{"table", terminal_table},
                              {"markdown", markdown},
                              {"junit", junit},
                              {"github", github_annotations},
                              {"json", json_text}};

}  // namespace

const std::vector<std::string>& format_names() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Format& format : formats) all.emplace_back(format.name);
    return all;
  }();
  return names;
}

std::string in_format(const Comparison& c, const std::string& name) {
  for (const Format& format : formats)
    if (name == format.name) return format.write(c);
  throw std::invalid_argument(fmt::format("--format {}: expected {}{}", name, one_of(format_names()),
                                          did_you_mean(name, format_names())));
}

}  // namespace cfdmark::compare

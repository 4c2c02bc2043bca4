// The commands `layouts` and `space` exist below `tune` and, under their former names, at the top level.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

namespace cfdmark {

// Returns the help of a command below `parent`; at the top level it names the new place.
inline std::string in_its_place(const CLI::App& parent, const std::string& name, const std::string& help) {
  return parent.get_name() == "tune" ? help : fmt::format("former name of `cfdmark tune {}`: {}", name, help);
}

}  // namespace cfdmark

// `layouts` and `space` belong to `tune`; their older places beside it do the same.
#pragma once

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <string>

namespace cfdmark {

// The help of a command that is added below `parent`: in its older place it says where it is now.
inline std::string in_its_place(const CLI::App& parent, const std::string& name, const std::string& help) {
  return parent.get_name() == "tune"
             ? help
             : fmt::format("the older name of `cfdmark tune {}`, which {}", name, help);
}

}  // namespace cfdmark

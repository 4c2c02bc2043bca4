// The tuned layouts as a C++ header for other programs.
#include <fmt/format.h>

#include <algorithm>

#include "bench/sweep/duration.hpp"
#include "bench/tune/layouts.hpp"
#include "bench/tune/tuned_lookup.hpp"

namespace cfdmark {
namespace {

constexpr const char* beginning =
    R"(// Tuned layouts of the kernels and solvers of cfdmark, each with its evidence. Written by `cfdmark layouts --header`.
// C++17, no other header needed:
//
//   constexpr auto l = cfdmark_layouts::find("NVIDIA H200", 90, "jacobi", "cuda", "fp64", 4096, 4096, 1);
//   constexpr int block_x = l ? l->at("block_x", 64) : 64;
#pragma once

#include <array>
#include <optional>
#include <string_view>

namespace cfdmark_layouts {

struct Parameter {
  std::string_view name;
  double number = 0;
  std::string_view word = "";  // of a parameter whose values are words
};

struct Layout {
  std::string_view device;
  int compute_capability;  // 90 for 9.0; 0 where the device is no GPU
  std::string_view name, backend, precision, method;
  int nx, ny, nz;  // points of the grid that it was tuned on
  std::array<Parameter, most_parameters> parameters;

  // The value of a parameter, or `otherwise` if the method has none of that name.
  constexpr int at(std::string_view parameter, int otherwise) const {
    for (const Parameter& p : parameters)
      if (p.name == parameter) return int(p.number);
    return otherwise;
  }
  constexpr std::string_view word(std::string_view parameter, std::string_view otherwise) const {
    for (const Parameter& p : parameters)
      if (p.name == parameter) return p.word;
    return otherwise;
  }
  constexpr double points() const { return double(nx) * ny * nz; }
};

)";

constexpr const char* ending = R"(
// The layout that was tuned on this device, or else on one of the same compute capability, for the grid of the same
// dimension that is nearest in its number of points. Empty if there is none.
constexpr std::optional<Layout> find(std::string_view device, int compute_capability, std::string_view name,
                                     std::string_view backend, std::string_view precision, int nx, int ny, int nz) {
  const Layout* best = nullptr;
  bool best_is_here = false;
  double nearest = 0;
  const double wanted = double(nx) * ny * nz;
  for (const Layout& l : layouts) {
    const bool here = l.device == device;
    if (!here && (compute_capability == 0 || l.compute_capability != compute_capability)) continue;
    if (l.name != name || l.backend != backend || l.precision != precision || (l.nz > 1) != (nz > 1)) continue;
    const double ratio = l.points() > wanted ? l.points() / wanted : wanted / l.points();
    if (best && (best_is_here > here || (best_is_here == here && nearest <= ratio))) continue;
    best = &l, best_is_here = here, nearest = ratio;
  }
  if (!best) return std::nullopt;
  return *best;
}

}  // namespace cfdmark_layouts
)";

// "compute capability 9.0" is 90.
int capability_of(const std::string& architecture) {
  int major = 0, minor = 0;
  return std::sscanf(architecture.c_str(), "compute capability %d.%d", &major, &minor) == 2
             ? 10 * major + minor
             : 0;
}

std::string quoted(const std::string& text) { return Json(text).dump(); }

std::string evidence(const Layout& l) {
  const Json &winner = l.entry.at("winner"), gain = l.entry.value("gain", Json::object()),
             search = l.entry.value("search", Json::object());
  std::string text;
  if (winner.contains("median"))
    text += fmt::format("{}, {} samples", seconds_text(winner["median"]), winner.value("samples", 0));
  if (gain.contains("low"))
    text += fmt::format("; {:.3f} times as fast as the default [{:.3f}, {:.3f}]", gain.value("value", 1.0),
                        gain.value("low", 1.0), gain.value("high", 1.0));
  text += fmt::format("; {}; {} as good", l.text("rule"), l.entry.value("ties", Json::array()).size());
  text += fmt::format("; {} search, {}", search.value("strategy", "?"), l.text("time"));
  for (char& c : text)
    if (c == '\n' || c == '\\') c = ' ';  // a comment ends with its line
  return text;
}

std::string entry_text(const Layout& l) {
  const Grid g = grid_of(l.entry);
  std::string parameters;
  for (const auto& [name, value] : l.entry.at("winner").at("config").items())
    parameters += fmt::format("{}{{{}, {}}}", parameters.empty() ? "" : ", ", quoted(name),
                              value.is_string() ? "0, " + value.dump() : value.dump());
  return fmt::format("    // {}\n    Layout{{{}, {}, {}, {}, {}, {}, {}, {}, {}, {{{{{}}}}}}},\n",
                     evidence(l), quoted(l.device), capability_of(l.architecture), quoted(l.text("name")),
                     quoted(l.text("backend")), quoted(l.text("precision")),
                     quoted(l.entry["winner"]["method"].get<std::string>()), g.nx, g.ny, g.nz, parameters);
}

}  // namespace

std::string layouts_header(const std::vector<Layout>& layouts) {
  std::size_t most_parameters = 1, count = 0;
  std::string entries;
  for (const Layout& l : layouts) {
    if (l.text("scope") != "all") continue;  // the answer over all methods is the one to use
    most_parameters = std::max(most_parameters, l.entry.at("winner").at("config").size());
    entries += entry_text(l);
    ++count;
  }
  std::string text = beginning;
  const std::string_view place = "struct Parameter {";
  text.insert(text.find(place),
              fmt::format("inline constexpr int most_parameters = {};\n\n", most_parameters));
  return fmt::format("{}inline constexpr std::array<Layout, {}> layouts = {{{{\n{}}}}};\n{}", text, count,
                     entries, ending);
}

}  // namespace cfdmark

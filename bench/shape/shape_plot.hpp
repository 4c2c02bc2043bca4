// Pictures of a search and a page with its numbers.
#pragma once

#include <optional>
#include <string>

#include "bench/shape/shape_search.hpp"

namespace cfdmark {

// Writes PREFIX-history.png, PREFIX-outlines.png and PREFIX.html, and returns the exit status of the script
// that does. No floor: it was not measured.
int plot_shape(const ShapeStudy&, const ShapeEngine&, const ShapeProgress&,
               const std::optional<NoiseFloor>& floor, const std::string& prefix);

}  // namespace cfdmark

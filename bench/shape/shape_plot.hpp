// Pictures of a search and a page with its numbers.
#pragma once

#include <optional>
#include <string>

#include "bench/shape/best_surface.hpp"

namespace cfdmark {

// Writes PREFIX-history.png, PREFIX-outlines.png, PREFIX-vorticity.png if the surfaces are known, and
// PREFIX.html, and returns the exit status of the script that does. No floor: it was not measured.
int plot_shape(const ShapeStudy&, const ShapeEngine&, const ShapeProgress&,
               const std::optional<NoiseFloor>& floor, const std::optional<BestSurface>& surface,
               const std::string& prefix);

}  // namespace cfdmark

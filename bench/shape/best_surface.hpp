// The vorticity on the surface of the best body of a search, next to that on the circle.
#pragma once

#include <optional>
#include <string>

#include "bench/shape/shape_search.hpp"
#include "solvers/problems/surface_vorticity.hpp"

namespace cfdmark {

struct BestSurface {
  std::optional<SurfaceVorticity> winner, circle;  // none if its flow has not converged

  bool is_known() const { return winner && circle; }
};

// Solves the flows around both bodies on the grid of the study by its evaluator. Both are extra solves: the
// file does not keep them. Throws ShapeInterrupted as the engine does.
BestSurface best_surface(const ShapeStudy&, const ShapeEngine&, const ShapeProgress&, OutlineEvaluator&);

// Returns the line on both spreads, and for problem tow what they say of the optimum.
std::string surface_text(const ShapeStudy&, const BestSurface&);

}  // namespace cfdmark

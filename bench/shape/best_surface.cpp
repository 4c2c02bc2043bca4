#include "bench/shape/best_surface.hpp"

#include <fmt/format.h>

namespace cfdmark {

BestSurface best_surface(const ShapeStudy& study, const ShapeEngine& engine, const ShapeProgress& progress,
                         OutlineEvaluator& evaluator) {
  const std::vector<Outline> outlines = {engine.outline(progress.winner()), engine.outline(progress.circle)};
  const Grid& g = study.flow.grid;
  const FluidCell cell{.dx = tunnel_width / g.nx, .dy = 1.0 / g.ny};
  BestSurface found;
  evaluator.on_flow = [&](std::size_t n, const std::shared_ptr<const KnownFlow>& known) {
    (n == 0 ? found.winner : found.circle) = surface_vorticity(outlines[n], cell, known->faces, known->flow);
  };
  const auto forget = [&] { evaluator.on_flow = nullptr; };
  try {
    evaluator.evaluate(outlines, [&](std::size_t, const FlowAround&) {
      if (engine.is_interrupted && engine.is_interrupted()) throw ShapeInterrupted();
    });
  } catch (...) {
    forget();
    throw;
  }
  forget();
  return found;
}

std::string surface_text(const ShapeStudy& study, const BestSurface& surface) {
  if (!surface.is_known()) return "vorticity on the surface: unknown, since a flow has not converged";
  const std::string spreads = fmt::format("spread of |vorticity| on the surface {:.3f}, circle {:.3f}",
                                          surface.winner->spread, surface.circle->spread);
  if (study.flow.name != "tow") return spreads;
  return spreads + " (without inertia the body of least drag has 0, Pironneau 1974)";
}

}  // namespace cfdmark

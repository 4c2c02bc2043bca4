// The question of `cfdmark shape`, read from a YAML file (docs/shapes.md has all keys).
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "bench/shape/early_stop.hpp"
#include "bench/shape/optimiser.hpp"
#include "bench/shape/outline_evaluator.hpp"
#include "bench/text/json.hpp"
#include "solvers/shape/constraints.hpp"
#include "solvers/shape/parametrisation.hpp"

namespace cfdmark {

// A weighted sum of drag and lift to be made small, or the negative ratio of lift and drag; or a number of
// the flow: what the body costs in total pressure (bench/shape/pressure_loss.hpp), or the misfit of its wake
// (bench/shape/wake.hpp) from that of a hidden body, whose parameters are then to be found.
struct ShapeObjective {
  std::string name = "drag";
  double drag = 1, lift = 0;
  bool is_ratio = false;
  bool is_pressure_loss = false;
  std::vector<double> hidden = {};  // all parameters; empty: no wake

  bool is_of_wake() const { return !hidden.empty(); }
  bool is_of_flow() const { return is_of_wake() || is_pressure_loss; }
  // Of forces. Lift over drag takes a drag of at least 1e-3.
  double of(const FlowAround&) const;
};

struct SearchedParameter {
  std::size_t index = 0;  // in the parametrisation
  double low = 0, high = 0;
};

// The best drag over that of the circle, as it is known from elsewhere, and how close a search should come.
struct KnownRatio {
  double ratio = 0, within = 0;

  bool is_reached(double found) const { return found <= ratio + within; }
};

struct ShapeStudy {
  std::string file, question;
  TunnelFlow flow;
  double area = 0;  // in squares of the tunnel's height
  const Parametrisation* shape = nullptr;
  std::vector<double> start;  // all parameters
  std::vector<SearchedParameter> searched;
  ShapeConstraints constraints;
  ShapeObjective objective;
  OptimiserChoice optimiser;
  StopRule stop;

  // The search ends with the first generation after which one of these holds.
  int most_evaluations = 0;
  double most_seconds = 0;  // 0: no limit
  double least_gain = 0;    // share of the objective gained in ten generations; 0: no limit
  bool ends_at_known = false;

  std::optional<KnownRatio> known = {};
  int places = 8;                  // of a shape in its cell, for the noise floor
  std::optional<Grid> finer = {};  // grid of the confirmation; none: no confirmation

  // Returns all parameters of a candidate, whose values are those of the searched ones.
  std::vector<double> parameters(const std::vector<double>& candidate) const;
  SearchBox box() const;
  // Returns everything that the results of the search depend on.
  Json facts() const;
};

// Throws SweepError with file, line and column, std::invalid_argument for a solver that cannot run here.
ShapeStudy read_shape_study(const std::string& path);

}  // namespace cfdmark

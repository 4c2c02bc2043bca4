// Searches the outline of least objective: candidates of an optimiser, their constraints and flows.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/shape/evaluation_file.hpp"
#include "bench/shape/nearest_flows.hpp"
#include "bench/shape/shape_study.hpp"
#include "bench/shape/wake.hpp"

namespace cfdmark {

// An evaluation was not finished because the user asked to end.
struct ShapeInterrupted {};

// Evaluates the outlines of a study and records each of them, those of an earlier run by its file.
class ShapeEngine {
 public:
  // The objective of an outline without a flow: finite, since optimisers get no infinities, and worse than
  // every flow.
  static constexpr double without_flow = 1e5;

  // `evaluator`: of the study's own grid. All must outlive the engine. Flows from which others start are kept
  // in a folder next to the file.
  ShapeEngine(const ShapeStudy&, EvaluationFile&, OutlineEvaluator& evaluator);

  // Called after each evaluation that was solved.
  std::function<void(const ShapeEvaluation&)> on_solved = nullptr;
  // Throws ShapeInterrupted after an evaluation if it returns true.
  std::function<bool()> is_interrupted = nullptr;

  // Completes the evaluations in their order: `shape`, `parameters`, `offset` and `purpose` are given. Throws
  // WriteError if they cannot be recorded.
  void evaluate(std::vector<ShapeEvaluation>&);
  // The same on another grid or by another solver.
  void evaluate(std::vector<ShapeEvaluation>&, const TunnelFlow&, OutlineEvaluator&);

  // Solves the flow around the hidden body of the study, for the misfits of all evaluations after it. Throws
  // std::runtime_error if it violates a constraint or has no flow.
  void solve_hidden();

  ShapeEvaluation candidate(const std::vector<double>& searched, int generation) const;
  ShapeEvaluation circle() const;
  // Returns the outline in heights of the tunnel. Throws std::invalid_argument if there is none.
  Outline outline(const ShapeEvaluation&) const;

  int solved() const { return solved_; }
  int reused() const { return reused_; }

 private:
  class Batch;

  // Returns the outline of an evaluation; none if it violates a constraint, which is noted.
  std::optional<Outline> feasible(ShapeEvaluation&, const Grid&) const;
  // Returns the objective that half of the generation before has reached; none if less than half was solved.
  std::optional<double> threshold(int generation) const;
  // Remembers what later generations need of solved candidates.
  void note(const std::vector<ShapeEvaluation>&);
  std::vector<double> place_of(const ShapeEvaluation&) const;
  // `of_flow`: the objective of a flow that has converged, if it is a number of the flow.
  void finish(ShapeEvaluation&, std::optional<double> of_flow = {}) const;
  double number_of_flow(const ShapeEvaluation&, const FlowFields&);

  const ShapeStudy& study_;
  EvaluationFile& file_;
  OutlineEvaluator& evaluator_;
  NearestFlows nearest_;
  std::optional<Wake> wake_;                       // of the hidden body
  std::map<int, std::vector<double>> objectives_;  // of the solved candidates of each generation
  int solved_ = 0, reused_ = 0;
};

// The search so far, after each generation.
struct ShapeProgress {
  int generation = 0;
  std::vector<ShapeEvaluation> evaluations;  // of the search, in the order of the optimiser
  std::vector<std::size_t> best;             // of each generation so far: index into evaluations
  ShapeEvaluation circle;
  double seconds = 0;
  int solved = 0;     // flows of this run, the circle's and the hidden body's among them
  double joules = 0;  // of the processor meanwhile; 0: it has no counter

  const ShapeEvaluation& winner() const { return evaluations.at(best.back()); }
};

// Runs the optimiser until a limit of the study holds or `goes_on` returns false, which is called after each
// generation. `joules`: an energy counter, null without one. Throws std::runtime_error if the circle or a
// hidden body cannot be solved, and what optimise() throws.
void search_shape(const ShapeStudy&, ShapeEngine&, ShapeProgress&,
                  const std::function<bool(const ShapeProgress&)>& goes_on,
                  const std::function<double()>& joules = nullptr);

// A mean over places in a cell, and half the range there.
struct OverPlaces {
  double mean = 0, half_range = 0;
};

// The winner next to the circle at several places of the grid's cells, in pairs.
struct NoiseFloor {
  OverPlaces ratio;  // winner's drag over circle's drag
  OverPlaces gain;   // circle's objective less winner's
  int places = 0;    // at which both converged
};
NoiseFloor noise_floor(const ShapeStudy&, ShapeEngine&, const ShapeProgress&);

// The winner and the circle on the finer grid, in fp64, to a hundredth of the tolerance.
struct FinerResult {
  ShapeEvaluation winner, circle;
  bool converged() const {
    return winner.flow.status == EvaluationStatus::ok && circle.flow.status == EvaluationStatus::ok;
  }
};
FinerResult solve_finer(const ShapeStudy&, ShapeEngine&, const ShapeProgress&);

}  // namespace cfdmark

// The evaluations of a study as JSON lines (results/schema/shape.schema.json). The file is the checkpoint
// too: an optimiser of the same seed that is given the same objectives proposes the same candidates again.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "bench/record/records.hpp"
#include "bench/shape/early_stop.hpp"
#include "bench/shape/outline_evaluator.hpp"
#include "bench/text/json.hpp"
#include "solvers/shape/constraints.hpp"

namespace cfdmark {

struct ShapeEvaluation {
  std::string purpose = "search";  // search, circle, place, finer or hidden
  int generation = 0;              // of a search
  std::string shape;               // parametrisation
  std::vector<std::pair<std::string, double>> parameters;
  PlanePoint offset = {};  // of the centroid from (1, 1/2), in heights of the tunnel
  std::string grid, precision;
  FlowAround flow = {};
  std::vector<Violation> violated = {};
  std::optional<EarlyStop> stop = {};
  double objective = 0;

  // Returns a text that two evaluations have in common if they are of the same outline and flow, and both
  // feasible or both not: the circle is solved whatever the constraints are.
  std::string key() const;
};

Json to_json(const ShapeEvaluation&);
// Throws std::exception if a field is missing or has another type.
ShapeEvaluation shape_evaluation_from_json(const Json&);

class EvaluationFile {
 public:
  // Opens or creates the file and locks it. `facts`: of the study (ShapeStudy::facts). Throws WriteError if
  // it cannot be written, std::invalid_argument if it holds something else or a study with other facts.
  // `restarts`: the old contents are moved to a copy first.
  EvaluationFile(const std::string& path, const std::string& study, const Json& facts, bool restarts);

  // Returns null for an evaluation that the file does not have.
  const ShapeEvaluation* find(const std::string& key) const;
  // Does nothing if the file has it.
  void append(const ShapeEvaluation&);
  void sync() { writer_.sync(); }
  const std::string& path() const { return path_; }

  int found() const { return found_; }  // evaluations that the file had when it was opened
  const std::string& moved_to() const { return moved_to_; }
  const std::vector<std::string>& warnings() const { return warnings_; }

 private:
  std::string path_;
  RecordWriter writer_;
  std::map<std::string, ShapeEvaluation> by_key_;
  std::string moved_to_;
  std::vector<std::string> warnings_;
  int found_ = 0;
};

}  // namespace cfdmark

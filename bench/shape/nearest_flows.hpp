// The flows of the candidates of a search, from which those of the next generation start. They are files, so
// that a search which is continued starts its flows as it would have.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "solvers/problems/flow_start.hpp"

namespace cfdmark {

class NearestFlows {
 public:
  // The folder is created with the first flow.
  explicit NearestFlows(std::string folder) : folder_(std::move(folder)) {}

  // Writes a flow. `name`: of the evaluation (ShapeEvaluation::key). Throws WriteError. Flows of generations
  // before the last one are deleted.
  void write(int generation, const std::string& name, const KnownFlow&);
  // Notes that a flow was written, by this process or an earlier one. `place`: parameters in shares of their
  // ranges.
  void note(int generation, const std::string& name, const std::vector<double>& place);
  // Returns the flow at the nearest place of a generation; null if it has none. Throws std::runtime_error if
  // its file is missing or spoiled.
  std::shared_ptr<const KnownFlow> nearest(int generation, const std::vector<double>& place);

 private:
  struct Noted {
    std::string name;
    std::vector<double> place;
  };
  std::string path(int generation, const std::string& name) const;

  std::string folder_;
  std::map<int, std::vector<Noted>> noted_;                       // by generation
  std::map<std::string, std::shared_ptr<const KnownFlow>> read_;  // by path, of one generation
};

}  // namespace cfdmark

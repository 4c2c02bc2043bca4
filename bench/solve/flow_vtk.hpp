// Files of a flow for ParaView.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "solvers/problems/flow_problem.hpp"

namespace cfdmark {

// Writes an image of cells (NAME.vti): velocity, pressure, temperature if there is heat, which cells are
// solid, and time means if `means` is not null. Throws WriteError.
void write_vtk(const std::string& file, const FlowProblem&, const FlowFields&,
               const FlowFields* means = nullptr);

// Files of one flow at several times: NAME-0000100.vti after 100 iterations, and NAME.pvd, which lists them
// with their times and is complete after each of them.
class VtkSeries {
 public:
  // `file`: NAME.vti.
  explicit VtkSeries(const std::string& file);
  void add(int iteration, const FlowProblem&, const FlowFields&);  // throws WriteError

  const std::string& list() const { return list_; }  // name of the file that lists the others

 private:
  std::string stem_, list_;
  std::vector<std::pair<double, std::string>> files_;  // time and name without its folder
};

}  // namespace cfdmark

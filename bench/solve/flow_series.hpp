// Output of a flow while it is solved: a CSV file of residuals, forces and probes, files for ParaView, and
// time means.
#pragma once

#include <fstream>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/solve/flow_vtk.hpp"
#include "bench/solve/solve_case.hpp"
#include "solvers/flow/table.hpp"

namespace cfdmark {

// Returns the values at a place, linear between the centres of cells: u, v, (w,) p and, with heat, T. A solid
// neighbour has the value of the place's own cell.
std::vector<NamedValue> values_at(const FlowProblem&, const FlowFields&, const std::array<double, 3>& place);

// Time means by the trapezoidal rule.
class TimeMeans {
 public:
  // `from`: start of the means. Earlier flows are ignored.
  explicit TimeMeans(double from) : from_(from) {}
  void add(const FlowProblem&, FlowFields flow, const std::vector<NamedValue>& results);
  bool empty() const { return !(until_ > first_); }
  double first() const { return first_; }  // times of the first and the last flow in the means
  double until() const { return until_; }
  FlowFields fields(const FlowProblem&) const;  // u, v, w, p and temperature
  std::vector<NamedValue> results() const;      // such as drag_coefficient

 private:
  double from_, first_ = 0, until_ = 0;
  bool has_one_ = false;
  FlowFields last_, sums_;
  std::vector<NamedValue> last_results_, result_sums_;
};

class FlowSeries {
 public:
  // Throws std::invalid_argument for a probe outside the fluid, and for options that do not fit the flow.
  FlowSeries(const SolveCase&, const FlowProblem&);

  // Called at each residual check. Throws WriteError.
  void add(const PreparedFlow&, const Outcome& so_far);
  // Prints the means of the results and the names of the written files. To be called after the solve.
  void print() const;
  // Returns the mean fields; empty without means.
  std::optional<FlowFields> means() const;

 private:
  void write_row(int iteration, const Outcome&, const FlowFields&, double time);

  const SolveCase& asked_;
  const FlowProblem& problem_;
  std::ofstream history_;
  bool in_time_ = false;
  std::vector<std::string> columns_;
  std::optional<VtkSeries> files_;
  std::optional<TimeMeans> means_;
};

// Returns the probe of a text, X,Y or X,Y,Z. Throws std::invalid_argument.
std::array<double, 3> probe_from(const std::string& text);

}  // namespace cfdmark

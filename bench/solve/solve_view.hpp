// How a solve is shown: what is printed and drawn before, during and after it.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/solve/print.hpp"
#include "bench/solve/solve_case.hpp"
#include "solvers/base/prepared_solve.hpp"

namespace cfdmark {

// Shows a solve of any family: history, residuals, results and time, without pictures. Views of families add
// to it. A view serves one solve, and refers to its case.
class SolveView {
 public:
  explicit SolveView(const SolveCase& asked) : asked_(asked) {}
  virtual ~SolveView() = default;

  // Returns the files that --plot PREFIX writes; empty: the family has no pictures.
  virtual std::vector<std::string> plotted_files(const std::string& prefix) const;
  virtual const char* plot_script() const { return "plot-solution"; }
  // Returns the end of the name of the file that --vtk writes; empty: it writes none.
  virtual std::string vtk_ending() const { return {}; }

  virtual std::shared_ptr<const Problem> problem();
  virtual int warm_up_iterations() const { return 20; }
  // Called before the first solve.
  virtual void before() {}
  // Called at each residual check of the timed solve.
  virtual bool is_live() const { return false; }
  virtual void check(const Outcome&) {}
  // Checks the answer, and adds its results to the outcome.
  virtual Judgement judge(PreparedSolve&, Outcome&);
  // Prints the answer. If it is wrong, prints why and returns the exit status; else returns nothing.
  virtual std::optional<int> print(const TimedSolve&, const Judgement&);
  // Writes the requested files and returns the exit status.
  virtual int write_files(PreparedSolve&, const Outcome&) { return 0; }

 protected:
  const SolveCase& asked_;
};

// Returns the view of the case's family.
std::unique_ptr<SolveView> view_of(const SolveCase&, const Family&);

std::unique_ptr<SolveView> linear_view(const SolveCase&);
std::unique_ptr<SolveView> flow_view(const SolveCase&);
std::unique_ptr<SolveView> block_view(const SolveCase&);
std::unique_ptr<SolveView> mesh_view(const SolveCase&);
std::unique_ptr<SolveView> mesh_flow_view(const SolveCase&);
std::unique_ptr<SolveView> matrix_view(const SolveCase&);

// Solves the case, shows it, and returns the exit status.
int solve_and_show(const SolveCase&, SolveView&);

}  // namespace cfdmark

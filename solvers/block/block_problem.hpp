// Problems of the block solvers, in double precision on the host: six 5x5 matrices per point, from the fluxes
// of a compressible boundary layer, as in an implicit step of a flow solver. Problems differ in their
// residual; block_problem_table() lists them.
#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/block_relaxation/block_methods.hpp"
#include "kernels/core/config.hpp"
#include "kernels/device/field.hpp"
#include "solvers/base/problem.hpp"

namespace cfdmark {

struct BlockProblemDescription {
  std::string name, help;  // help: one line
  std::vector<Setting> settings;
  BlockSweep residual;  // BlockSweep::residual or second_order_residual
};

const std::vector<BlockProblemDescription>& block_problem_table();
// Returns null for an unknown name.
const BlockProblemDescription* find_block_problem(std::string_view name);
std::vector<std::string> block_problem_names();

// Ghost layers that the residuals read; all are 0.
inline constexpr int block_problem_halo = 2;

struct BlockProblem : Problem {
  const BlockProblemDescription* description = nullptr;
  Grid grid;
  HostField matrices;  // in the host's order
  HostField exact;     // the exact unknowns

  // Return the matrices as stored in a precision, and the right-hand side for which `exact` is the solution
  // with these. Made on first use and shared by all solves; not for use by several threads.
  const HostField& stored_matrices(Precision) const;
  const HostField& right_hand_side(Precision) const;

 private:
  struct Stored {
    HostField matrices;  // empty if the problem's own have this precision
    HostField b;
  };
  const Stored& stored(Precision) const;
  mutable std::map<Precision, Stored> stored_ = {};
};

// Returns the problem with these settings, which are complete.
BlockProblem make_block_problem(const BlockProblemDescription&, const Grid&, const Config& settings);
// Returns why the problem does not suit a grid; empty if it does.
std::string unsuitable_block_grid(const Grid&);
double block_problem_bytes(const Grid&);  // host memory of a problem

// Returns b - A x, where A is the problem's operator with these matrices. Computed in double precision on the
// host; matrices, b and x may have any precision.
HostField block_residual(const BlockProblemDescription&, const Grid&, const HostField& matrices,
                         const HostField& b, const HostField& x);
// Returns the 2-norm over all components of all points; NaN if a component is NaN.
double block_norm(const Grid&, const HostField& x);
double largest_block_difference(const Grid&, const HostField& x, const HostField& y);

}  // namespace cfdmark

// The problems that block solvers are run on, all in 64 bits on the host: six 5x5 matrices a point, made of
// the fluxes of a compressible flow along a wall, as an implicit step of a flow solver has them. Each differs
// in what its residual is; block_problem_table() lists them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "kernels/backends/field.hpp"
#include "kernels/block_relaxation/block_methods.hpp"
#include "kernels/core/config.hpp"

namespace cfdmark {

struct BlockProblemDescription {
  std::string name, help;  // help: one line
  std::vector<Setting> settings;
  BlockSweep residual;  // BlockSweep::residual or second_order_residual
};

const std::vector<BlockProblemDescription>& block_problem_table();
// Null if there is none of that name.
const BlockProblemDescription* find_block_problem(std::string_view name);
std::vector<std::string> block_problem_names();

// Layers of ghosts, all 0, that the residuals read.
inline constexpr int block_problem_halo = 2;

struct BlockProblem {
  const BlockProblemDescription* description = nullptr;
  Grid grid;
  HostField matrices;  // in a host's order
  HostField exact;     // the unknowns that are to be found
};

// Settings as `given`, or else their defaults.
BlockProblem make_block_problem(const BlockProblemDescription&, const Grid&, const Config& given = {});
// Why it cannot be posed on a grid; empty if it can.
std::string unsuitable_block_grid(const Grid&);
double block_problem_bytes(const Grid&);

// What x lacks: b less what the problem's operator, with these matrices, makes of x. In 64 bits on the host;
// matrices, b and x of any precision. With b = 0 it is what to subtract.
HostField block_residual(const BlockProblemDescription&, const Grid&, const HostField& matrices,
                         const HostField& b, const HostField& x);
// Over all components of all points; NaN where there is one.
double block_norm(const Grid&, const HostField& x);
double largest_block_difference(const Grid&, const HostField& x, const HostField& y);

}  // namespace cfdmark

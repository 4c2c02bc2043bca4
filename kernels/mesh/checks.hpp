// Faults of a mesh that comes from a file or from somebody's program.
#pragma once

#include <string>
#include <vector>

#include "kernels/mesh/mesh.hpp"

namespace cfdmark {

// Returns what is wrong with the nodes and cells of a mesh, one reason per kind of fault: it names the first
// such cell or node, counted from 0, and how many there are. Empty if nothing is wrong. Kinds: node numbers,
// duplicate cells and faces that `connect` refuses; coordinates that are not finite; areas or volumes that
// are not positive; nodes without cells; no cells at all.
std::vector<std::string> faults_of_cells(const Mesh&);

// Returns the same; of a mesh whose cells have no faults, what is wrong with its connections: a list of the
// wrong length, a face or an edge that differs in nodes or orientation from what its cell or face says, a
// cell whose outward area vectors do not sum to 0 or whose edges do not cancel. What `connect` makes has
// none.
std::vector<std::string> faults(const Mesh&);

// Throws std::invalid_argument with all faults of a connected mesh, if there are any.
void check(const Mesh&);

// Returns the largest ratio of |sum of a cell's outward area vectors| to the sum of their lengths: the
// closure of the worst cell, 0 to rounding.
double worst_closure(const Mesh&);

}  // namespace cfdmark

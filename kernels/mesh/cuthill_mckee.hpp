// Order of cells by breadth-first search.
#pragma once

#include "kernels/mesh/mesh.hpp"

namespace cfdmark {

// Returns the cells in reverse Cuthill-McKee order (E. Cuthill, J. McKee, 1969; A. George, 1971):
// breadth-first through the graph of cells that share a face, neighbours with fewer neighbours first,
// reversed. Each connected part starts at a cell as far from others as the search of A. George and J. Liu
// (1979) finds. `neighbours`: as returned by cell_neighbours; `degree`: its entries per cell.
std::vector<int> reverse_cuthill_mckee(const std::vector<int>& neighbours, int degree);

}  // namespace cfdmark

// Numberings of a mesh: the order of its cells, and of faces, edges and nodes after them.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/mesh/mesh.hpp"

namespace cfdmark {

// stored        as the mesh is: the lattice's order if it was generated
// random        a random order of cells
// random_faces  the same, with faces in random order too: the worst case
// rcm           reverse Cuthill-McKee on the graph of cells that share a face
// hilbert       along a Hilbert curve through the centroids, 16 bits per axis
// morton        along a Z curve likewise
// nested        METIS' nested dissection of that graph
enum class Numbering { stored, random, random_faces, rcm, hilbert, morton, nested };

inline constexpr Numbering all_numberings[] = {Numbering::stored, Numbering::random,  Numbering::random_faces,
                                               Numbering::rcm,    Numbering::hilbert, Numbering::morton,
                                               Numbering::nested};

std::string_view to_string(Numbering);
// Returns the numbering of that name. Throws std::invalid_argument, naming the valid words.
Numbering numbering_from(std::string_view word);
// Returns why this build has no such numbering; empty if it has it.
std::string not_built_reason(Numbering);

// Returns the mesh with its cells in this order and its nodes ordered by the lowest cell that has them, those
// of one cell as before. `connect` rebuilds the connections. `stored` moves nothing. The seed decides
// random orders only. Consists of the steps below, which a caller may time one by one. Throws as `connect`
// does, and std::invalid_argument for a numbering that is not built.
Mesh numbered(Mesh, Numbering, std::uint64_t seed);

// Returns for each new number the old number of its cell. Reads nodes and cells only.
std::vector<int> cell_order(const Mesh&, Numbering, std::uint64_t seed);
// Moves cells to the places of an order, and orders nodes as `numbered` does; those that no cell has come
// last. Clears all connections.
void reorder(Mesh&, const std::vector<int>& order);
// Orders the inner faces of a connected mesh at random among themselves, and those of the boundary likewise.
void shuffle_faces(Mesh&, std::uint64_t seed);

// Distances between the numbers of the two cells of an inner face.
struct NumberingFacts {
  double mean_distance = 0;  // of |c1 - c2|
  int most_distance = 0;
  double same_line = 0;  // share of faces whose cells' values lie in one line of 128 bytes in fp32
};
NumberingFacts numbering_facts(const Mesh&);

}  // namespace cfdmark

// Meshes of any size from a formula, with exact counts known before they are made.
#pragma once

#include <cstdint>

#include "kernels/mesh/mesh.hpp"

namespace cfdmark {

struct MeshCounts {
  long long cells, faces, edges, nodes, boundary_faces;  // edges: of tetrahedra only
  bool operator==(const MeshCounts&) const = default;
};

// Returns the counts of the meshes below, in closed form. Throw std::invalid_argument as those do.
MeshCounts counts_of_triangles(int a, int b, int extra = 0);
MeshCounts counts_of_tetrahedra(int a, int b, int c, int extra = 0);
// Returns the counts of a connected mesh.
MeshCounts counts_of(const Mesh&);

// Returns a x b rectangles on the unit square, each cut into two triangles by a diagonal chosen at random.
// Each inner node is moved at random by up to 0.15 of a rectangle's sides; those of the boundary stay. With
// `extra` > 0, `extra` different triangles get a node at their centroid; then edges are flipped until the
// mesh is Delaunay, which changes no count.
//
// The order of cells is called `lattice`: rectangles row by row, x first; the triangles of one follow each
// other. Nodes are numbered likewise; the extra ones come after them in the order of their triangles. A
// triangle's parts take its place. The same seed gives the same mesh with any number of threads. The result
// has nodes and cells; `connect` adds the rest.
//
// Throws std::invalid_argument if a or b is below 1, if `extra` is negative or above 2 a b, or if the mesh is
// too large for 32-bit numbers.
Mesh triangles(int a, int b, int extra, std::uint64_t seed);

// Returns a x b x c cubes, each cut into six tetrahedra along its diagonal (H. W. Kuhn's split: one
// tetrahedron per order of the axes). A cube's edge is 1 / max(a, b, c) long, so that the longest side of the
// box is 1. Inner nodes move by up to 0.15 of an edge in each direction; those of the boundary stay. With
// `extra` > 0, `extra` different tetrahedra get a node at their centroid, and each of them becomes four.
// Order, seed, result and errors are as for `triangles`: cubes x first, then y, then z; `extra` is at most 6
// a b c.
Mesh tetrahedra(int a, int b, int c, int extra, std::uint64_t seed);

}  // namespace cfdmark

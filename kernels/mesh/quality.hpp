// How well the cells of a mesh are shaped.
#pragma once

#include "kernels/mesh/mesh.hpp"

namespace cfdmark {

struct MeshQuality {
  double least_angle = 0;   // degrees: of the triangles, or between two faces of a tetrahedron
  double median_angle = 0;  // degrees: median over cells of a cell's least angle
  // Length or area of a face over the distance of its cells' centroids; at the boundary over the distance
  // from the centroid of the cell to that of the face. 2-D: no unit; 3-D: a length.
  double least_area_over_distance = 0, most_area_over_distance = 0;
  // Degrees between the normal of an inner face and the line that joins its cells' centroids.
  double mean_non_orthogonality = 0, most_non_orthogonality = 0;
};

// Returns the quality of a connected mesh, with 0 for what it has no cells or inner faces for.
MeshQuality quality(const Mesh&);

// Returns the least angle of a cell in degrees, as above.
double least_angle(const Mesh&, int cell);

}  // namespace cfdmark

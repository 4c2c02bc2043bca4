// Centroids, areas and volumes of a mesh, in double.
#pragma once

#include "kernels/mesh/mesh.hpp"

namespace cfdmark {

// Returns the area (2-D) or volume of a cell; negative if its nodes are ordered the wrong way.
double cell_volume(const Mesh&, int cell);
Point cell_centroid(const Mesh&, int cell);
// Returns the mean of a face's nodes, which is its centroid: a face is a side or a triangle.
Point face_centroid(const Mesh&, int face);
// Returns the unit normal times the length (2-D) or area of a face. It points out of the face's first cell.
Point face_area(const Mesh&, int face);

// The same for all cells or faces.
std::vector<double> cell_volumes(const Mesh&);
std::vector<Point> cell_centroids(const Mesh&);
std::vector<Point> face_centroids(const Mesh&);
std::vector<Point> face_areas(const Mesh&);

// Returns the sum of all volumes, in the order of the cells: the same with any number of threads.
double volume_of(const Mesh&);
// Returns the first cell whose volume is not positive; the number of cells if there is none.
int first_inverted(const Mesh&);

inline Point difference(const Point& a, const Point& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2]}; }
inline double dot(const Point& a, const Point& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
inline Point cross(const Point& a, const Point& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}
double length(const Point&);

}  // namespace cfdmark

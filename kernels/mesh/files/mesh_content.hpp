// The content of a mesh file before it is checked: nodes and elements with their numbers and places.
#pragma once

#include <cstdint>
#include <vector>

#include "kernels/mesh/files/mesh_file.hpp"
#include "kernels/mesh/files/mesh_file_error.hpp"

namespace cfdmark {

// Coordinates beyond this are refused: volumes of tetrahedra must stay within the range of a double.
inline constexpr double largest_coordinate = 1e100;

struct NodeList {
  std::vector<std::int64_t> numbers;  // as in the file
  std::vector<std::int64_t> places;
  std::vector<Point> points;
};

// Elements of one kind.
struct ElementList {
  int nodes_each = 0;
  std::vector<int> nodes;             // nodes_each per element, counted from 0 in the order of the file
  std::vector<std::int64_t> numbers;  // as in the file
  std::vector<std::int64_t> places;
  std::vector<int> tag_sets;  // index into MeshContent::tag_sets; empty for kinds that are always cells

  std::size_t size() const { return numbers.size(); }
};

struct MeshContent {
  MeshOrigin origin;
  NodeList nodes;
  ElementList lines{2, {}, {}, {}, {}}, triangles{3, {}, {}, {}, {}}, tetrahedra{4, {}, {}, {}, {}};
  std::vector<std::vector<int>> tag_sets{{}};  // physical tags; the first set is empty
  std::vector<PhysicalGroup> groups;
};

}  // namespace cfdmark

// Which nodes of a cell its faces have.
#pragma once

namespace cfdmark {

// Face i of a cell is opposite its node i. The order of its nodes gives a normal that leaves the cell.
template <int dims>
struct CellShape;

template <>
struct CellShape<2> {
  static constexpr int face[3][2] = {{1, 2}, {2, 0}, {0, 1}};
};

template <>
struct CellShape<3> {
  static constexpr int face[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
};

}  // namespace cfdmark

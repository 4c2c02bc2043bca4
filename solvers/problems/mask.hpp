// A body drawn as an image, a pixel a cell.
#pragma once

#include <string>
#include <vector>

namespace cfdmark {

struct Mask {
  std::string file;
  int nx = 0, ny = 0;
  std::vector<char> solid;  // row by row, the lowest first

  bool is_solid(int i, int j) const { return solid[std::size_t(j) * nx + i] != 0; }
  // From the lowest to the highest, from the first to the last that is solid somewhere; 0 if none is.
  int rows() const;
  int columns() const;
};

// A PNG image, or a PGM image, plain (P2) or raw (P5): pixels darker than the middle grey are solid. Throws
// std::invalid_argument with the file and what is wrong with it.
Mask read_mask(const std::string& file);

}  // namespace cfdmark

// A body drawn as an image with one pixel per cell.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace cfdmark {

struct Mask {
  std::string file;
  int nx = 0, ny = 0;
  std::vector<char> solid;  // row by row, lowest row first

  bool is_solid(int i, int j) const { return solid[std::size_t(j) * nx + i] != 0; }
  // Return the number of rows or columns from the first to the last with a solid pixel; 0 if there is none.
  int rows() const;
  int columns() const;
};

// Called with the size of an image before memory is allocated for it. Throws if the size is not accepted.
using ImageSizeCheck = std::function<void(int nx, int ny)>;

// Reads a PNG image, or a plain (P2) or raw (P5) PGM image. Pixels darker than 50 % are solid. Throws
// std::invalid_argument with the file and its error, or the exception of `check`.
Mask read_mask(const std::string& file, const ImageSizeCheck& check = nullptr);

// Throws std::invalid_argument if a file of this many bytes cannot hold the pixels that its header declares.
// `most` is the largest number of pixels that it can hold.
void require_pixels(const std::string& file, double nx, double ny, double most, std::uintmax_t bytes);

}  // namespace cfdmark

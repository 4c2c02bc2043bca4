// A body drawn as an image, a pixel a cell.
#pragma once

#include <cstdint>
#include <functional>
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

// Called with the size of an image before memory is allocated for it; throws if that size is not accepted.
using ImageSizeCheck = std::function<void(int nx, int ny)>;

// A PNG image, or a PGM image, plain (P2) or raw (P5): pixels darker than the middle grey are solid. Throws
// std::invalid_argument with the file and what is wrong with it, or what `check` throws.
Mask read_mask(const std::string& file, const ImageSizeCheck& check = nullptr);

// Throws std::invalid_argument if a file of this many bytes cannot hold the pixels that its header claims.
// `most` is the largest number of pixels that it can hold.
void require_pixels(const std::string& file, double nx, double ny, double most, std::uintmax_t bytes);

}  // namespace cfdmark

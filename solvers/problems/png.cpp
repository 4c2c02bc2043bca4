#include "solvers/problems/png.hpp"

#include <fmt/format.h>
#include <png.h>

#include <filesystem>
#include <memory>
#include <stdexcept>

namespace cfdmark {
namespace {

// A pixel has at least one bit, and deflate expands a byte to at most 1032.
void require_size(const png_image& image, const std::string& file) {
  constexpr double pixels_of_byte = 8.0 * 1032;
  const std::uintmax_t bytes = std::filesystem::file_size(file);
  require_pixels(file, image.width, image.height, pixels_of_byte * double(bytes), bytes);
}

}  // namespace

Mask read_png(const std::string& file, const ImageSizeCheck& check) {
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  const std::unique_ptr<png_image, void (*)(png_image*)> owner(&image, png_image_free);
  const auto require = [&](int done) {
    if (!done) throw std::invalid_argument(fmt::format("{}: {}", file, image.message));
  };
  require(png_image_begin_read_from_file(&image, file.c_str()));
  require_size(image, file);
  if (check) check(int(image.width), int(image.height));
  image.flags |= PNG_IMAGE_FLAG_16BIT_sRGB;  // else 16 bits without a colour chunk are read as linear
  image.format = PNG_FORMAT_GRAY;
  const int nx = int(image.width), ny = int(image.height);
  std::vector<unsigned char> grey(PNG_IMAGE_SIZE(image));
  const png_color white{255, 255, 255};
  require(png_image_finish_read(&image, &white, grey.data(), 0, nullptr));
  Mask mask{file, nx, ny, std::vector<char>(grey.size())};
  for (int j = 0; j < ny; ++j)  // an image starts at the top
    for (int i = 0; i < nx; ++i)
      mask.solid[std::size_t(ny - 1 - j) * nx + i] = grey[std::size_t(j) * nx + i] < 128;
  return mask;
}

}  // namespace cfdmark

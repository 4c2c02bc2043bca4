#include "solvers/problems/mask.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>

#include "solvers/problems/input_file.hpp"
#include "solvers/problems/png.hpp"

namespace cfdmark {
namespace {

class PgmReader {
 public:
  explicit PgmReader(const std::string& file) : file_(file), in_(input_file(file)) {}

  Mask read(const ImageSizeCheck& check) {
    std::string kind(2, ' ');
    in_.read(kind.data(), 2);
    if (kind != "P2" && kind != "P5")
      fail("is neither a PNG nor a PGM image (P2 or P5); convert it with `magick IN.jpg OUT.png`");
    constexpr int most = 1 << 20;
    const int nx = number("width", 1, most), ny = number("height", 1, most);
    const int white = number("largest value", 1, 65535);
    if (kind == "P5") in_.get();  // one separator
    require_values(nx, ny, kind == "P2", white);
    if (check) check(nx, ny);
    Mask mask{file_, nx, ny, std::vector<char>(std::size_t(nx) * ny)};
    for (int j = ny - 1; j >= 0; --j)  // an image starts at the top
      for (int i = 0; i < nx; ++i) {
        const int value = kind == "P2" ? number("value", 0, white) : raw(white);
        mask.solid[std::size_t(j) * nx + i] = 2 * value < white;
      }
    return mask;
  }

 private:
  // Line 0: the error belongs to no line.
  [[noreturn]] void fail(const std::string& what, int line = 0) const {
    throw std::invalid_argument(
        fmt::format("{}{}: {}", file_, line > 0 ? fmt::format(":{}", line) : "", what));
  }

  // A plain value needs a digit and a separator, except for the last; a raw one needs one or two bytes.
  void require_values(int nx, int ny, bool is_plain, int white) {
    const std::uintmax_t size = std::filesystem::file_size(file_);
    const double rest = double(size) - double(in_.tellg());
    require_pixels(file_, nx, ny, is_plain ? (rest + 1) / 2 : rest / (white > 255 ? 2 : 1), size);
  }

  // Reads an integer after blanks and comments.
  int number(const char* what, int low, int high) {
    for (int next = in_.peek(); std::isspace(next) || next == '#'; next = in_.peek()) {
      const int skipped = in_.get();
      if (skipped == '#') in_.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
      if (skipped == '#' || skipped == '\n') ++line_;
    }
    int value = 0;
    if (!(in_ >> value)) fail(fmt::format("expected a number for the {}", what), line_);
    if (value < low || value > high)
      fail(fmt::format("the {} is {}, outside {} to {}", what, value, low, high), line_);
    return value;
  }

  int raw(int white) {
    int value = in_.get();
    if (white > 255) value = value * 256 + in_.get();
    if (!in_) fail("is truncated: it ends before its last pixel");
    return value;
  }

  std::string file_;
  std::ifstream in_;
  int line_ = 1;
};

// Returns the number of lines from the first to the last with a solid pixel; 0 if there is none.
template <class IsSolid>
int extent(int lines, int length, const IsSolid& is_solid) {
  int first = lines, last = -1;
  for (int line = 0; line < lines; ++line)
    for (int n = 0; n < length; ++n)
      if (is_solid(line, n)) first = std::min(first, line), last = line;
  return last < 0 ? 0 : last - first + 1;
}

}  // namespace

int Mask::rows() const {
  return extent(ny, nx, [&](int j, int i) { return is_solid(i, j); });
}
int Mask::columns() const {
  return extent(nx, ny, [&](int i, int j) { return is_solid(i, j); });
}

Mask read_mask(const std::string& file, const ImageSizeCheck& check) {
  std::string start(4, ' ');
  input_file(file).read(start.data(), 4);
  return start == "\x89PNG" ? read_png(file, check) : PgmReader(file).read(check);
}

void require_pixels(const std::string& file, double nx, double ny, double most, std::uintmax_t bytes) {
  if (nx * ny <= most) return;
  throw std::invalid_argument(fmt::format(
      "{}: is truncated: the header declares {:.0f}x{:.0f} pixels, but {} bytes hold at most {:.0f}", file,
      nx, ny, bytes, most));
}

}  // namespace cfdmark

#include "kernels/ranks/overlap_order.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace cfdmark {

Overlap overlap_from(std::string_view word) {
  if (word == "none") return Overlap::none;
  if (word == "inner_first") return Overlap::inner_first;
  if (word == "edges_first") return Overlap::edges_first;
  throw std::invalid_argument(
      fmt::format("unknown overlap '{}'; expected none, inner_first or edges_first", word));
}

}  // namespace cfdmark

#include "kernels/core/precision.hpp"

#include <fmt/format.h>

#include <stdexcept>

namespace cfdmark {

std::string_view to_string(Precision p) {
  switch (p) {
    case Precision::fp32: return "fp32";
    case Precision::fp64: return "fp64";
    case Precision::mixed: break;
  }
  return "mixed";
}

Precision precision_from(std::string_view word) {
  for (Precision p : all_precisions)
    if (to_string(p) == word) return p;
  throw std::invalid_argument(fmt::format("unknown precision '{}': use fp32, fp64 or mixed", word));
}

std::string not_built_reason(Precision p) {
  if (!fp64_alone || p == Precision::fp64) return "";
  return fmt::format("{} is not built in: CFDMARK_PRECISIONS=fp64", to_string(p));
}

}  // namespace cfdmark

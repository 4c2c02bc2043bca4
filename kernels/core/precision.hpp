// Precision of storage and of arithmetic.
#pragma once

#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>

namespace cfdmark {

enum class Precision { fp32, fp64, mixed };

inline constexpr Precision all_precisions[] = {Precision::fp32, Precision::fp64, Precision::mixed};

std::string_view to_string(Precision);
// Returns the precision of that name. Throws std::invalid_argument, naming the valid words.
Precision precision_from(std::string_view word);

// Bytes of one stored value: mixed stores in 32 bits and computes in 64.
inline std::size_t stored_bytes(Precision p) { return p == Precision::fp64 ? 8 : 4; }

// The precision in which values of `p` are stored: fp32 or fp64.
inline Precision storage_of(Precision p) { return p == Precision::fp64 ? Precision::fp64 : Precision::fp32; }

// The precision of arithmetic on values of `p`: fp32 or fp64.
inline Precision arithmetic_of(Precision p) {
  return p == Precision::fp32 ? Precision::fp32 : Precision::fp64;
}

// Unit roundoff of the stored values.
inline double roundoff(Precision p) {
  return p == Precision::fp64 ? 1.1102230246251565e-16 : 5.9604644775390625e-8;
}

// True in builds with CFDMARK_PRECISIONS=fp64, which have no kernels of other precisions.
#ifdef CFDMARK_FP64_ALONE
inline constexpr bool fp64_alone = true;
#else
inline constexpr bool fp64_alone = false;
#endif
// Returns why this build has no kernels of a precision; empty if it has them.
std::string not_built_reason(Precision);

// Calls f.template operator()<Storage, Compute>() with the types of a precision and returns its result.
// Throws std::logic_error for a precision that is not built.
template <class F>
decltype(auto) with_types(Precision p, F&& f) {
  if constexpr (fp64_alone) {
    if (p != Precision::fp64) throw std::logic_error(not_built_reason(p));
    return std::forward<F>(f).template operator()<double, double>();
  } else {
    switch (p) {
      case Precision::fp32: return std::forward<F>(f).template operator()<float, float>();
      case Precision::fp64: return std::forward<F>(f).template operator()<double, double>();
      case Precision::mixed: break;
    }
    return std::forward<F>(f).template operator()<float, double>();
  }
}

}  // namespace cfdmark

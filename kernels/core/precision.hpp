// Precision of storage and of arithmetic.
#pragma once

#include <cstddef>
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

// Calls f.template operator()<Storage, Compute>() with the types of a precision and returns its result.
template <class F>
decltype(auto) with_types(Precision p, F&& f) {
  switch (p) {
    case Precision::fp32: return std::forward<F>(f).template operator()<float, float>();
    case Precision::fp64: return std::forward<F>(f).template operator()<double, double>();
    case Precision::mixed: break;
  }
  return std::forward<F>(f).template operator()<float, double>();
}

}  // namespace cfdmark

// The sum that a library's real transform computes fast, on the host: replaces cuFFT on the emulated device.
#pragma once

#include <cmath>
#include <complex>
#include <numbers>

#include "solvers/linear/direct/direct_cuda.hpp"

namespace cfdmark {

template <class T>
void transform_lines(const LineTransform& t) {
  const GridLines& l = t.lines;
  const int period = l.period;
  const T* const values = static_cast<const T*>(t.values);
  T* const coefficients = static_cast<T*>(t.coefficients);
  for (Index line = 0; line < l.lines; ++line)
    for (int k = 0; k < l.coefficients(); ++k) {
      std::complex<double> sum = 0;
      for (int m = 0; m < period; ++m)
        sum += double(values[line * l.distance(period) + m * l.stride()]) *
               std::polar(1.0, -2 * std::numbers::pi * (Index(k) * m % period) / period);
      T* const at = coefficients + 2 * (line * l.distance(l.coefficients()) + k * l.stride());
      at[0] = T(sum.real()), at[1] = T(sum.imag());
    }
}

inline DirectLibrary library_of_sums() {
  return {"sums", {}, direct_by_lines([](const LineTransform& t) -> HostCall {
            return {[t](const CudaQueue&) {
              t.storage == Precision::fp32 ? transform_lines<float>(t) : transform_lines<double>(t);
            }};
          })};
}
inline SolverMethod direct_by_sums() { return direct_method(library_of_sums()); }

}  // namespace cfdmark

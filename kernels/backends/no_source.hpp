// Stands for a right-hand side that is 0 everywhere and lies in no memory. NVRTC reads this file: no standard
// header here.
#pragma once

namespace cfdmark {

struct NoSource {};
template <class B>
constexpr bool has_source = true;
template <>
constexpr bool has_source<NoSource> = false;

}  // namespace cfdmark

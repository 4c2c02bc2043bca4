// A right-hand side that is zero everywhere and needs no memory. NVRTC reads this file, so it includes no
// standard header.
#pragma once

namespace cfdmark {

struct ZeroRhs {};
template <class B>
constexpr bool has_source = true;
template <>
constexpr bool has_source<ZeroRhs> = false;

}  // namespace cfdmark

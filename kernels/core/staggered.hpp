// What the kernels of a staggered grid share: u(i, j) lies on the west face of cell (i, j), v(i, j) on its
// south face, in 3-D w(i, j, k) on its bottom face, scalars at the centres. NVRTC reads this file: no
// standard header here.
#pragma once

#include "kernels/core/finite_volume.hpp"

namespace cfdmark {

// The factors of two rates in a step of Adams and Bashforth's, u' = u + now R + before R_old: 3/2 and -1/2 of
// its length, where the step before was as long.
struct TwoRates {
  double now = 0, before = 0;
  // The length of this step and of the one before, in the backend's memory, of which the factors are made
  // when it runs. Null: they are as they stand.
  const double* lengths = nullptr;

  CFDMARK_FUNCTION TwoRates known() const {
    if (!lengths) return *this;
    const double half_ratio = lengths[0] / lengths[1] / 2;
    return {lengths[0] * (1 + half_ratio), -lengths[0] * half_ratio};
  }
};

// Something times the length of a time step, which may lie in the backend's memory likewise.
struct OfStep {
  double value = 1;
  const double* length = nullptr;  // null: the value as it stands

  CFDMARK_FUNCTION OfStep known() const { return {length ? value * *length : value}; }
};

// The value behind a side of a place that lies between two cells, or of one cell: where both have a wall
// there, what makes the mean the wall's; nothing changes across a plane that nothing rubs on.
template <class C>
CFDMARK_FUNCTION C value_beyond(FaceKind one, FaceKind other, C here, C stored) {
  const C reflected = one == FaceKind::fixed ? C(2) * stored - here : here;
  return one == FaceKind::fluid || one != other ? stored : reflected;
}

// Whether a kernel's fields are those of a flow in 3-D.
template <class Fields>
inline constexpr bool has_w = requires(const Fields& at) {
  at.w;
};

// The velocity along an axis: x 0, y 1, z 2.
template <int axis, class Fields>
CFDMARK_FUNCTION const auto& velocity_along(const Fields& at) {
  if constexpr (axis == 0)
    return at.u;
  else if constexpr (axis == 1)
    return at.v;
  else
    return at.w;
}

// The other axes in turn, the second in 3-D only.
template <int axis>
inline constexpr int first_across = axis == 0 ? 1 : 0;
template <int axis>
inline constexpr int second_across = axis == 2 ? 1 : 2;

// Reads a field around a cell, `a` cells along one axis and `b` along another.
template <int along, int across, class Field>
struct InPlane {
  const Field& field;
  CFDMARK_FUNCTION auto operator()(int a, int b) const {
    return field(along == 0    ? a
                 : across == 0 ? b
                               : 0,
                 along == 1    ? a
                 : across == 1 ? b
                               : 0,
                 along == 2    ? a
                 : across == 2 ? b
                               : 0);
  }
};
template <int along, int across, class Field>
CFDMARK_FUNCTION InPlane<along, across, Field> in_plane(const Field& field) {
  return {field};
}

}  // namespace cfdmark

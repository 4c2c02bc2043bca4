// Shared parts of the kernels on a staggered grid. u(i, j) is on the west face of cell (i, j), v(i, j) on its
// south face, w(i, j, k) in 3-D on its bottom face; scalars are cell-centred. NVRTC reads this file, so it
// includes no standard header.
#pragma once

#include "kernels/core/finite_volume.hpp"

namespace cfdmark {

// Weights of the two rates of a second-order Adams-Bashforth step, u' = u + now R + before R_old. For equal
// steps they are 3/2 and -1/2 times the step length.
struct TwoRates {
  double now = 0, before = 0;
  // Lengths of this step and of the previous one, in the backend's memory. known() computes the weights from
  // them when the step runs. Null: the weights are those stored.
  const double* lengths = nullptr;

  CFDMARK_FUNCTION TwoRates known() const {
    if (!lengths) return *this;
    const double half_ratio = lengths[0] / lengths[1] / 2;
    return {lengths[0] * (1 + half_ratio), -lengths[0] * half_ratio};
  }
};

// A coefficient times the length of a time step, which may be in the backend's memory.
struct OfStep {
  double value = 1;
  const double* length = nullptr;  // null: `value` alone

  CFDMARK_FUNCTION OfStep known() const { return {length ? value * *length : value}; }
};

// Returns the value on the far side of one side of a control volume. `one` and `other` are the face kinds
// there of the two cells that the control volume spans (equal if it is one cell). Where both are `fixed`,
// reflects `here`, so that the mean is the stored wall value. Where both are `slip` or both `outlet`, returns
// `here` (zero gradient). Otherwise returns the stored value.
template <class C>
CFDMARK_FUNCTION C value_beyond(FaceKind one, FaceKind other, C here, C stored) {
  const C reflected = one == FaceKind::fixed ? C(2) * stored - here : here;
  return one == FaceKind::fluid || one != other ? stored : reflected;
}

// True if a kernel's fields belong to a 3-D flow.
template <class Fields>
inline constexpr bool has_w = requires(const Fields& at) {
  at.w;
};

// Returns the velocity component along an axis: x 0, y 1, z 2.
template <int axis, class Fields>
CFDMARK_FUNCTION const auto& velocity_along(const Fields& at) {
  if constexpr (axis == 0)
    return at.u;
  else if constexpr (axis == 1)
    return at.v;
  else
    return at.w;
}

// The two axes normal to `axis`, in order; the second exists in 3-D only.
template <int axis>
inline constexpr int first_across = axis == 0 ? 1 : 0;
template <int axis>
inline constexpr int second_across = axis == 2 ? 1 : 2;

// Reads a field at an offset of `a` cells along one axis and `b` along another.
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

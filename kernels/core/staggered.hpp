// What the kernels of a staggered grid share: u(i, j) lies on the west face of cell (i, j), v(i, j) on its
// south face, scalars at the centres. NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/finite_volume.hpp"

namespace cfdmark {

// The value behind a side of a place that lies between two cells, or of one cell: where both have a wall
// there, what makes the mean the wall's; nothing changes across a plane that nothing rubs on.
template <class C>
CFDMARK_FUNCTION C value_beyond(FaceKind one, FaceKind other, C here, C stored) {
  const C reflected = one == FaceKind::fixed ? C(2) * stored - here : here;
  return one == FaceKind::fluid || one != other ? stored : reflected;
}

}  // namespace cfdmark

// Rotation, the transpose of the curl: face values summed around the nodes (2-D) or edges (3-D).
// S. Menon's thesis (2008): `rotation` in chapter 7, `curl` in chapter 5. The rotation of a gradient is 0
// except at the boundary. NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/cells/indexed/indexed_cell.hpp"

namespace cfdmark {

struct MeshRotation {
  static constexpr Connection around = Connection::edge_faces;

  template <class F>
  struct Fields {
    typename F::template Gather<> g;
    typename F::template Out<> r;
  };
  static constexpr Fields<MeshNames> names{"g", "r"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    typename F::Number sum = 0;
    for_each_link(at.g.links, [&](int n) { sum = sum + at.g.oriented(n); });
    at.r = sum;
  }

  static MeshDescription<MeshRotation> description();
};

}  // namespace cfdmark

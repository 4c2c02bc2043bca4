// Curl: fluxes through faces from a stream function at the nodes (2-D) or a vector potential along the
// edges (3-D): (C s)_f = sum of the values around the face, by the right-hand rule. In 2-D: s(end) -
// s(start). S. Menon's thesis (2008), chapter 7. The divergence of a curl is 0. NVRTC reads this file, so it
// includes no standard header.
#pragma once

#include "kernels/cells/indexed/indexed_cell.hpp"

namespace cfdmark {

struct MeshCurl {
  static constexpr Connection around = Connection::face_edges;

  template <class F>
  struct Fields {
    typename F::template Gather<> s;
    typename F::template Out<> u;
  };
  static constexpr Fields<MeshNames> names{"s", "u"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    typename F::Number sum = 0;
    for_each_link(at.s.links, [&](int n) { sum = sum + at.s.oriented(n); });
    at.u = sum;
  }

  static MeshDescription<MeshCurl> description();
};

}  // namespace cfdmark

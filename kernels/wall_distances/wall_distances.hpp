// The momentum equations next to a body, and the force on it, with the true distances to its surface. The
// wall lies theta of a cell side away from the centre of the cell, so its conductance is D / theta; Momentum
// and BodyForce put it on the face, 2 D. Fluxes and pressure keep the faces of the cells. NVRTC reads this
// file, so it includes no standard header.
#pragma once

#include "kernels/body_force/body_force.hpp"
#include "kernels/core/wall_distances.hpp"
#include "kernels/momentum/momentum.hpp"

namespace cfdmark {

// Momentum, with the excess of the conductances added to its result. Without excess the bits are the same.
struct WallMomentum : Momentum {
  template <class F>
  struct Fields {
    typename F::StencilIn mass_x, mass_y;
    typename F::In faces, distances;
    typename F::StencilIn u, v;
    typename F::In px, py;  // grad p
    typename F::Out west, east, south, north, centre, bu, bv;
  };
  static constexpr Fields<Names> names{{"mass_x", FieldPlace::face_x},
                                       {"mass_y", FieldPlace::face_y},
                                       "faces",
                                       "distances",
                                       "u",
                                       "v",
                                       "dp/dx",
                                       "dp/dy",
                                       "aW",
                                       "aE",
                                       "aS",
                                       "aN",
                                       "aP",
                                       "bu",
                                       "bv"};

  // Representation of Momentum's fields whose results are local variables.
  template <class F>
  struct LocalResults {
    using Number = typename F::Number;
    using In = typename F::In;
    using StencilIn = typename F::StencilIn;
    using Out = StoreRef<Number, Number>;
  };

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    using C = typename F::Number;
    C west, east, south, north, centre, bu, bv;
    Momentum::operator()(Momentum::Fields<LocalResults<F>>{at.mass_x,
                                                           at.mass_y,
                                                           at.faces,
                                                           at.u,
                                                           at.v,
                                                           at.px,
                                                           at.py,
                                                           {&west},
                                                           {&east},
                                                           {&south},
                                                           {&north},
                                                           {&centre},
                                                           {&bu},
                                                           {&bv}});
    const C dx = C(cell.viscosity * cell.dy / cell.dx), dy = C(cell.viscosity * cell.dx / cell.dy);
    const WallDistances walls{int(at.distances)};
    const C more_west = dx * walls.template excess<C>(0), more_east = dx * walls.template excess<C>(1),
            more_south = dy * walls.template excess<C>(2), more_north = dy * walls.template excess<C>(3);
    const C more_centre = (more_west + more_east + more_south + more_north) * C(1 / relaxation);
    const C more_kept = C(1 - relaxation) * more_centre;
    at.west = west + more_west;
    at.east = east + more_east;
    at.south = south + more_south;
    at.north = north + more_north;
    at.centre = centre + more_centre;
    at.bu = bu + more_kept * at.u(0, 0);
    at.bv = bv + more_kept * at.v(0, 0);
  }

  static CellDescription<WallMomentum> description();
};

template <class F>
struct WallForceFields {
  typename F::StencilIn faces, p;
  typename F::In distances;
  typename F::In velocity;  // velocity component along the force
};

struct WallForce : BodyForce {
  using Reduction = BodyForce::Reduction;
  // Viscosity times the area of a face over the width of a cell, made on the host: a division costs
  // registers.
  double conductance_x = cell.viscosity * (cell.dy / cell.dx),
         conductance_y = cell.viscosity * (cell.dx / cell.dy);

  // Returns the force along x or y: that of BodyForce, and the excess of its friction.
  template <class F>
  CFDMARK_FUNCTION typename F::Number wall_force(const WallForceFields<F>& at, bool along_x) const {
    using C = typename F::Number;
    const WallDistances walls{int(at.distances)};
    // Before the rest, and one axis after the other: fewer values are kept at a time.
    C friction = C(conductance_x) * (walls.template excess<C>(0) + walls.template excess<C>(1));
    friction =
        multiply_add(C(conductance_y), walls.template excess<C>(2) + walls.template excess<C>(3), friction);
    friction = friction * at.velocity;
    return friction + force(BodyForceFields<F>{at.faces, at.p, at.velocity}, along_x);
  }
};

struct WallForceX : WallForce {
  static constexpr int only_dims = 2;
  template <class F>
  struct Fields : WallForceFields<F> {};
  static constexpr Fields<Names> names{"faces", "p", "distances", "u"};

  template <class F>
  CFDMARK_FUNCTION typename F::Number operator()(const Fields<F>& at) const {
    return wall_force(at, true);
  }

  static CellDescription<WallForceX> description();
};

struct WallForceY : WallForce {
  static constexpr int only_dims = 2;
  template <class F>
  struct Fields : WallForceFields<F> {};
  static constexpr Fields<Names> names{"faces", "p", "distances", "v"};

  template <class F>
  CFDMARK_FUNCTION typename F::Number operator()(const Fields<F>& at) const {
    return wall_force(at, false);
  }

  static CellDescription<WallForceY> description();
};

}  // namespace cfdmark

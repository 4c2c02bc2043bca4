// The force of the flow on bodies, cell by cell: the terms that WallForceX and WallForceY add up. Their sums
// over parts of a grid are the forces on several bodies. Distances of code 0 are walls on the faces. NVRTC
// reads this file, so it includes no standard header.
#pragma once

#include "kernels/wall_distances/wall_distances.hpp"

namespace cfdmark {

struct SurfaceForce {
  static constexpr int only_dims = 2;
  WallForce wall = {};
  bool along_x = true;

  template <class F>
  struct Fields {
    typename F::StencilIn faces, p;
    typename F::In distances;
    typename F::In velocity;  // velocity component along the force
    typename F::Out force;
  };
  static constexpr Fields<Names> names{"faces", "p", "distances", "velocity", "force"};

  template <class F>
  CFDMARK_FUNCTION void operator()(const Fields<F>& at) const {
    at.force = wall.wall_force(WallForceFields<F>{at.faces, at.p, at.distances, at.velocity}, along_x);
  }

  static CellDescription<SurfaceForce> description();
};

}  // namespace cfdmark

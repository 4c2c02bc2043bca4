// Base of the problems of all families (family.hpp).
#pragma once

namespace cfdmark {

struct MadeMesh;  // kernels/mesh/files/made_mesh.hpp

// A problem in double precision on the host: what a solve starts from, and what its answer is compared with.
struct Problem {
  virtual ~Problem() = default;
  virtual const MadeMesh* own_mesh() const { return nullptr; }  // on which it is posed; null: on a grid
};

}  // namespace cfdmark

// A linear system: views of an operator, a right-hand side and an unknown that lie in a backend's memory.
#pragma once

#include <vector>

#include "kernels/backends/field.hpp"
#include "solvers/core/routines.hpp"
#include "solvers/linear/level_configs.hpp"
#include "solvers/linear/sides.hpp"

namespace cfdmark {

// The memory that it looks at outlives the solvers prepared on it; its values may change between solves.
struct System {
  Backend* backend = nullptr;
  Precision precision = Precision::fp64;  // of the kernels: fp32 or fp64
  Operator a;
  AnyView b, u;                   // u has the boundary values in its ghosts
  RoutineClock* clock = nullptr;  // of what is done on it; may be null
  Sides sides = {};
  const LevelConfigs* level_configs = nullptr;  // of multigrid; may be null

  const Grid& grid() const { return u.grid; }
  Field new_field() const { return Field(*backend, grid(), precision); }
  // The same operator with another right-hand side and unknown.
  System on(const Field& new_b, const Field& new_u) const {
    System s = *this;
    s.b = new_b.view(), s.u = new_u.view();
    return s;
  }
};

// What decides which methods can do a system, and what they allocate for it.
struct SystemShape {
  Grid grid;
  bool constant_operator = true;
  Precision precision = Precision::fp64;  // of the solve: mixed too
  Sides sides = {};
};

// The operator's arrays: west, east, south, north, [bottom, top,] centre; none if it is constant.
std::vector<AnyView> arrays_of(const Operator&, const Grid&);

// Copies a whole field of the system, ghosts and padding too.
void copy_whole(const System&, const AnyView& from, const AnyView& to);
// A whole field of the system, on the host.
HostField download(const System&, const AnyView&);

// A system with its memory.
class OwnedSystem {
 public:
  // Like `a`: the same operator if it is constant, else arrays of its own, yet zero as b and u are; a's
  // weights stay beside them, for who must know which direction is coupled most before there are values.
  OwnedSystem(Backend&, Precision, const Grid&, const Operator& a, RoutineClock* = nullptr,
              const Sides& = {});
  // Another precision, grid or operator than a system's; the rest is as there.
  OwnedSystem(const System&, Precision, const Grid&, const Operator& a);

  const System& system() const { return system_; }
  const std::vector<Field>& coefficients() const { return coefficients_; }
  const Field& b() const { return b_; }
  const Field& u() const { return u_; }
  // b and the coefficients of a problem of the same shape.
  void upload(const LinearProblem&);
  // u, stored as the system is.
  void upload_start(const HostField& u) { u_.upload(u); }

 private:
  std::vector<Field> coefficients_;
  Field b_, u_;
  System system_;
};

}  // namespace cfdmark

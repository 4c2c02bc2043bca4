// A linear system: views of an operator, a right-hand side and an unknown in a backend's memory.
#pragma once

#include <memory>
#include <vector>

#include "kernels/device/field.hpp"
#include "solvers/base/level_configs.hpp"
#include "solvers/base/routines.hpp"
#include "solvers/linear/system/sides.hpp"

namespace cfdmark {

// The viewed memory must outlive the solvers prepared on it; its values may change between solves.
struct System {
  Backend* backend = nullptr;
  Precision precision = Precision::fp64;  // of the kernels: fp32 or fp64
  Operator a;
  AnyView b, u;                   // the ghosts of u hold the boundary values
  RoutineClock* clock = nullptr;  // times operations on the system; may be null
  Sides sides = {};
  const LevelConfigs* level_configs = nullptr;  // for multigrid; may be null
  std::shared_ptr<const Field> ones = {};       // 1 in each cell, for mean removals; may be null

  const Grid& grid() const { return u.grid; }
  Field new_field() const { return Field(*backend, grid(), precision); }
  // Returns the system with the same operator, another right-hand side and another unknown.
  System on(const Field& new_b, const Field& new_u) const {
    System s = *this;
    s.b = new_b.view(), s.u = new_u.view();
    return s;
  }
};

// Properties that decide which methods support a system and how much memory they allocate.
struct SystemShape {
  Grid grid;
  bool constant_operator = true;
  Precision precision = Precision::fp64;  // of the solve; may be mixed
  Sides sides = {};

  bool operator==(const SystemShape&) const = default;
};

// Returns the operator's arrays: west, east, south, north, [bottom, top,] centre; empty for a constant
// operator.
std::vector<AnyView> arrays_of(const Operator&, const Grid&);

// Copies a whole field of the system with its ghosts and padding.
void copy_whole(const System&, const AnyView& from, const AnyView& to);
// Returns a whole field of the system on the host.
HostField download(const System&, const AnyView&);

// A system that owns its memory.
class OwnedSystem {
 public:
  // Allocates a system with the form of `a`: a constant operator is copied, an operator in arrays gets new
  // arrays of zeros. Also b and u are zero. Constant weights of `a` are kept next to the arrays, so that the
  // strongest coupling is known before there are values.
  OwnedSystem(Backend&, Precision, const Grid&, const Operator& a, RoutineClock* = nullptr,
              const Sides& = {});
  // Like `system`, but with another precision, grid or operator.
  OwnedSystem(const System&, Precision, const Grid&, const Operator& a);

  const System& system() const { return system_; }
  const std::vector<Field>& coefficients() const { return coefficients_; }
  const Field& b() const { return b_; }
  const Field& u() const { return u_; }
  // Uploads b and the coefficients of a problem of the same shape.
  void upload(const LinearProblem&);
  // Uploads u, which must have the system's precision.
  void upload_start(const HostField& u) { u_.upload(u); }

 private:
  std::vector<Field> coefficients_;
  Field b_, u_;
  System system_;
};

}  // namespace cfdmark

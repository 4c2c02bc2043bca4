// A linear system: an operator, and views of a right-hand side and an unknown in a backend's memory.
#pragma once

#include <memory>
#include <vector>

#include "solvers/base/level_configs.hpp"
#include "solvers/linear/system/communicator.hpp"
#include "solvers/linear/system/sides.hpp"
#include "solvers/linear/system/stencil_operator.hpp"

namespace cfdmark {

// The viewed memory must outlive the solvers prepared on it; its values may change between solves.
struct System {
  Backend* backend = nullptr;
  Precision precision = Precision::fp64;  // of the kernels: fp32 or fp64
  std::shared_ptr<const LinearOperator> a;
  AnyView b, u;                   // the ghosts of u hold the boundary values
  RoutineClock* clock = nullptr;  // times operations on the system; may be null
  Sides sides = {};
  const LevelConfigs* level_configs = nullptr;  // for multigrid; may be null
  std::shared_ptr<const Field> ones = {};       // 1 in each cell, for mean removals; may be null
  const Communicator* ranks = nullptr;          // connects the ranks; null: this one holds all unknowns

  const Grid& grid() const { return u.grid; }
  // Returns the operator's coefficients. Throws std::logic_error if it has no stencil.
  const Operator& stencil() const;
  // Returns the number of unknowns, of all ranks.
  Index unknowns() const { return ranks ? ranks->unknowns() : grid().cells(); }
  // Returns the grid of the unknowns of all ranks, and the cells of it that this rank holds.
  Grid domain() const { return is_part() ? ranks->partition()->whole() : grid(); }
  CellBox own() const {
    return is_part() ? ranks->partition()->part(ranks->rank()).own
                     : CellBox{.nx = grid().nx, .ny = grid().ny, .nz = grid().nz};
  }
  bool is_part() const { return ranks && ranks->partition(); }
  Field new_field() const { return Field(*backend, grid(), precision); }
  // Returns the system with the same operator, another right-hand side and another unknown.
  System on(const Field& new_b, const Field& new_u) const {
    System s = *this;
    s.b = new_b.view(), s.u = new_u.view();
    return s;
  }
};

// Form of an operator, and the form that a method requires. A system supports the methods that require its
// own form or a later one.
enum class OperatorForm {
  stencil,    // coefficients of five or seven points (LinearOperator::as_stencil)
  matrix,     // matrix_of (system_csr.hpp): a stencil or a CsrOperator
  operations  // no more than the operations of LinearOperator, over ranks too
};

// Properties that decide which methods support a system and how much memory they allocate.
struct SystemShape {
  Grid grid;
  bool constant_operator = true;
  Precision precision = Precision::fp64;  // of the solve; may be mixed
  Sides sides = {};
  OperatorForm form = OperatorForm::stencil;
  Index matrix_entries = 0;  // of a CsrOperator; 0 for a stencil
  bool over_ranks = false;   // other ranks hold parts of the system

  bool operator==(const SystemShape&) const = default;
};
SystemShape shape_of(const System&);

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
  // Like `system`, but with another precision. Operations::copy_operator() copies the operator's values.
  OwnedSystem(const System&, Precision);
  // A system of any operator in the memory of the same backend; b and u are zero.
  OwnedSystem(Backend&, Precision, const Grid&, std::shared_ptr<const LinearOperator>,
              RoutineClock* = nullptr, const Sides& = {});

  const System& system() const { return system_; }
  const Field& b() const { return b_; }
  const Field& u() const { return u_; }
  void upload_b(const HostField& b) { b_.upload(b); }  // b must have the system's precision
  // Uploads b and the coefficients of a problem of the same shape.
  void upload(const LinearProblem&);
  // Uploads u, which must have the system's precision.
  void upload_start(const HostField& u) { u_.upload(u); }

 private:
  std::vector<Field> coefficients_;  // of a stencil in arrays
  Field b_, u_;
  System system_;
};

}  // namespace cfdmark

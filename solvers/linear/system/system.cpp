#include "solvers/linear/system/system.hpp"

#include <stdexcept>

#include "solvers/linear/system/csr_operator.hpp"

namespace cfdmark {
namespace {

char* first_byte(const AnyView& whole, Precision storage) {
  if (whole.is_box) throw std::invalid_argument("a box of a larger field cannot be copied with its padding");
  return static_cast<char*>(whole.origin) - Layout(whole.grid).lead * stored_bytes(storage);
}

}  // namespace

const Operator& System::stencil() const {
  const Operator* const stencil = a ? a->as_stencil() : nullptr;
  if (!stencil) throw std::logic_error("the operator is not a stencil, which this method needs");
  return *stencil;
}

SystemShape shape_of(const System& system) {
  const Operator* const stencil = system.a->as_stencil();
  const CsrOperator* const matrix = system.a->as_matrix();
  return {.grid = system.grid(),
          .constant_operator = stencil && stencil->constant,
          .precision = system.precision,
          .sides = system.sides,
          .form = stencil  ? OperatorForm::stencil
                  : matrix ? OperatorForm::matrix
                           : OperatorForm::operations,
          .matrix_entries = matrix ? Index(matrix->entries()) : 0,
          .over_ranks = system.ranks != nullptr};
}

void copy_whole(const System& s, const AnyView& from, const AnyView& to) {
  s.backend->copy(first_byte(to, s.precision), first_byte(from, s.precision),
                  Layout(from.grid).elements * stored_bytes(s.precision));
}

HostField download(const System& s, const AnyView& view) {
  HostField to = HostField::unset(view.grid, s.precision);
  s.backend->fence();
  s.backend->download(to.data(), first_byte(view, s.precision), to.bytes());
  return to;
}

OwnedSystem::OwnedSystem(Backend& backend, Precision precision, const Grid& grid, const Operator& a,
                         RoutineClock* clock, const Sides& sides)
    : OwnedSystem(backend, precision, grid,
                  std::make_shared<const StencilOperator>(backend, precision, grid, a), clock, sides) {
  coefficients_ = static_cast<const StencilOperator&>(*system_.a).arrays();
}

OwnedSystem::OwnedSystem(const System& like, Precision precision, const Grid& grid, const Operator& a)
    : OwnedSystem(*like.backend, precision, grid, a, like.clock, like.sides) {
  system_.level_configs = like.level_configs;
}

OwnedSystem::OwnedSystem(const System& like, Precision precision)
    : OwnedSystem(*like.backend, precision, like.grid(), like.a->like(*like.backend, precision), like.clock,
                  like.sides) {
  system_.level_configs = like.level_configs;
  system_.ranks = like.ranks;
}

OwnedSystem::OwnedSystem(Backend& backend, Precision precision, const Grid& grid,
                         std::shared_ptr<const LinearOperator> a, RoutineClock* clock, const Sides& sides)
    : b_(backend, grid, precision),
      u_(backend, grid, precision),
      system_{.backend = &backend,
              .precision = precision,
              .a = std::move(a),
              .b = b_.view(),
              .u = u_.view(),
              .clock = clock,
              .sides = sides} {}

void OwnedSystem::upload(const LinearProblem& problem) {
  b_.upload(converted(problem.b, system_.precision));
  for (std::size_t n = 0; n < coefficients_.size(); ++n)
    coefficients_[n].upload(converted(problem.coefficients[n], system_.precision));
}

}  // namespace cfdmark

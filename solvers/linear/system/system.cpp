#include "solvers/linear/system/system.hpp"

#include <stdexcept>

#include "kernels/cells/operator_problem.hpp"

namespace cfdmark {
namespace {

char* first_byte(const AnyView& whole, Precision storage) {
  if (whole.is_box) throw std::invalid_argument("a box of a larger field cannot be copied with its padding");
  return static_cast<char*>(whole.origin) - whole.grid.lead() * stored_bytes(storage);
}

}  // namespace

std::vector<AnyView> arrays_of(const Operator& a, const Grid& g) {
  if (a.constant) return {};
  if (!g.is_3d()) return {a.west_a, a.east_a, a.south_a, a.north_a, a.centre_a};
  return {a.west_a, a.east_a, a.south_a, a.north_a, a.bottom_a, a.top_a, a.centre_a};
}

void copy_whole(const System& s, const AnyView& from, const AnyView& to) {
  s.backend->copy(first_byte(to, s.precision), first_byte(from, s.precision),
                  from.grid.elements() * stored_bytes(s.precision));
}

HostField download(const System& s, const AnyView& view) {
  HostField to = HostField::unset(view.grid, s.precision);
  s.backend->fence();
  s.backend->download(to.data(), first_byte(view, s.precision), to.bytes());
  return to;
}

OwnedSystem::OwnedSystem(Backend& backend, Precision precision, const Grid& grid, const Operator& a,
                         RoutineClock* clock, const Sides& sides)
    : b_(backend, grid, precision), u_(backend, grid, precision) {
  std::vector<AnyView> views;
  for (int n = 0; n < a.arrays(grid); ++n) {
    coefficients_.emplace_back(backend, grid, precision);
    views.push_back(coefficients_.back().view());
  }
  Operator own = a;
  if (!a.constant) {
    own = operator_over(views, 0, grid);
    own.wx = a.wx, own.wy = a.wy, own.wz = a.wz, own.centre = a.centre;
  }
  system_ = {&backend, precision, own, b_.view(), u_.view(), clock, sides};
}

OwnedSystem::OwnedSystem(const System& like, Precision precision, const Grid& grid, const Operator& a)
    : OwnedSystem(*like.backend, precision, grid, a, like.clock, like.sides) {
  system_.level_configs = like.level_configs;
}

void OwnedSystem::upload(const LinearProblem& problem) {
  b_.upload(converted(problem.b, system_.precision));
  for (std::size_t n = 0; n < coefficients_.size(); ++n)
    coefficients_[n].upload(converted(problem.coefficients[n], system_.precision));
}

}  // namespace cfdmark

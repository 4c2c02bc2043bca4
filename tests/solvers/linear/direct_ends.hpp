// Direct solves between arbitrary ends for tests: noise and its residual.
#pragma once

#include <algorithm>
#include <cmath>
#include <random>

#include "kernels/cells/operator_problem.hpp"
#include "solvers/linear/direct/direct.hpp"

namespace cfdmark {

// Returns all combinations of ends for a 2-D or a 3-D grid.
inline std::vector<AxisEnds> all_ends(int dims) {
  std::vector<AxisEnds> all;
  for (Ends x : {Ends::zero, Ends::closed, Ends::periodic})
    for (Ends y : {Ends::zero, Ends::closed, Ends::periodic})
      for (Ends z : {Ends::zero, Ends::closed, Ends::periodic})
        if (dims == 3 || z == Ends::zero) all.push_back({x, y, z});
  return all;
}
inline std::string text_of(const AxisEnds& ends) {
  std::string text;
  for (Ends at : ends) text += at == Ends::zero ? '0' : at == Ends::closed ? 'c' : 'p';
  return text;
}
inline bool leaves_a_constant(const AxisEnds& ends, int dims) {
  return std::count(ends.begin(), ends.begin() + dims, Ends::zero) == 0;
}

// Returns an operator whose weights differ by axis.
inline Operator operator_between_ends(int dims) {
  Operator a;
  a.wx = 1, a.wy = 3, a.wz = dims == 3 ? 0.5 : 0;
  a.centre = 2 * (a.wx + a.wy + a.wz);
  return a;
}

// Returns A u in a cell. Beyond zero ends u is 0, beyond closed ends it repeats, beyond periodic ends it
// wraps.
inline double product_between(const Operator& a, const AxisEnds& ends, const HostField& u, int i, int j,
                              int k) {
  const Grid& g = u.grid();
  const int cells[] = {g.nx, g.ny, g.nz}, at[] = {i, j, k};
  const double weights[] = {a.wx, a.wy, a.wz}, here = u.get(i, j, k);
  double sum = (a.centre - 2 * (a.wx + a.wy + a.wz)) * here;
  for (int axis = 0; axis < g.dims; ++axis)
    for (int side : {-1, 1}) {
      int next[] = {i, j, k};
      next[axis] += side;
      const bool outside = next[axis] < 0 || next[axis] >= cells[axis];
      if (outside && ends[axis] == Ends::closed) next[axis] = at[axis];
      if (outside && ends[axis] == Ends::periodic) next[axis] = (next[axis] + cells[axis]) % cells[axis];
      const double beside = outside && ends[axis] == Ends::zero ? 0 : u.get(next[0], next[1], next[2]);
      sum += weights[axis] * (here - beside);
    }
  return sum;
}

// Returns a library's solution for b.
inline HostField solved_between(Backend& on, const DirectLibrary& library, const Operator& a,
                                const AxisEnds& ends, const HostField& b, const Config& config = {}) {
  Field from(on, b.grid(), b.storage()), to(on, b.grid(), b.storage());
  from.upload(b), to.upload(HostField(b.grid(), b.storage()));
  const auto stencil = std::make_shared<StencilOperator>(a);
  const System system{
      .backend = &on, .precision = b.storage(), .a = stencil, .b = from.view(), .u = to.view()};
  for (const Operation& operation : library.solve(
           {.system = system, .ends = ends, .from = from.view(), .to = to.view(), .config = config}))
    operation();
  on.fence();
  return to.download();
}

// Returns noise, with mean 0 if the system is singular.
inline HostField noise_between(const Grid& g, Precision p, const AxisEnds& ends) {
  HostField b(g, p);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1, 1);
  double sum = 0;
  for_each_cell(g, false, [&](int i, int j, int k) { b.set(i, j, k, any(random)), sum += b.get(i, j, k); });
  if (leaves_a_constant(ends, g.dims))
    for_each_cell(g, false,
                  [&](int i, int j, int k) { b.set(i, j, k, b.get(i, j, k) - sum / double(g.cells())); });
  return b;
}

// Returns the largest |b - A u| in units of one rounding of the terms of A u.
inline double left_in_roundings(const Operator& a, const AxisEnds& ends, const HostField& b,
                                const HostField& u) {
  double left = 0, largest = 0;
  for_each_cell(u.grid(), false, [&](int i, int j, int k) {
    largest = std::max(largest, std::abs(u.get(i, j, k)));
    const double d = std::abs(b.get(i, j, k) - product_between(a, ends, u, i, j, k));
    if (!(d <= left)) left = d;  // a NaN stays
  });
  const double unit = u.storage() == Precision::fp32 ? 6e-8 : 1.1e-16;
  return left / (unit * std::max(largest * 2 * a.centre, 1.0));
}

}  // namespace cfdmark

// Bodies of the passes of grid_transfer.hpp: what each does with one cell of the grid that it writes, and
// with a row on a host. NVRTC reads this file, so it includes no standard header.
#pragma once

#include "kernels/core/stencil.hpp"

namespace cfdmark {

// Coarsened directions, 1 or 0 each. In a coarsened direction the coarse grid consists of the fine points of
// odd index, in others of all points.
struct Coarsening {
  int x = 0, y = 0, z = 0;

  CFDMARK_FUNCTION int operator[](int d) const { return d == 0 ? x : d == 1 ? y : z; }
  CFDMARK_FUNCTION bool none() const { return x + y + z == 0; }
};

// Returns the fine index of coarse point n in a direction.
CFDMARK_FUNCTION int fine_index(int coarsened, int n) { return coarsened ? 2 * n + 1 : n; }

// Returns the weight of the lower of two neighbours in an interpolation between them, in proportion to its
// coupling. If neither is coupled, the weight is 0.
template <class C>
CFDMARK_FUNCTION C lower_share(C lower, C higher) {
  const C both = lower + higher;
  return both > C(0) ? lower / both : C(0);
}
// The same for a cell's equation in direction d.
template <class C>
CFDMARK_FUNCTION C lower_share(const CellStencil<C>& a, int d) {
  return d == 0   ? lower_share(a.west, a.east)
         : d == 1 ? lower_share(a.south, a.north)
                  : lower_share(a.bottom, a.top);
}
template <class C>
CFDMARK_FUNCTION C lower_share(const ConstantStencil<C>&, int) {
  return C(0.5);
}
template <class C>
CFDMARK_FUNCTION C lower_share(const EdgedCell<C>& a, int d) {
  return a.lower_share[d];
}

// Returns the weight between a coarse point and the fine point `step` (-1, 0, 1) from it, for restriction and
// prolongation. `lower`: the lower share at the fine point. `step` is a constant after inlining, so that
// loops have no branches.
template <class C>
CFDMARK_FUNCTION C weight_at(int step, C lower) {
  return step == 0 ? C(1) : step < 0 ? C(1) - lower : lower;
}

// coarse = P^T fine: each fine value contributes to the coarse points around it with the weights of
// prolongation.
template <class S, class C, int dims, class A>
struct Restriction {
  A a;
  View<const S> fine;
  View<S> coarse;
  Coarsening by;

  // Returns `sum` plus the contribution of the row of fine points at offset (dj, dk) from the coarse one.
  CFDMARK_FUNCTION C with_row(C sum, Index i, int j, int k, int dj, int dk) const {
    const int fj = fine_index(by.y, j) + dj, fk = dims == 3 ? fine_index(by.z, k) + dk : 0;
    const S* const row = fine.row(fj, fk);
    if (!by.x) return multiply_add(across(i, fj, fk, dj, dk), C(row[i]), sum);
    const Index c = 2 * i + 1;
    sum = multiply_add(across(c - 1, fj, fk, dj, dk) * along(-1, c - 1, fj, fk), C(row[c - 1]), sum);
    sum = multiply_add(across(c, fj, fk, dj, dk), C(row[c]), sum);
    return multiply_add(across(c + 1, fj, fk, dj, dk) * along(1, c + 1, fj, fk), C(row[c + 1]), sum);
  }

  CFDMARK_FUNCTION void operator()(Index i, int j, int k) const {
    C sum = 0;
    for (int dk = -by.z; dk <= by.z; ++dk)
      for (int dj = -by.y; dj <= by.y; ++dj) sum = with_row(sum, i, j, k, dj, dk);
    coarse.row(j, k)[i] = S(sum);
  }

 private:
  CFDMARK_FUNCTION C along(int step, Index i, int j, int k) const {
    return weight_at(step, lower_share(a.template at<dims>(i, j, k), 0));
  }
  CFDMARK_FUNCTION C across(Index i, int j, int k, int dj, int dk) const {
    const auto cell = a.template at<dims>(i, j, k);
    const C y = weight_at(dj, lower_share(cell, 1));
    return dims == 3 ? y * weight_at(dk, lower_share(cell, 2)) : y;
  }
};

// fine = fine + P coarse: linear interpolation along x, then y, then z, with the weight of each neighbour.
template <class S, class C, int dims, class A>
struct Prolongation {
  A a;
  View<const S> coarse;
  View<S> fine;
  Coarsening by;

  // The coarse points around a fine one in a direction; both are equal if the point is on the coarse grid.
  struct StencilIn {
    int lower, higher;
    bool between;
    CFDMARK_FUNCTION StencilIn(int coarsened, int n)
        : lower(coarsened ? (n - 1) >> 1 : n),
          higher(coarsened ? n >> 1 : n),
          between(coarsened && n % 2 == 0) {}
  };

  // Returns the correction of point i of fine row (j, k). In x it interpolates between coarse points `lower`
  // and `lower` + `step` (step 1), or takes the former (step 0).
  CFDMARK_FUNCTION C correction(Index i, int j, int k, Index lower, int step) const {
    const StencilIn y(by.y, j), z(by.z, k);
    const auto cell = a.template at<dims>(i, j, k);
    const C share_x = step ? lower_share(cell, 0) : C(0);
    const C share_y = y.between ? lower_share(cell, 1) : C(0);
    const auto in_row = [&](int cj, int ck) {
      const S* const row = coarse.row(cj, ck) + lower;
      return mean(share_x, C(row[0]), C(row[step]));
    };
    const auto in_plane = [&](int ck) { return mean(share_y, in_row(y.lower, ck), in_row(y.higher, ck)); };
    if constexpr (dims == 2) return in_plane(0);
    const C share_z = z.between ? lower_share(cell, 2) : C(0);
    return mean(share_z, in_plane(z.lower), in_plane(z.higher));
  }

  CFDMARK_FUNCTION void operator()(Index i, int j, int k) const {
    const StencilIn x(by.x, int(i));
    S& u = fine.row(j, k)[i];
    u = S(C(u) + correction(i, j, k, x.lower, x.between));
  }

 private:
  CFDMARK_FUNCTION static C mean(C share, C lower, C higher) {
    return multiply_add(share, lower - higher, higher);
  }
};

// The coarse equations as a network of conductors. Two conductors in series between coarse points become one;
// parallel lines are distributed to the coarse lines with the weights of their points. The remainder of a
// cell's diagonal (its reaction) is restricted like a residual. At the upper end of an even number of points
// there is one conductor and no series, so any number can be coarsened.
template <class S, class C, int dims, class A>
struct OperatorCoarsening {
  A a;
  Coarsening by;
  View<S> west, east, south, north, bottom, top, centre;  // of the coarse grid
  int n[3];                                               // points of the fine grid
  int around[3];  // 1 along periodic axes, whose ghosts hold the periodic values

  struct Point {
    int at[3];
    CFDMARK_FUNCTION Point moved(int d, int step) const {
      Point p = *this;
      p.at[d] += step;
      return p;
    }
  };

  CFDMARK_FUNCTION void operator()(Index i, int j, int k) const {
    const Point c = {{fine_index(by.x, int(i)), fine_index(by.y, j), fine_index(by.z, k)}};
    const bool plain = is_constant(a) && !at_an_end(c);
    C sum = 0;
    for (int d = 0; d < dims; ++d)
      for (int side = 0; side < 2; ++side) {
        const S value = S(plain ? (by[d] ? C(0.25) : C(1)) * lines() * coupling(cell(c), d, 1)
                                : conductance(c, d, 2 * side - 1));
        array_of(d, side).row(j, k)[i] = value;
        sum = sum + C(value);
      }
    centre.row(j, k)[i] = S(sum + (plain ? lines() * reaction_of(cell(c)) : reaction(c)));
  }

 private:
  CFDMARK_FUNCTION const View<S>& array_of(int d, int side) const {
    if (d == 0) return side == 0 ? west : east;
    if (d == 1) return side == 0 ? south : north;
    return side == 0 ? bottom : top;
  }

  // For a constant operator the sums are known, except at the last of an even number of points.
  CFDMARK_FUNCTION static bool is_constant(const ConstantStencil<C>&) { return true; }
  CFDMARK_FUNCTION static bool is_constant(const StencilArrays<S, C>&) { return false; }
  CFDMARK_FUNCTION bool at_an_end(const Point& c) const {
    for (int d = 0; d < dims; ++d)
      if (by[d] && c.at[d] + 1 >= n[d]) return true;
    return false;
  }
  CFDMARK_FUNCTION C lines() const { return C((1 + by.x) * (1 + by.y) * (dims == 3 ? 1 + by.z : 1)); }

  // Returns true if the point is inside the grid, or outside only along periodic axes.
  CFDMARK_FUNCTION bool inside(const Point& p) const {
    for (int d = 0; d < dims; ++d)
      if (!around[d] && (p.at[d] < 0 || p.at[d] >= n[d])) return false;
    return true;
  }
  CFDMARK_FUNCTION auto cell(const Point& p) const {
    return a.template at<dims>(p.at[0], p.at[1], dims == 3 ? p.at[2] : 0);
  }
  // Returns the coupling to the neighbour in direction d, on the lower (-1) or upper (1) side.
  CFDMARK_FUNCTION static C coupling(const ConstantStencil<C>& s, int d, int) {
    return d == 0 ? s.wx : d == 1 ? s.wy : s.wz;
  }
  CFDMARK_FUNCTION static C coupling(const CellStencil<C>& s, int d, int side) {
    if (d == 0) return side < 0 ? s.west : s.east;
    if (d == 1) return side < 0 ? s.south : s.north;
    return side < 0 ? s.bottom : s.top;
  }

  // Enumerates the offsets of fine points around a coarse one and selects those along coarsened directions
  // except `without`. Not a callback per offset, because device compilers would not inline it.
  static constexpr int steps = dims == 2 ? 9 : 27;
  CFDMARK_FUNCTION static Point step_of(int m) {
    return {{m % 3 - 1, m / 3 % 3 - 1, dims == 2 ? 0 : m / 9 - 1}};
  }
  CFDMARK_FUNCTION bool is_taken(const Point& step, int without) const {
    for (int d = 0; d < dims; ++d)
      if (step.at[d] != 0 && (!by[d] || d == without)) return false;
    return true;
  }
  CFDMARK_FUNCTION static Point sum_of(const Point& p, const Point& step) {
    return {{p.at[0] + step.at[0], p.at[1] + step.at[1], p.at[2] + step.at[2]}};
  }
  CFDMARK_FUNCTION C weight(const Point& step, const Point& p) const {
    C w = 1;
    for (int d = 0; d < dims; ++d)
      if (step.at[d] != 0) w = w * weight_at(step.at[d], lower_share(cell(p), d));
    return w;
  }

  // Returns the conductance, computed symmetrically from both ends, so that a symmetric operator stays
  // symmetric: lines are weighted at the point between two coarse ones, or with the mean of the weights at
  // both.
  CFDMARK_FUNCTION C conductance(const Point& c, int d, int side) const {
    C sum = 0;
    for (int m = 0; m < steps; ++m) {
      const Point step = step_of(m), p = sum_of(c, step), next = p.moved(d, side);
      if (!is_taken(step, d) || !inside(p)) continue;
      if (!inside(next))
        sum = multiply_add(weight(step, p), coupling(cell(p), d, side), sum);
      else if (by[d])
        sum = multiply_add(weight(step, next), two_in_series(p, next, d, side), sum);
      else
        sum = multiply_add(C(0.5) * (weight(step, p) + weight(step, next)), coupling(cell(p), d, side), sum);
    }
    return sum;
  }

  // Returns the conductance from p over `next` to the next coarse point. The excess of a coupling over the
  // reverse one is convection: it contributes with the mean of both.
  CFDMARK_FUNCTION C two_in_series(const Point& p, const Point& next, int d, int side) const {
    Point last = next.moved(d, side);
    if (around[d] && last.at[d] > n[d]) last.at[d] -= n[d];  // past the ghosts
    const C one = coupling(cell(p), d, side), two = coupling(cell(next), d, side);
    const C one_back = coupling(cell(next), d, -side),
            two_back = inside(last) ? coupling(cell(last), d, -side) : two;
    const C one_both = one < one_back ? one : one_back, two_both = two < two_back ? two : two_back;
    return multiply_add(C(0.5), (one - one_both) + (two - two_both), in_series(one_both, two_both));
  }
  CFDMARK_FUNCTION static C in_series(C one, C other) {
    if (one == other) return C(0.5) * one;
    const C both = one + other;
    return both > C(0) ? one * other / both : C(0);
  }

  // Returns the diagonal minus the couplings. Differences below rounding of the diagonal count as 0, since
  // those of many cells would add up on coarse grids.
  template <class Cell>
  CFDMARK_FUNCTION static C reaction_of(const Cell& s) {
    const C least = (sizeof(S) == 4 ? C(1e-6) : C(1e-14)) * s.diagonal();
    C rest = s.diagonal();
    for (int d = 0; d < dims; ++d) rest = rest - (coupling(s, d, -1) + coupling(s, d, 1));
    return rest > least || rest < -least ? rest : C(0);
  }
  CFDMARK_FUNCTION C reaction(const Point& c) const {
    C sum = 0;
    for (int m = 0; m < steps; ++m) {
      const Point step = step_of(m), p = sum_of(c, step);
      if (is_taken(step, -1) && inside(p)) sum = multiply_add(weight(step, p), reaction_of(cell(p)), sum);
    }
    return sum;
  }
};

}  // namespace cfdmark

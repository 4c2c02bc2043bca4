// What the passes of grid_transfer.hpp do with a cell of the grid that they write, and with a row of it on a
// host. NVRTC reads this file: no standard header here.
#pragma once

#include "kernels/core/stencil.hpp"

namespace cfdmark {

// The directions in which the coarse grid has every second point of the fine one, those of odd index; in the
// others it has all. 1 or 0 each.
struct Coarsening {
  int x = 0, y = 0, z = 0;

  CFDMARK_FUNCTION int operator[](int d) const { return d == 0 ? x : d == 1 ? y : z; }
  CFDMARK_FUNCTION bool none() const { return x + y + z == 0; }
};

// The fine index of a coarse point, in a direction that is coarsened or not.
CFDMARK_FUNCTION int fine_index(int coarsened, int n) { return coarsened ? 2 * n + 1 : n; }

// What two neighbours in a line weigh in a point between them: the lower one's share. The more a neighbour is
// coupled to the point, the more it says. None is coupled: neither says anything of it.
template <class C>
CFDMARK_FUNCTION C lower_share(C lower, C higher) {
  const C both = lower + higher;
  return both > C(0) ? lower / both : C(0);
}
// In a direction d, of a cell's equation.
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

// What a fine point that is `step` (-1, 0, 1) from a coarse one gives to it and takes from it; `lower`: the
// lower share at the fine point. An object for each step, so that a loop has no choice to make.
template <class C>
CFDMARK_FUNCTION C weight_at(int step, C lower) {
  return step == 0 ? C(1) : step < 0 ? C(1) - lower : lower;
}

// coarse = P^T fine: each fine value goes to the coarse points around it as prolongation takes from them.
template <class S, class C, int dims, class A>
struct Restriction {
  A a;
  View<const S> fine;
  View<S> coarse;
  Coarsening by;

  // `sum` and what the row of fine points (dj, dk) from the coarse one adds to it.
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

// fine = fine + P coarse: linear in the values of a line's two neighbours, line by line in x, then in y, then
// in z, each neighbour with its share.
template <class S, class C, int dims, class A>
struct Prolongation {
  A a;
  View<const S> coarse;
  View<S> fine;
  Coarsening by;

  // The coarse points around a fine one in a direction: one twice where it is there itself.
  struct Around {
    int lower, higher;
    bool between;
    CFDMARK_FUNCTION Around(int coarsened, int n)
        : lower(coarsened ? (n - 1) >> 1 : n),
          higher(coarsened ? n >> 1 : n),
          between(coarsened && n % 2 == 0) {}
  };

  // Of point i of the fine row (j, k), at or between two points of coarse rows: from `lower` on, and `step`
  // (1 or 0) further.
  CFDMARK_FUNCTION C correction(Index i, int j, int k, Index lower, int step) const {
    const Around y(by.y, j), z(by.z, k);
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
    const Around x(by.x, int(i));
    S& u = fine.row(j, k)[i];
    u = S(C(u) + correction(i, j, k, x.lower, x.between));
  }

 private:
  CFDMARK_FUNCTION static C mean(C share, C lower, C higher) {
    return multiply_add(share, lower - higher, higher);
  }
};

// The coarse grid's equations as those of a network of conductors. Two in series between coarse points are
// one; lines beside each other go to the coarse lines by the shares of the points on them. What a cell has
// beside its conductors (its reaction) goes to the coarse points as residuals do. Near the high end of an
// even number of points there is one conductor and no series: no grid is too odd to be coarsened.
template <class S, class C, int dims, class A>
struct OperatorCoarsening {
  A a;
  Coarsening by;
  View<S> west, east, south, north, bottom, top, centre;  // of the coarse grid
  int n[3];                                               // points of the fine grid
  int around[3];  // 1 along an axis between periodic sides, whose ghosts hold what lies across

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

  // Of a constant operator the sums are known, but at the last of an even number of points.
  CFDMARK_FUNCTION static bool is_constant(const ConstantStencil<C>&) { return true; }
  CFDMARK_FUNCTION static bool is_constant(const StencilArrays<S, C>&) { return false; }
  CFDMARK_FUNCTION bool at_an_end(const Point& c) const {
    for (int d = 0; d < dims; ++d)
      if (by[d] && c.at[d] + 1 >= n[d]) return true;
    return false;
  }
  CFDMARK_FUNCTION C lines() const { return C((1 + by.x) * (1 + by.y) * (dims == 3 ? 1 + by.z : 1)); }

  // Or beyond a periodic side, where there is no end.
  CFDMARK_FUNCTION bool inside(const Point& p) const {
    for (int d = 0; d < dims; ++d)
      if (!around[d] && (p.at[d] < 0 || p.at[d] >= n[d])) return false;
    return true;
  }
  CFDMARK_FUNCTION auto cell(const Point& p) const {
    return a.template at<dims>(p.at[0], p.at[1], dims == 3 ? p.at[2] : 0);
  }
  // To the neighbour in direction d, on the lower side (-1) or the higher.
  CFDMARK_FUNCTION static C coupling(const ConstantStencil<C>& s, int d, int) {
    return d == 0 ? s.wx : d == 1 ? s.wy : s.wz;
  }
  CFDMARK_FUNCTION static C coupling(const CellStencil<C>& s, int d, int side) {
    if (d == 0) return side < 0 ? s.west : s.east;
    if (d == 1) return side < 0 ? s.south : s.north;
    return side < 0 ? s.bottom : s.top;
  }

  // The steps to the fine points around a coarse one are counted; some are taken: those along directions that
  // are coarsened, but not `without`. No function that is given others: a device compiler would call them.
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

  // From both ends of a conductor the same, so that a symmetric operator stays so: its lines are weighed at
  // the point between two coarse ones, or by the mean at both.
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

  // From p over `next` to the next coarse point. What a conductor has more in this direction than in the
  // other is convection: it goes on as it is, the mean of both.
  CFDMARK_FUNCTION C two_in_series(const Point& p, const Point& next, int d, int side) const {
    Point last = next.moved(d, side);
    if (around[d] && last.at[d] > n[d]) last.at[d] -= n[d];  // two cells beyond a side: no ghost holds it
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

  // What a cell's equation has beside its conductors. What is smaller than the rounding of a centre is none:
  // many cells' would add up to much on coarse grids.
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

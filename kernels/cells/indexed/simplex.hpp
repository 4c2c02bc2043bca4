// Area vectors and volume of a triangle or tetrahedron from its nodes. NVRTC reads this file, so it includes
// no standard header.
#pragma once

#include "kernels/cells/indexed/links.hpp"

namespace cfdmark {

// side[i] lies opposite node i and points outward. X: x(n, d) is coordinate d of node n.
template <class C, int dims>
struct SimplexSides;

template <class C>
struct SimplexSides<C, 2> {
  C side[3][2];  // area vectors: length times normal
  C content;     // twice the area

  template <class X>
  CFDMARK_FUNCTION explicit SimplexSides(const X& x) {
    const C ax = x(1, 0) - x(0, 0), ay = x(1, 1) - x(0, 1);
    const C bx = x(2, 0) - x(0, 0), by = x(2, 1) - x(0, 1);
    side[1][0] = -by, side[1][1] = bx;
    side[2][0] = ay, side[2][1] = -ax;
    side[0][0] = by - ay, side[0][1] = ax - bx;
    content = ax * by - ay * bx;
  }
  // Factor from side[i] to the area vector of the dual face around node i, 1 / dims of that of the side.
  static constexpr double dual_factor = 0.5;

  // Sets g to the gradient of a linear function with the values t(n) at the nodes.
  template <class T>
  CFDMARK_FUNCTION void gradient(const T& t, C (&g)[2]) const {
    const C first = t(1) - t(0), second = t(2) - t(0);
    g[0] = -(multiply_add(first, side[1][0], second * side[2][0]) / content);
    g[1] = -(multiply_add(first, side[1][1], second * side[2][1]) / content);
  }
  // Returns -g . n with the area vector of the dual's boundary in the cell, away from the node.
  CFDMARK_FUNCTION C dual_flux(int n, const C (&g)[2]) const {
    return C(-dual_factor) * multiply_add(g[0], side[n][0], g[1] * side[n][1]);
  }
};

template <class C>
struct SimplexSides<C, 3> {
  C side[4][3];  // twice the area vectors
  C content;     // six times the volume

  template <class X>
  CFDMARK_FUNCTION explicit SimplexSides(const X& x) {
    C a[3], b[3], c[3];
    for_each_number<0, 3>([&](int d) {
      const C origin = x(0, d);
      a[d] = x(1, d) - origin, b[d] = x(2, d) - origin, c[d] = x(3, d) - origin;
    });
    cross(c, b, side[1]);
    cross(a, c, side[2]);
    cross(b, a, side[3]);
    for_each_number<0, 3>([&](int d) { side[0][d] = -((side[1][d] + side[2][d]) + side[3][d]); });
    // side[1] points away from node 1: the volume is -a . (c x b) / 6.
    content = -multiply_add(a[0], side[1][0], multiply_add(a[1], side[1][1], a[2] * side[1][2]));
  }
  static constexpr double dual_factor = 1.0 / 6;

  template <class T>
  CFDMARK_FUNCTION void gradient(const T& t, C (&g)[3]) const {
    const C first = t(1) - t(0), second = t(2) - t(0), third = t(3) - t(0);
    for_each_number<0, 3>([&](int d) {
      g[d] =
          -(multiply_add(first, side[1][d], multiply_add(second, side[2][d], third * side[3][d])) / content);
    });
  }

  // Returns -g . n with the area vector of the dual's boundary in the cell, away from the node.
  CFDMARK_FUNCTION C dual_flux(int n, const C (&g)[3]) const {
    return C(-dual_factor) *
           multiply_add(g[0], side[n][0], multiply_add(g[1], side[n][1], g[2] * side[n][2]));
  }

 private:
  CFDMARK_FUNCTION static void cross(const C (&u)[3], const C (&v)[3], C (&to)[3]) {
    to[0] = u[1] * v[2] - u[2] * v[1];
    to[1] = u[2] * v[0] - u[0] * v[2];
    to[2] = u[0] * v[1] - u[1] * v[0];
  }
};

}  // namespace cfdmark

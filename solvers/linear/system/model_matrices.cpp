#include "solvers/linear/system/model_matrices.hpp"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>
#include <random>

#include "kernels/cells/timed_problem.hpp"
#include "solvers/linear/system/matrix_entries.hpp"

namespace cfdmark {
namespace {

using std::numbers::pi;
using Point = std::array<double, 3>;

// Finite volumes of div(w u) - div(k grad u) + u / step on a box of cells, with upwind convection (Patankar
// 1980, section 5.2). Between cells k is the harmonic mean by distance. A closed side has no flux; beyond
// another one u is prescribed.
struct FiniteVolumes {
  std::array<std::vector<double>, 3> widths;  // of the cells along x, y and z; none along z in 2-D
  // Conductivity along an axis at the centre of a cell.
  std::function<double(int axis, const Point&)> conductivity = [](int, const Point&) { return 1.0; };
  // In 2-D the stream function of the wind: w = (d psi / dy, -d psi / dx). It makes the wind of each cell
  // exactly free of divergence. Null: no wind.
  std::function<double(double x, double y)> stream = nullptr;
  double step = 0;                                 // 0: steady
  std::array<std::array<bool, 2>, 3> closed = {};  // by axis: the lower and the upper side

  CsrMatrix<double> matrix() const {
    const int dims = widths[2].empty() ? 2 : 3;
    std::array<int, 3> size{1, 1, 1}, stride{1, 1, 1};
    std::array<std::vector<double>, 3> ends;  // of the cells
    for (int axis = 0; axis < dims; ++axis) {
      size[axis] = int(widths[axis].size());
      ends[axis].push_back(0);
      for (const double width : widths[axis]) ends[axis].push_back(ends[axis].back() + width);
    }
    stride[1] = size[0], stride[2] = size[0] * size[1];
    std::vector<MatrixEntry> entries;
    std::array<int, 3> at{};
    for (at[2] = 0; at[2] < size[2]; ++at[2])
      for (at[1] = 0; at[1] < size[1]; ++at[1])
        for (at[0] = 0; at[0] < size[0]; ++at[0]) {
          const int row = at[0] + stride[1] * at[1] + stride[2] * at[2];
          Point centre{};
          double volume = 1;
          for (int axis = 0; axis < dims; ++axis) {
            centre[axis] = (ends[axis][at[axis]] + ends[axis][at[axis] + 1]) / 2;
            volume *= widths[axis][at[axis]];
          }
          double diagonal = step > 0 ? volume / step : 0;
          for (int axis = 0; axis < dims; ++axis)
            for (const int upper : {0, 1}) {
              const int to = at[axis] + (upper ? 1 : -1);
              const bool inside = to >= 0 && to < size[axis];
              if (!inside && closed[axis][upper]) continue;
              const double width = widths[axis][at[axis]];
              double resistance = width / 2 / conductivity(axis, centre);
              if (inside) {
                Point other = centre;
                other[axis] = (ends[axis][to] + ends[axis][to + 1]) / 2;
                resistance += widths[axis][to] / 2 / conductivity(axis, other);
              }
              const double diffusion = volume / width / resistance;
              const double out = stream ? outflow(ends, at, axis, upper) : 0;
              diagonal += diffusion + std::max(out, 0.0);
              if (inside)
                entries.push_back(
                    {row, row + (upper ? 1 : -1) * stride[axis], std::min(out, 0.0) - diffusion});
            }
          entries.push_back({row, row, diagonal});
        }
    return csr_of(size[0] * size[1] * size[2], entries);
  }

 private:
  // Returns the flow out of a cell through one of its faces.
  double outflow(const std::array<std::vector<double>, 3>& ends, const std::array<int, 3>& at, int axis,
                 int upper) const {
    const double x0 = ends[0][at[0]], x1 = ends[0][at[0] + 1], y0 = ends[1][at[1]], y1 = ends[1][at[1] + 1];
    const double x = upper ? x1 : x0, y = upper ? y1 : y0;
    const double along = axis == 0 ? stream(x, y1) - stream(x, y0) : stream(x0, y) - stream(x1, y);
    return upper ? along : -along;
  }
};

std::vector<double> equal_widths(int n) { return std::vector<double>(n, 1.0 / n); }
FiniteVolumes square(int n) { return {.widths = {equal_widths(n), equal_widths(n), {}}}; }

CsrMatrix<double> poisson(int n) { return square(n).matrix(); }
CsrMatrix<double> poisson_3d(int n) {
  return FiniteVolumes{.widths = {equal_widths(n), equal_widths(n), equal_widths(n)}}.matrix();
}
CsrMatrix<double> anisotropic(int n) {
  FiniteVolumes of = square(n);
  of.conductivity = [](int axis, const Point&) { return axis == 0 ? 1 : 1e-3; };
  return of.matrix();
}
CsrMatrix<double> checkerboard(int n) {
  FiniteVolumes of = square(n);
  of.conductivity = [](int, const Point& at) {
    return (int(8 * at[0]) + int(8 * at[1])) % 2 == 0 ? 1.0 : 1000.0;
  };
  return of.matrix();
}
// Cells of a boundary layer: in y the ends are at 1 - tanh(3 (1 - s)) / tanh(3), with equal steps of s.
CsrMatrix<double> graded(int n) {
  FiniteVolumes of = square(n);
  const auto end = [n](int j) { return 1 - std::tanh(3 * (1 - double(j) / n)) / std::tanh(3.0); };
  for (int j = 0; j < n; ++j) of.widths[1][j] = end(j + 1) - end(j);
  return of.matrix();
}
CsrMatrix<double> outlet(int n) {
  FiniteVolumes of = square(n);
  of.closed = {{{true, false}, {true, true}, {true, true}}};
  return of.matrix();
}
// Returns convection by a wind of speed 1 at 30 degrees, with the conductivity of a cell's Peclet number
// (speed times width over conductivity).
CsrMatrix<double> convection(int n, double peclet) {
  FiniteVolumes of = square(n);
  of.conductivity = [=](int, const Point&) { return 1 / (n * peclet); };
  of.stream = [](double x, double y) { return std::cos(pi / 6) * y - std::sin(pi / 6) * x; };
  return of.matrix();
}
// Returns a vortex that fills the square, of speed up to 1.
FiniteVolumes vortex(int n) {
  FiniteVolumes of = square(n);
  of.conductivity = [=](int, const Point&) { return 1 / (n * 100.0); };
  of.stream = [](double x, double y) { return std::sin(pi * x) * std::sin(pi * y) / pi; };
  return of;
}
CsrMatrix<double> transient(int n) {
  FiniteVolumes of = vortex(n);
  of.step = 1.0 / n;  // the wind crosses a cell in one step
  return of.matrix();
}

using Tensor = std::array<double, 3>;  // of the conductivity: xx, xy, yy

// Returns linear finite elements of -div(k grad u) on two triangles per cell, whose inner vertices are moved
// by up to a fifth of a width. u is prescribed on the sides; the unknowns are (n - 1)^2 inner vertices.
CsrMatrix<double> linear_elements(int n, const Tensor& k) {
  const auto position = [n](int i, int j) -> std::array<double, 2> {
    const bool is_inner = i > 0 && i < n && j > 0 && j < n;
    const auto moved = [&](int m, unsigned salt) {
      return (m + (is_inner ? 0.4 * (noise(i, j, 0, salt) - 1) : 0)) / n;
    };
    return {moved(i, 1), moved(j, 2)};
  };
  const auto number = [n](int i, int j) {
    return i > 0 && i < n && j > 0 && j < n ? (j - 1) * (n - 1) + i - 1 : -1;
  };
  std::vector<MatrixEntry> entries;
  const auto add = [&](const std::array<std::array<int, 2>, 3>& corners) {
    std::array<std::array<double, 2>, 3> at,
        slope;  // slope: gradient of a corner's function times twice the area
    for (int c = 0; c < 3; ++c) at[c] = position(corners[c][0], corners[c][1]);
    for (int c = 0; c < 3; ++c) {
      const auto &next = at[(c + 1) % 3], &last = at[(c + 2) % 3];
      slope[c] = {next[1] - last[1], last[0] - next[0]};
    }
    const double twice_area = slope[1][1] * slope[0][0] - slope[0][1] * slope[1][0];
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b) {
        const int row = number(corners[a][0], corners[a][1]), column = number(corners[b][0], corners[b][1]);
        if (row < 0 || column < 0) continue;
        const double product = slope[a][0] * (k[0] * slope[b][0] + k[1] * slope[b][1]) +
                               slope[a][1] * (k[1] * slope[b][0] + k[2] * slope[b][1]);
        entries.push_back({row, column, product / (2 * twice_area)});
      }
  };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      add({{{i, j}, {i + 1, j}, {i + 1, j + 1}}});
      add({{{i, j}, {i + 1, j + 1}, {i, j + 1}}});
    }
  return csr_of((n - 1) * (n - 1), entries);
}

// Conducts along the axis at 30 degrees, and a hundredth of that across it.
CsrMatrix<double> rotated(int n) {
  const double c = std::cos(pi / 6), s = std::sin(pi / 6), across = 0.01;
  return linear_elements(n, {c * c + across * s * s, (1 - across) * c * s, s * s + across * c * c});
}

// Returns a matrix with its unknowns in a pseudo-random order, the same in every run.
CsrMatrix<double> shuffled(const CsrMatrix<double>& a) {
  std::vector<int> place(a.rows());
  std::iota(place.begin(), place.end(), 0);
  std::mt19937 random(1);
  for (int n = a.rows() - 1; n > 0; --n) std::swap(place[n], place[random() % unsigned(n + 1)]);
  std::vector<MatrixEntry> entries;
  for (int row = 0; row < a.rows(); ++row)
    for (int at = a.row_begin[row]; at < a.row_begin[row + 1]; ++at)
      entries.push_back({place[row], place[a.column[at]], a.value[at]});
  return csr_of(a.rows(), entries);
}

}  // namespace

const std::vector<ModelMatrix>& model_matrices() {
  static const std::vector<ModelMatrix> all = {
      {"poisson", "diffusion on equal cells, finite volumes", true, poisson},
      {"poisson_3d", "the same in a cube", true, poisson_3d, 3},
      {"anisotropic", "conducts 1000 times better along x than along y", true, anisotropic},
      {"checkerboard", "conductivities of 1 and 1000 on 8x8 squares", true, checkerboard},
      {"graded", "cells of a boundary layer, thin at one wall", true, graded},
      {"outlet", "pressure of a channel: closed sides and one outlet", true, outlet},
      {"shuffled", "poisson with its unknowns in a random order", true,
       [](int n) { return shuffled(poisson(n)); }},
      {"elements", "linear finite elements on irregular triangles", true,
       [](int n) {
         return linear_elements(n, {1, 0, 1});
       }},
      {"rotated", "the same, conducting 100 times better along 30 degrees", true, rotated},
      {"convection_1", "upwind convection at 30 degrees, Peclet number 1 of a cell", false,
       [](int n) { return convection(n, 1); }},
      {"convection_100", "the same at Peclet number 100", false, [](int n) { return convection(n, 100); }},
      {"convection_10000", "the same at Peclet number 10000", false,
       [](int n) { return convection(n, 1e4); }},
      {"vortex", "upwind convection by a vortex, Peclet number up to 100 of a cell", false,
       [](int n) { return vortex(n).matrix(); }},
      {"transient", "an implicit step of vortex, at Courant number 1", false, transient},
  };
  return all;
}

const ModelMatrix& model_matrix(const std::string& name) {
  std::string names;
  for (const ModelMatrix& matrix : model_matrices()) {
    if (matrix.name == name) return matrix;
    names += (names.empty() ? "" : ", ") + matrix.name;
  }
  throw std::invalid_argument(fmt::format("unknown matrix '{}'; known: {}", name, names));
}

}  // namespace cfdmark

// -div k grad u = f in a channel at cell centres, with k = contrast^(1/2 + w(x)); u and w are those of
// periodic_wave.hpp. Since k' = ln(contrast) w' k, f = -k u (w'^2 + w'' + ln(contrast) w'^2 + 1 + ..).
#include "kernels/cells/operator_problem.hpp"
#include "solvers/problems/periodic_wave.hpp"

namespace cfdmark {
namespace {

const Setting contrast =
    real_setting("contrast", 10, real_above(0), "largest over smallest conductivity along x");

double conductivity(const Config& settings, double x) {
  return std::pow(settings.real(contrast.name), 0.5 + wave(x));
}

double source(const Config& settings, const Grid& g, double x, double y, double z) {
  const double of_k = std::log(settings.real(contrast.name)) * slope(x) * slope(x);
  return -conductivity(settings, x) * channel_answer(settings, g, x, y, z) *
         (curvature(x) + of_k + 1 + (g.is_3d() ? curvature(z) : 0));
}

// Uses k at the centre of each face. The face between the last and the first cell has a single value.
std::vector<HostField> coefficients(const Config& settings, const Grid& g) {
  const Operator w = minus_laplacian(g, {true, true, true});
  const int faces = g.is_3d() ? 6 : 4;
  std::vector<HostField> arrays(faces + 1, HostField(g, Precision::fp64));
  for_each_cell_in_parallel(g, false, [&](int i, int j, int k) {
    const double here = conductivity(settings, (i + 0.5) / g.nx);
    const auto wall = [&](bool is_last) { return is_last ? 2 : 1; };  // half the distance
    const double values[] = {conductivity(settings, double(i) / g.nx),
                             conductivity(settings, double((i + 1) % g.nx) / g.nx),
                             wall(j == 0) * w.wy * here,
                             wall(j == g.ny - 1) * w.wy * here,
                             w.wz * here,
                             w.wz * here};
    double centre = 0;
    for (int face = 0; face < faces; ++face) {
      arrays[face].set(i, j, k, values[face]);
      centre += values[face];
    }
    arrays[faces].set(i, j, k, centre);
  });
  return arrays;
}

}  // namespace

ProblemDescription graded_channel_problem() {
  return {.name = "graded_channel",
          .help = "-div k grad u = f, k graded along x, periodic along x and z, between Dirichlet walls",
          .settings = {contrast},
          .at_cell_centres = true,
          .boundaries = channel_sides,
          .exact = channel_answer,
          .source = source,
          .coefficients = coefficients};
}

}  // namespace cfdmark

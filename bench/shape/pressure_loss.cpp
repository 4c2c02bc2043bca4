#include "bench/shape/pressure_loss.hpp"

namespace cfdmark {
namespace {

double total_pressure(const FlowFields& flow, int i) {
  double carried = 0, mass = 0;
  for (int j = 0; j < flow.u.grid().ny; ++j) {
    const double u = flow.u.get(i, j), v = flow.v.get(i, j);
    carried += (flow.p.get(i, j) + (u * u + v * v) / 2) * u;
    mass += u;
  }
  return carried / mass;
}

}  // namespace

double pressure_loss(const FlowFields& flow, double viscosity) {
  const int nx = flow.u.grid().nx;
  const double way = tunnel_width * (nx - 1) / nx;
  return total_pressure(flow, 0) - total_pressure(flow, nx - 1) - 12 * viscosity * way;
}

}  // namespace cfdmark

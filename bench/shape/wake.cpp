#include "bench/shape/wake.hpp"

#include <fmt/format.h>

#include <cmath>
#include <stdexcept>

namespace cfdmark {

Wake::Wake(const FlowFields& flow, double from) {
  const Grid& grid = flow.u.grid();
  first_ = int(std::ceil(from * grid.nx / tunnel_width - 0.5));
  if (first_ < 0 || first_ >= grid.nx)
    throw std::invalid_argument(
        fmt::format("no cell of the tunnel lies behind {:g} heights from its inlet", from));
  u_ = flow.u, v_ = flow.v;
}

double Wake::misfit(const FlowFields& other) const {
  const Grid& grid = u_.grid();
  double sum = 0;
  for (int j = 0; j < grid.ny; ++j)
    for (int i = first_; i < grid.nx; ++i) {
      const double du = other.u.get(i, j) - u_.get(i, j), dv = other.v.get(i, j) - v_.get(i, j);
      sum += du * du + dv * dv;
    }
  return sum / (double(grid.ny) * (grid.nx - first_));
}

}  // namespace cfdmark

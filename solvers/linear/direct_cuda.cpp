#include "solvers/linear/direct_cuda.hpp"

#include <algorithm>

#include "kernels/backends/counting.hpp"
#include "kernels/backends/cuda_blocks.hpp"

namespace cfdmark {
namespace {

constexpr Extent threads{32, 8, 1};
constexpr const char* source = "kernels/sine_transform/sine_transform.cu";

Launch over_cells(const Grid& g, const std::string& function, Arguments arguments) {
  return {{source, function}, blocks_over(g, threads), threads, std::move(arguments)};
}

template <class T>
class SineTransforms {
 public:
  SineTransforms(const System& system, const AnyView& r)
      : backend_(static_cast<CudaBackend&>(*system.backend)),
        grid_(r.grid),
        r_(r),
        extended_(backend_, most(&SineLines::period) * sizeof(T)),
        coefficients_(backend_, 2 * most(&SineLines::coefficients) * sizeof(T)),
        eigenvalues_(backend_, std::size_t(grid_.nx + grid_.ny + grid_.nz) * sizeof(T)),
        scale_(T(1 / sine_transform_factor(grid_))) {
    const SineEigenvalues of = sine_eigenvalues(system.a, grid_);
    std::vector<T> all;
    for (const auto* direction : {&of.x, &of.y, &of.z})
      all.insert(all.end(), direction->begin(), direction->end());
    backend_.upload(eigenvalues_.data(), all.data(), all.size() * sizeof(T));
  }

  // There and back, with the division after the last transform there.
  Plan plan(const MakeLineTransform& make) const {
    const int axes = grid_.is_3d() ? 3 : 2;
    std::vector<HostCall> transforms;
    for (int axis = 0; axis < axes; ++axis)
      transforms.push_back(
          make({sine_lines(grid_, axis), r_.storage, extended_.data(), coefficients_.data()}));
    Plan plan{.memory = {extended_, coefficients_, eigenvalues_}};
    const auto add = [&](int axis, bool divided) {
      const SineLines lines = sine_lines(grid_, axis);
      plan.run.insert(plan.run.end(),
                      {extension(lines), transforms[axis], divided ? division(lines) : sines(lines)});
    };
    for (int axis = 0; axis < axes; ++axis) add(axis, axis == axes - 1);
    for (int axis = axes; axis-- > 0;) add(axis, false);
    return plan;
  }

  Launch extension(const SineLines& lines) const {
    return over_cells(grid_, instance<T>("odd_extension", {threads.x, threads.y}),
                      Arguments(r_.as<const T>(), lines, values(extended_)));
  }
  Launch sines(const SineLines& lines) const {
    return over_cells(grid_, instance<T>("sines", {threads.x, threads.y}),
                      Arguments(read(coefficients_), lines, r_.as<T>()));
  }
  Launch division(const SineLines& lines) const {
    const T* const x = read(eigenvalues_);
    return over_cells(
        grid_, instance<T>("divided_sines", {threads.x, threads.y}),
        Arguments(read(coefficients_), lines, r_.as<T>(), x, x + grid_.nx, x + grid_.nx + grid_.ny, scale_));
  }

 private:
  std::size_t most(int (SineLines::*length)() const) const {
    std::size_t values = 0;
    for (int axis = 0; axis < (grid_.is_3d() ? 3 : 2); ++axis) {
      const SineLines lines = sine_lines(grid_, axis);
      values = std::max(values, std::size_t(lines.lines) * (lines.*length)());
    }
    return values;
  }
  static T* values(const Buffer& b) { return static_cast<T*>(b.data()); }
  static const T* read(const Buffer& b) { return values(b); }

  CudaBackend& backend_;
  Grid grid_;
  AnyView r_;
  Buffer extended_, coefficients_, eigenvalues_;
  T scale_;
};

template <class T>
std::vector<Operation> sine_solve(const MakeLineTransform& make, const System& s, const AnyView& r) {
  const SineTransforms<T> transforms(s, r);
  const MakeLineTransform nothing = [](const LineTransform&) { return HostCall{}; };
  const Plan plan = transforms.plan(only_counts(*s.backend) ? nothing : make);
  Operation solve{"transform", s.backend, s.clock, static_cast<CudaBackend&>(*s.backend).prepare(plan),
                  2 * sine_transform_cost(s.grid(), s.precision)};
  return {solve};
}

}  // namespace

SineSolve sine_solve_by(MakeLineTransform make) {
  return [make = std::move(make)](const System& system, const AnyView& r, const Config&) {
    return system.precision == Precision::fp32 ? sine_solve<float>(make, system, r)
                                               : sine_solve<double>(make, system, r);
  };
}

}  // namespace cfdmark

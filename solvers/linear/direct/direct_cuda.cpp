#include "solvers/linear/direct/direct_cuda.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kernels/device/backends/counting.hpp"
#include "kernels/device/cuda/plan/cuda_blocks.hpp"

namespace cfdmark {
namespace {

constexpr Extent threads{32, 8, 1};
constexpr const char* sine_source = "kernels/line_transform/sine_transform.cu";
constexpr const char* cosine_source = "kernels/line_transform/cosine_transform.cu";

// Launches in precision T between the library's transforms, from one field to another.
template <class T>
class LineTransforms {
 public:
  explicit LineTransforms(const DirectTask& task)
      : backend_(static_cast<CudaBackend&>(*task.system.backend)),
        grid_(task.to.grid),
        ends_(task.ends),
        from_(task.from),
        to_(task.to),
        values_(backend_, most([](const GridLines& l) { return l.period; }) * sizeof(T)),
        coefficients_(backend_, 2 * most(&GridLines::coefficients) * sizeof(T)),
        tables_(backend_, table_length() * sizeof(T)),
        scale_(T(1 / transform_factor(grid_, ends_))) {
    const std::vector<T> tables = tables_of(eigenvalues(task.system.stencil(), grid_, ends_));
    backend_.upload(tables_.data(), tables.data(), tables.size() * sizeof(T));
  }

  // Returns forward and inverse transforms; the division is fused into the last forward axis.
  Plan plan(const MakeLineTransform& make) const {
    std::vector<HostCall> transforms;
    for (int axis = 0; axis < axes(); ++axis)
      transforms.push_back(make({lines(axis), to_.storage, values_.data(), coefficients_.data()}));
    Plan plan{.memory = {values_, coefficients_, tables_}};
    for (int axis = 0; axis < axes(); ++axis) {
      const AnyView& of = axis == 0 ? from_ : to_;
      plan.run.insert(plan.run.end(), {before(axis, of), transforms[axis],
                                       axis + 1 == axes() ? divided_after(axis) : after(axis)});
    }
    for (int axis = axes(); axis-- > 0;)
      plan.run.insert(plan.run.end(), {before_back(axis), transforms[axis], after_back(axis)});
    return plan;
  }

 private:
  int axes() const { return grid_.is_3d() ? 3 : 2; }
  bool has_sines(int axis) const { return ends_[axis] == Ends::zero; }
  bool is_closed(int axis) const { return ends_[axis] == Ends::closed; }
  GridLines lines(int axis) const {
    return has_sines(axis) ? sine_lines(grid_, axis) : cell_lines(grid_, axis);
  }

  Launch over_cells(const char* source, const std::string& name, const std::vector<int>& numbers,
                    Arguments arguments) const {
    return {{source, instance<T>(name, numbers)}, blocks_over(grid_, threads), threads, std::move(arguments)};
  }
  Launch before(int axis, const AnyView& of) const {
    const Arguments arguments(of.as<const T>(), lines(axis), at(values_));
    if (has_sines(axis)) return over_cells(sine_source, "odd_extension", {}, arguments);
    return over_cells(cosine_source, "line_values", {is_closed(axis)}, arguments);
  }
  Launch after(int axis) const {
    if (has_sines(axis))
      return over_cells(sine_source, "sines", {}, Arguments(read(coefficients_), lines(axis), to_.as<T>()));
    return over_cells(cosine_source, "waves", {is_closed(axis)},
                      Arguments(read(coefficients_), lines(axis), turns(axis), to_.as<T>()));
  }
  Launch divided_after(int axis) const {
    const T *const x = read(tables_), *const y = x + grid_.nx, *const z = y + grid_.ny;
    if (has_sines(axis))
      return over_cells(sine_source, "divided_sines", {},
                        Arguments(read(coefficients_), lines(axis), to_.as<T>(), x, y, z, scale_));
    return over_cells(cosine_source, "divided_waves", {is_closed(axis)},
                      Arguments(read(coefficients_), lines(axis), turns(axis), to_.as<T>(), x, y, z, scale_));
  }
  Launch before_back(int axis) const {
    if (has_sines(axis)) return before(axis, to_);
    return over_cells(cosine_source, "hartley_values", {is_closed(axis)},
                      Arguments(to_.as<const T>(), lines(axis), turns(axis), at(values_)));
  }
  Launch after_back(int axis) const {
    if (has_sines(axis)) return after(axis);
    return over_cells(cosine_source, "cells_of_hartley", {is_closed(axis)},
                      Arguments(read(coefficients_), lines(axis), to_.as<T>()));
  }

  // Layout of tables_: eigenvalues of x, y and z, then cosines and sines of t_k for each closed axis.
  std::size_t table_length() const {
    std::size_t length = std::size_t(grid_.nx) + grid_.ny + grid_.nz;
    for (int axis = 0; axis < axes(); ++axis) length += is_closed(axis) ? 2 * cells_along(grid_, axis) : 0;
    return length;
  }
  std::vector<T> tables_of(const Eigenvalues& of) const {
    std::vector<T> all;
    for (const auto* direction : {&of.x, &of.y, &of.z})
      all.insert(all.end(), direction->begin(), direction->end());
    for (int axis = 0; axis < axes(); ++axis) {
      const int n = cells_along(grid_, axis);
      const auto angle = [n](int k) { return std::numbers::pi * k / (2.0 * n); };
      for (int k = 0; is_closed(axis) && k < n; ++k) all.push_back(T(std::cos(angle(k))));
      for (int k = 0; is_closed(axis) && k < n; ++k) all.push_back(T(std::sin(angle(k))));
    }
    return all;
  }
  const T* turns(int axis) const {
    const T* turns = read(tables_) + grid_.nx + grid_.ny + grid_.nz;
    for (int before = 0; before < axis; ++before)
      turns += is_closed(before) ? 2 * cells_along(grid_, before) : 0;
    return turns;
  }

  template <class Length>
  std::size_t most(const Length& length) const {
    std::size_t values = 0;
    for (int axis = 0; axis < axes(); ++axis) {
      const GridLines of = lines(axis);
      values = std::max(values, std::size_t(of.lines) * std::size_t(std::invoke(length, of)));
    }
    return values;
  }
  static T* at(const Buffer& b) { return static_cast<T*>(b.data()); }
  static const T* read(const Buffer& b) { return at(b); }

  CudaBackend& backend_;
  Grid grid_;
  AxisEnds ends_;
  AnyView from_, to_;
  Buffer values_, coefficients_, tables_;
  T scale_;
};

template <class T>
std::vector<Operation> solve(const MakeLineTransform& make, const DirectTask& task) {
  const System& s = task.system;
  const LineTransforms<T> transforms(task);
  const MakeLineTransform nothing = [](const LineTransform&) { return HostCall{}; };
  const Plan plan = transforms.plan(only_counts(*s.backend) ? nothing : make);
  return {{"transform", s.backend, s.clock, static_cast<CudaBackend&>(*s.backend).prepare(plan),
           2 * transform_cost(task.to.grid, task.ends, task.to.storage)}};
}

}  // namespace

std::function<std::vector<Operation>(const DirectTask&)> direct_by_lines(MakeLineTransform make) {
  return [make = std::move(make)](const DirectTask& task) {
    return task.to.storage == Precision::fp32 ? solve<float>(make, task) : solve<double>(make, task);
  };
}

}  // namespace cfdmark

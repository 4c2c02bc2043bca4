// Every kernel on a box of larger fields: the box gets the result of a field of its own, and nothing around
// it changes.
#pragma once

#include "bench/catalog/kernel_list.hpp"
#include "bench/catalog/kernel_workload.hpp"
#include "tests/catch.hpp"

namespace cfdmark {

struct Corner {
  int i, j, k;
};

// Returns a method's defaults for one step per run.
template <class Args>
Config one_step(const Method<Args>& method) {
  Config config = method.space.defaults();
  if (method.steps) config.set(method.steps, 1);
  return config;
}

// Returns the box that begins at a corner, with its ghosts, as a field of its own.
inline HostField cut_out(const HostField& whole, Corner c, const Grid& box) {
  HostField part(box, whole.storage());
  for_each_cell(box, true,
                [&](int i, int j, int k) { part.set(i, j, k, whole.get(c.i + i, c.j + j, c.k + k)); });
  return part;
}

// A kernel on a box of 7 x 5 (x 3) cells within 13 x 11 (x 6), and its expected result.
template <class K>
class KernelOnBox {
 public:
  KernelOnBox(int dims, Precision p, OperatorKind op, Corner corner)
      : precision_(p),
        operator_(op),
        corner_(corner),
        box_{7, 5, dims == 3 ? 3 : 1, dims, 1, (corner.i + corner.j + corner.k) % 2},
        problem_(kernel_.start({p, dims == 3 ? Grid{13, 11, 6} : Grid{13, 11}, op})) {
    expect();
  }

  // Checks a method; returns false if it does not support boxes, with a reason.
  bool holds_for(Backend& on, const Method<CellArgs<K>>& method) const {
    std::vector<Field> fields;
    std::vector<AnyView> boxes;
    for (const auto& entry : problem_.fields) {
      fields.emplace_back(on, entry.initial.grid(), precision_);
      fields.back().upload(entry.is_written ? started(entry) : entry.initial);
      const Grid box = box_of(entry.initial.grid());
      boxes.push_back(fields.back().view().box(corner_.i, corner_.j, corner_.k, box.nx, box.ny, box.nz));
    }
    DeviceScalar result(on);
    const CellArgs<K> args = kernel_.bind({precision_, box_, operator_}, boxes, result.data());
    REQUIRE(args.grid().parity == box_.parity);
    if (!method.why_unsupported(args).empty()) return false;
    const Step step = method.prepare(on, args, one_step(method));
    if (step.load) step.load();
    step.run();
    if (step.store) step.store();
    if constexpr (is_reduction<K>) CHECK(result.get() == Approx(result_).margin(tolerance_));
    for (std::size_t n = 0; n < fields.size(); ++n) {
      INFO("field " << n);
      double error = 0;
      CHECK(first_difference(fields[n].download(), expected_[n], error,
                             method.roundoffs * roundoff(storage_of(precision_))) == "");
    }
    return true;
  }

 private:
  // Returns the initial field. Outputs start as noise, so that writes outside the box are detected.
  HostField started(const HostProblem::Entry& entry) const {
    return std::isnan(entry.initial.get(0, 0)) ? noise_field(entry.initial.grid(), precision_, 99)
                                               : entry.initial;
  }
  Grid box_of(const Grid& field) const {
    const Grid& g = problem_grid();
    Grid box = box_.with_halo(field.halo);
    box.nx += field.nx - g.nx, box.ny += field.ny - g.ny, box.nz += field.nz - g.nz;
    return box;
  }
  Grid problem_grid() const { return box_.is_3d() ? Grid{13, 11, 6} : Grid{13, 11}; }

  // Computes the expected result with the serial plain method on the box alone.
  void expect() {
    std::vector<HostField> parts;
    std::vector<AnyView> views;
    for (const auto& entry : problem_.fields) {
      expected_.push_back(entry.is_written ? started(entry) : entry.initial);
      parts.push_back(cut_out(expected_.back(), corner_, box_of(entry.initial.grid())));
      views.push_back(parts.back().view());
    }
    Backend& serial = backend(BackendKind::serial);
    DeviceScalar result(serial);
    const CellArgs<K> args = kernel_.bind({precision_, box_, operator_}, views, result.data());
    kernel_.methods(BackendKind::serial).front().prepare(serial, args, {}).run();
    if constexpr (is_reduction<K>) {
      const ProblemShape shape{precision_, problem_grid(), operator_};
      result_ = result.get(), tolerance_ = kernel_.expected(problem_, shape).scalar_tolerance;
    }
    for (std::size_t n = 0; n < parts.size(); ++n)
      for_each_cell(parts[n].grid(), false, [&](int i, int j, int k) {
        expected_[n].set(corner_.i + i, corner_.j + j, corner_.k + k, parts[n].get(i, j, k));
      });
  }

  KernelDescription<CellArgs<K>> kernel_ = CellKernel<K>::kernel();
  Precision precision_;
  OperatorKind operator_;
  Corner corner_;
  Grid box_;
  HostProblem problem_;
  std::vector<HostField> expected_;
  double result_ = 0, tolerance_ = 0;  // for reductions
};

enum class Libraries { yes, no };  // an emulated device has none

// Checks every method of a kernel on boxes in the memory of `on`. Returns the number of methods that support
// them.
template <class K>
int check_boxes(Backend& on, Libraries libraries, OperatorKind op) {
  int done = 0;
  const auto kernel = CellKernel<K>::kernel();
  for (int dims : {2, 3}) {
    if (!(dims == 3 ? kernel.in_3d : kernel.in_2d)) continue;
    for (Precision p : all_precisions)
      for (int i : {3, 4}) {  // unaligned and aligned rows
        const KernelOnBox<K> box(dims, p, op, {i, 6 - i, dims == 3 ? 2 : 0});
        const KernelOnBox<K> odd(dims, p, op, {i, 7 - i, dims == 3 ? 2 : 0});
        for (const auto& method : kernel.methods(on.kind())) {
          if (libraries == Libraries::no && !method.device_code) continue;
          INFO(kernel.name << " " << method.name << " " << to_string(p) << " " << dims << "-D, from column "
                           << i);
          done += box.holds_for(on, method) + odd.holds_for(on, method);
        }
      }
  }
  return done;
}

template <class... K>
int check_boxes(Backend& on, Libraries libraries, KernelTypes<K...>) {
  int done = (check_boxes<K>(on, libraries, OperatorKind::constant) + ...);
  done += ((has_operator<K> ? check_boxes<K>(on, libraries, OperatorKind::arrays) : 0) + ...);
  return done;
}

}  // namespace cfdmark

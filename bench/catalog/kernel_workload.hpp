// A kernel as a workload: its fields on a backend, its step, and the check of what the step leaves.
#pragma once

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <memory>

#include "bench/catalog/case.hpp"
#include "bench/catalog/workload.hpp"
#include "kernels/backends/timed_problem.hpp"

namespace cfdmark {

// Compares every cell, ghosts too: bit by bit, or to a relative tolerance. Empty if equal, else the first
// cell that differs.
std::string first_difference(const HostField& found, const HostField& expected, double& max_error,
                             double tolerance = 0);

// Throws std::logic_error if a method makes several steps of a kernel whose steps cannot follow each other.
template <class Args>
void check_steps(const KernelDescription<Args>& kernel, const Methods<Args>& methods) {
  for (const Method<Args>& method : methods)
    if (method.steps && !kernel.repeats)
      throw std::logic_error(
          fmt::format("{} cannot make several steps of {}: none reads what the one before left", method.name,
                      kernel.name));
}

template <class Args>
class KernelWorkload final : public Workload {
 public:
  // The host problem is shared by all cases of this shape.
  KernelWorkload(const KernelDescription<Args>& kernel, const Method<Args>& method, Backend& backend,
                 const ProblemShape& shape, const Config& config, std::shared_ptr<const HostProblem> host)
      : host_(std::move(host)), result_(backend), backend_(&backend), steps_(shape.steps) {
    std::vector<AnyView> views;
    for (const auto& entry : host_->fields) {
      fields_.emplace_back(backend, entry.initial.grid(), shape.precision);
      fields_.back().upload(entry.initial);
      views.push_back(fields_.back().view());
    }
    const Args args = kernel.bind(shape, views, result_.data());
    if (method.unsupported)
      if (const std::string reason = method.unsupported(args); !reason.empty())
        throw std::invalid_argument(reason);
    field_tolerance_ = method.roundoffs * roundoff(storage_of(shape.precision));
    cost_ = declared_cost(method, kernel.cost, args, config);
    step_ = method.prepare(backend, args, config);
  }

  void reset() override {
    for (std::size_t n = 0; n < fields_.size(); ++n)
      if (host_->fields[n].expected) fields_[n].upload(host_->fields[n].initial);
    if (host_->expected_scalar) result_.set(std::nan(""));
    if (step_.load) step_.load();
    backend_->fence();
  }

  void run() override { step_.run(); }
  int steps() const override { return steps_; }

  Verification verify() override {
    reset();
    run();
    if (step_.store) step_.store();
    backend_->fence();
    Verification v{true, host_->check, 0, ""};
    if (field_tolerance_ > 0) v.check += fmt::format(", but to within a relative {:.2g}", field_tolerance_);
    for (std::size_t n = 0; n < fields_.size() && v.passed; ++n)
      if (host_->fields[n].expected) {
        v.reason = first_difference(fields_[n].download(), *host_->fields[n].expected, v.max_error,
                                    field_tolerance_);
        v.passed = v.reason.empty();
      }
    if (host_->expected_scalar && v.passed) check_scalar(v);
    return v;
  }

  Cost cost() const override { return cost_; }
  Resources resources() const override { return step_.resources; }
  std::size_t field_bytes() const override {
    std::size_t bytes = 0;
    for (const auto& f : fields_) bytes += f.bytes();
    return bytes;
  }

 private:
  void check_scalar(Verification& v) const {
    const double found = result_.get(), expected = *host_->expected_scalar;
    v.max_error = std::abs(found - expected);
    v.passed = v.max_error <= host_->scalar_tolerance;  // false for NaN
    if (!v.passed)
      v.reason = fmt::format("result {} where {} was expected, to within {:.3g}", found, expected,
                             host_->scalar_tolerance);
  }

  std::shared_ptr<const HostProblem> host_;
  std::vector<Field> fields_;
  DeviceScalar result_;
  Backend* backend_;
  double field_tolerance_ = 0;
  int steps_;
  Cost cost_;
  Step step_;
};

}  // namespace cfdmark

// A kernel as a workload: its fields on a backend, its step, and its verification.
#pragma once

#include <fmt/format.h>

#include <memory>

#include "bench/case/case.hpp"
#include "bench/catalog/fields_workload.hpp"

namespace cfdmark {

// Throws std::logic_error if a method makes several steps of a kernel that cannot be repeated.
template <class Args>
void check_steps(const KernelDescription<Args>& kernel, const Methods<Args>& methods) {
  for (const Method<Args>& method : methods)
    if (method.steps && !kernel.repeats)
      throw std::logic_error(
          fmt::format("{} cannot make several steps of {}, whose steps do not read the previous result",
                      method.name, kernel.name));
}

template <class Args>
class KernelWorkload final : public FieldsWorkload {
 public:
  // `fields` may be shared by all cases of this shape on the backend, whatever their number of steps.
  KernelWorkload(const KernelDescription<Args>& kernel, const Method<Args>& method, Backend& backend,
                 const ProblemShape& shape, const Config& config, std::shared_ptr<KernelFields> fields)
      : FieldsWorkload(backend, std::move(fields)), method_(method.name), shape_(shape) {
    const Args args = kernel.bind(shape, fields_->views(), fields_->result());
    if (method.unsupported)
      if (const std::string reason = method.unsupported(args); !reason.empty())
        throw std::invalid_argument(reason);
    roundoff_ = method.roundoffs * roundoff(storage_of(shape.precision));
    cost_ = declared_cost(method, kernel.cost, args, config);
    step_ = method.prepare(backend, args, config);
  }

  int steps() const override { return shape_.steps; }
  Cost cost() const override { return cost_; }

 private:
  Verification check() override { return fields_->check(roundoff_, method_, shape_); }

  std::string method_;
  ProblemShape shape_;
  double roundoff_ = 0;
  Cost cost_;
};

}  // namespace cfdmark

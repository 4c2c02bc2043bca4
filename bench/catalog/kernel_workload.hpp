// A kernel as a workload: its fields on a backend, its step, and its verification.
#pragma once

#include <fmt/format.h>

#include <memory>

#include "bench/case/case.hpp"
#include "bench/catalog/kernel_fields.hpp"

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
class KernelWorkload final : public Workload {
 public:
  // `fields` may be shared by all cases of this shape on the backend, whatever their number of steps.
  KernelWorkload(const KernelDescription<Args>& kernel, const Method<Args>& method, Backend& backend,
                 const ProblemShape& shape, const Config& config, std::shared_ptr<KernelFields> fields)
      : fields_(std::move(fields)), backend_(&backend), method_(method.name), shape_(shape) {
    const Args args = kernel.bind(shape, fields_->views(), fields_->result());
    if (method.unsupported)
      if (const std::string reason = method.unsupported(args); !reason.empty())
        throw std::invalid_argument(reason);
    roundoff_ = method.roundoffs * roundoff(storage_of(shape.precision));
    cost_ = declared_cost(method, kernel.cost, args, config);
    step_ = method.prepare(backend, args, config);
  }

  void reset() override {
    fields_->reset();
    load();
  }
  void load() override {
    if (step_.load) step_.load();
    backend_->fence();
  }

  void run() override { step_.run(); }
  int steps() const override { return shape_.steps; }

  // Verifies again if inputs had been overwritten, by an earlier case or by this one.
  Verification verify() override {
    Verification v = verify_once();
    if (!v.passed && fields_->had_been_spoiled()) v = verify_once();
    return v;
  }

  Cost cost() const override { return cost_; }
  Resources resources() const override { return step_.resources; }
  std::size_t field_bytes() const override { return fields_->bytes(); }
  std::shared_ptr<const KernelFields> kernel_fields() const override { return fields_; }

 private:
  Verification verify_once() {
    reset();
    run();
    if (step_.store) step_.store();
    return fields_->check(roundoff_, method_, shape_);
  }

  std::shared_ptr<KernelFields> fields_;
  Backend* backend_;
  std::string method_;
  ProblemShape shape_;
  double roundoff_ = 0;
  Cost cost_;
  Step step_;
};

}  // namespace cfdmark

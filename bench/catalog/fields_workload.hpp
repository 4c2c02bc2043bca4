// A step on fields of a backend as a workload: the common part of kernels on grids and on meshes.
#pragma once

#include <memory>

#include "bench/case/workload.hpp"
#include "bench/catalog/kernel_fields.hpp"

namespace cfdmark {

class FieldsWorkload : public Workload {
 public:
  void reset() override {
    fields_->reset();
    load();
  }
  void load() override {
    if (step_.load) step_.load();
    backend_->fence();
  }
  void run() override { step_.run(); }

  // Verifies again if inputs had been overwritten, by an earlier case or by this one.
  Verification verify() override {
    Verification v = verify_once();
    if (!v.passed && fields_->had_been_spoiled()) v = verify_once();
    return v;
  }

  Resources resources() const override { return step_.resources; }
  std::size_t field_bytes() const override { return fields_->bytes(); }
  std::shared_ptr<const KernelFields> kernel_fields() const override { return fields_; }

 protected:
  // The constructor of a derived class sets step_.
  FieldsWorkload(Backend& backend, std::shared_ptr<KernelFields> fields)
      : fields_(std::move(fields)), backend_(&backend) {}

  std::shared_ptr<KernelFields> fields_;
  Step step_;

 private:
  // Compares the result of one run from reset() with the reference.
  virtual Verification check() = 0;

  Verification verify_once() {
    reset();
    run();
    if (step_.store) step_.store();
    return check();
  }

  Backend* backend_;
};

}  // namespace cfdmark

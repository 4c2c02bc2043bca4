// A kernel on a mesh as a workload: its fields on a backend, its step, and its verification.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>

#include "bench/case/workload.hpp"
#include "bench/catalog/kernel_fields.hpp"
#include "bench/catalog/mesh_problem.hpp"
#include "kernels/cells/indexed/mesh_kernel.hpp"

namespace cfdmark {

template <class Args>
class MeshWorkload final : public Workload {
 public:
  // `fields` belong to the same mesh, precision and layout of vectors as the shape.
  MeshWorkload(const MeshKernelDescription<Args>& kernel, const Method<Args>& method, Backend& backend,
               std::shared_ptr<const CaseMesh> mesh, const MeshShape& shape, const Config& config,
               std::shared_ptr<KernelFields> fields)
      : kernel_(kernel),
        method_(method.name),
        shape_(shape),
        case_mesh_(std::move(mesh)),
        lists_(backend, shape.mesh),
        fields_(std::move(fields)),
        backend_(&backend) {
    const Args args = kernel.bind(shape, fields_->views(), lists_);
    cost_ = kernel.cost(args, method.name, config);
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

  // Verifies again if inputs had been overwritten, by an earlier case or by this one.
  Verification verify() override {
    Verification v = verify_once();
    if (!v.passed && fields_->had_been_spoiled()) v = verify_once();
    return v;
  }

  Cost cost() const override { return cost_.compulsory; }
  Resources resources() const override { return step_.resources; }
  std::size_t field_bytes() const override { return fields_->bytes(); }
  std::shared_ptr<const KernelFields> kernel_fields() const override { return fields_; }
  nlohmann::json mesh_facts() const override {
    nlohmann::json facts = case_mesh_->facts;
    facts["requested_bytes"] = cost_.requested;
    return facts;
  }

 private:
  Verification verify_once() {
    reset();
    run();
    if (step_.store) step_.store();
    const Verification every_bit = fields_->check(0, method_, {shape_.precision, {}});
    return every_bit.passed || fields_->had_been_spoiled() ? every_bit : by_the_rule_of_the_method();
  }
  // Colours and atomic additions add in another order than the plain loop. The kernel knows which order, or
  // which difference, a method may have.
  Verification by_the_rule_of_the_method() {
    Verification v{true, "every value against the method's own order of additions, or to within its rounding",
                   0, ""};
    v.reason = kernel_.problem(fields_->start(), shape_, method_, fields_->written());
    v.passed = v.reason.empty();
    return v;
  }

  MeshKernelDescription<Args> kernel_;
  std::string method_;
  MeshShape shape_;
  std::shared_ptr<const CaseMesh> case_mesh_;
  DeviceMesh lists_;
  std::shared_ptr<KernelFields> fields_;
  Backend* backend_;
  MeshCost cost_;
  Step step_;
};

}  // namespace cfdmark

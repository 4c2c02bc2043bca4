// A kernel on a mesh as a workload: its fields on a backend, its step, and its verification.
#pragma once

#include <fmt/format.h>

#include <memory>
#include <string>

#include "bench/catalog/fields_workload.hpp"
#include "bench/catalog/mesh_problem.hpp"
#include "kernels/cells/indexed/mesh_kernel.hpp"

namespace cfdmark {

template <class Args>
class MeshWorkload final : public FieldsWorkload {
 public:
  // `fields` belong to the same mesh, precision and layout of vectors as the shape.
  MeshWorkload(const MeshKernelDescription<Args>& kernel, const Method<Args>& method, Backend& backend,
               std::shared_ptr<const MadeMesh> mesh, const MeshShape& shape, const Config& config,
               std::shared_ptr<KernelFields> fields)
      : FieldsWorkload(backend, std::move(fields)),
        kernel_(kernel),
        method_(method.name),
        shape_(shape),
        mesh_(std::move(mesh)),
        lists_(lists_on(backend, shape.mesh)),
        steps_(method.steps_of(config)) {
    const Args args = kernel.bind(shape, fields_->views(), *lists_);
    cost_ = kernel.cost(args, method.name, config);
    step_ = method.prepare(backend, args, config);
  }

  int steps() const override { return steps_; }
  Cost cost() const override { return cost_.compulsory; }
  nlohmann::json mesh_facts() const override {
    nlohmann::json facts = cfdmark::mesh_facts(*mesh_);
    facts["requested_bytes"] = cost_.requested;
    return facts;
  }

 private:
  Verification check() override {
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
  std::shared_ptr<const MadeMesh> mesh_;
  std::shared_ptr<DeviceMesh> lists_;
  int steps_;
  MeshCost cost_;
};

}  // namespace cfdmark

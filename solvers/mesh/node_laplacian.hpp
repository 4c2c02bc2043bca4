// The matrix of a NodePoisson without storing it: the cells are visited in every product.
#pragma once

#include <string>

#include "kernels/cells/indexed/device_mesh.hpp"
#include "solvers/linear/system/linear_operator.hpp"
#include "solvers/mesh/node_poisson.hpp"

namespace cfdmark {

class NodeLaplacian final : public LinearOperator {
 public:
  // `method`: that of the kernel mesh_poisson with which a product is computed, such as "plain" or "atomic".
  // Throws std::invalid_argument if the backend has no such method.
  NodeLaplacian(Backend&, Precision storage, const NodePoisson&, std::string method);

  Operation apply(const Operations&, const AnyView& x, const AnyView& y) const override;
  Operation residual(const Operations&, const AnyView& x, const AnyView& b, const AnyView& r) const override;
  Operation diagonal(const Operations&, const AnyView& d) const override;
  std::shared_ptr<const LinearOperator> like(Backend&, Precision) const override;
  std::vector<Operation> copy_to(const Operations&, const LinearOperator&) const override;

 private:
  NodeLaplacian() = default;

  std::string method_;
  std::shared_ptr<DeviceMesh> lists_;
  Field x_, free_, diagonal_;  // coordinates as planes; 1 at free nodes, 0 at others
};

}  // namespace cfdmark

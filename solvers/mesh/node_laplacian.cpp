#include "solvers/mesh/node_laplacian.hpp"

#include <stdexcept>
#include <utility>

#include "kernels/cells/indexed/mesh_kernel.hpp"
#include "kernels/device/backends/counting.hpp"
#include "kernels/mesh_poisson/mesh_poisson.hpp"
#include "solvers/linear/system/operations.hpp"

namespace cfdmark {
namespace {

constexpr VectorLayout planes = VectorLayout::planes;

// Calls value(n, d) for the components of all nodes.
template <class F>
Field uploaded(Backend& on, Precision storage, int nodes, int components, const F& value) {
  Field field(on, mesh_grid(nodes, components, planes), storage);
  if (only_counts(on)) return field;
  HostField host(field.grid(), storage);
#pragma omp parallel for schedule(static)
  for (int n = 0; n < nodes; ++n)
    for (int d = 0; d < components; ++d)
      host.set(mesh_index(nodes, components, planes, n, d), 0, 0, value(n, d));
  field.upload(host);
  return field;
}

Method<MeshArgs<MeshPoisson>> method_named(BackendKind kind, const std::string& name) {
  for (const auto& method : MeshKernel<MeshPoisson>::methods(kind))
    if (method.name == name) return method;
  throw std::invalid_argument("mesh_poisson has no method " + name + " on " + std::string(to_string(kind)));
}

}  // namespace

NodeLaplacian::NodeLaplacian(Backend& on, Precision storage, const NodePoisson& problem, std::string method)
    : method_(std::move(method)), lists_(std::make_shared<DeviceMesh>(on, problem.made->mesh)) {
  const Mesh& mesh = problem.nodes_of();
  const int nodes = int(mesh.nodes.size());
  x_ = uploaded(on, storage, nodes, mesh.dims,
                [&](int n, int d) { return mesh.nodes[std::size_t(n)][std::size_t(d)]; });
  free_ = uploaded(on, storage, nodes, 1,
                   [&](int n, int) { return problem.is_free[std::size_t(n)] ? 1.0 : 0.0; });
  const std::vector<double> diagonal = diagonal_of(problem.matrix);
  diagonal_ = uploaded(on, storage, nodes, 1, [&](int n, int) { return diagonal[std::size_t(n)]; });
}

Operation NodeLaplacian::apply(const Operations& op, const AnyView& x, const AnyView& y) const {
  const auto method = method_named(op.backend().kind(), method_);
  const MeshArgs<MeshPoisson> args{.precision = op.precision(),
                                   .mesh = lists_.get(),
                                   .fields = {.t = x, .free = free_.view(), .x = x_.view(), .q = y}};
  const auto cost = [](const MeshArgs<MeshPoisson>& of) {
    return MeshKernel<MeshPoisson>::kernel().cost(of, "plain", {}).compulsory;
  };
  return op.sweep("apply", Methods<MeshArgs<MeshPoisson>>{method}, +cost, args);
}

Operation NodeLaplacian::residual(const Operations& op, const AnyView& x, const AnyView& b,
                                  const AnyView& r) const {
  return in_turn(apply(op, x, r), op.update({1}, b, {-1}, r, "residual"));
}

Operation NodeLaplacian::diagonal(const Operations& op, const AnyView& d) const {
  return op.scale({1}, diagonal_.view(), d, "diagonal");
}

std::shared_ptr<const LinearOperator> NodeLaplacian::like(Backend& on, Precision storage) const {
  const std::shared_ptr<NodeLaplacian> other(new NodeLaplacian);
  other->method_ = method_;
  other->lists_ = lists_;
  other->x_ = Field(on, x_.grid(), storage);
  other->free_ = Field(on, free_.grid(), storage);
  other->diagonal_ = Field(on, diagonal_.grid(), storage);
  return other;
}

std::vector<Operation> NodeLaplacian::copy_to(const Operations& op, const LinearOperator& to) const {
  const auto& other = dynamic_cast<const NodeLaplacian&>(to);
  std::vector<Operation> copies;
  for (const auto& [from, into] :
       {std::pair{&x_, &other.x_}, {&free_, &other.free_}, {&diagonal_, &other.diagonal_}})
    copies.push_back(op.scale({1}, from->view(), into->view(), "to 32 bits"));
  return copies;
}

}  // namespace cfdmark

// Runs a kernel on a mesh with given inputs.
#pragma once

#include <functional>
#include <map>
#include <string>

#include "kernels/cells/indexed/mesh_kernel.hpp"
#include "kernels/cells/indexed/mesh_values.hpp"

namespace cfdmark {

using MeshFunction = std::function<double(int e, int d)>;
using MeshInputs = std::map<std::string, MeshFunction>;

inline std::shared_ptr<const Mesh> shared(Mesh mesh) { return std::make_shared<const Mesh>(std::move(mesh)); }

// A number between -0.5 and 0.5 that depends on the entity and the component.
inline double noisy(int e, int d) { return noise(e, d, 3, 5) - 1; }

// A result by entity and component.
struct MeshResult {
  HostField field;
  int entities, components;
  VectorLayout vectors;
  double operator()(int e, int d = 0) const {
    return field.get(mesh_index(entities, components, vectors, e, d), 0);
  }
};

// Runs K on serial with inputs by name; others, such as centres, are those of the timed problem. Throws
// std::out_of_range for a name that no input has.
template <class K>
MeshResult run_on_mesh(const MeshShape& shape, MeshInputs given, const std::string& method = "plain") {
  const auto kernel = MeshKernel<K>::kernel();
  HostProblem start = kernel.start(shape);
  MeshResult result{{}, 0, 1, shape.vectors};
  std::size_t next = 0;
  for_each_mesh_field<K>(K::names, [&](const auto& name) {
    auto& entry = start.fields[next++];
    const int n = shape.mesh->count(entity_of<K>(name, shape.mesh->dims));
    const int components = name.components_in(shape.mesh->dims);
    if (entry.is_written) result.entities = n, result.components = components;
    const auto found = given.find(name.text);
    if (found == given.end()) return;
    for (int e = 0; e < n; ++e)
      for (int d = 0; d < components; ++d)
        entry.initial.set(mesh_index(n, components, shape.vectors, e, d), 0, 0, found->second(e, d));
    given.erase(found);
  });
  if (!given.empty()) throw std::out_of_range("the kernel has no field " + given.begin()->first);
  Backend& serial = backend(BackendKind::serial);
  DeviceMesh mesh(serial, shape.mesh);
  std::vector<AnyView> views;
  for (const auto& entry : start.fields) views.push_back(entry.initial.view());
  const auto methods = kernel.methods(BackendKind::serial);
  const auto& chosen = find_method(methods, method);
  chosen.prepare(serial, kernel.bind(shape, views, mesh), chosen.space.defaults()).run();
  for (const auto& entry : start.fields)
    if (entry.is_written) result.field = entry.initial;
  return result;
}

}  // namespace cfdmark

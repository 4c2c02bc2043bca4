// The expected result of a kernel on a mesh: its body on each entity in plain loops over the mesh's own
// arrays on the host. It shares neither lists nor accessors with the methods. Other tests verify the bodies.
#pragma once

#include "kernels/cells/indexed/mesh_values.hpp"

namespace cfdmark {

// A field on the host with its place in the mesh.
struct ReferenceField {
  HostField* field = nullptr;
  int entities = 0, components = 1;
  VectorLayout vectors = VectorLayout::planes;
  int index(int e, int d) const { return mesh_index(entities, components, vectors, e, d); }
  double get(int e, int d) const { return field->get(index(e, d), 0); }
  void set(int e, int d, double value) const { field->set(index(e, d), 0, 0, value); }
};

// The neighbours of entity e, from the lists of the mesh.
struct ReferenceLinks {
  const HostLists& lists;
  int e;
};
template <class F>
void for_each_link(const ReferenceLinks& links, const F& f) {
  for (int n = 0; n < links.lists.count(links.e); ++n) f(n);
}

template <class C>
struct ReferenceValue {
  ReferenceField values;
  int e;
  operator C() const { return C(values.get(e, 0)); }
  C operator()(int d) const { return C(values.get(e, d)); }
  void operator=(C value) const { values.set(e, 0, double(value)); }
  void set(int d, C value) const { values.set(e, d, double(value)); }
};

template <class C>
struct ReferenceGather {
  ReferenceField values;
  ReferenceLinks links;
  bool exists(int n) const { return links.lists.marks != Marks::gaps || links.lists.entry(links.e, n) >= 0; }
  C operator()(int n, int d = 0) const {
    const int entry = links.lists.entry(links.e, n);
    if (!exists(n)) return C(values.get(0, d));
    return C(values.get(links.lists.marks == Marks::signs ? number_of(entry) : entry, d));
  }
  C oriented(int n, int d = 0) const {
    const bool is_against = links.lists.marks == Marks::signs && is_reversed(links.lists.entry(links.e, n));
    return is_against ? -(*this)(n, d) : (*this)(n, d);
  }
};

// Representation for the reference. C: arithmetic type.
template <class C, int dimensions>
struct ReferenceForm {
  using Number = C;
  static constexpr int dims = dimensions;
  template <int n = 1>
  using In = ReferenceValue<C>;
  template <int n = 1>
  using Out = ReferenceValue<C>;
  template <int n = 1>
  using InOut = ReferenceValue<C>;
  template <int n = 1>
  using Gather = ReferenceGather<C>;
  template <int n = 1>
  using Scatter = ReferenceValue<C>;
};

struct FromReferenceField {
  ReferenceField values;
  ReferenceLinks links;
  template <class C>
  operator ReferenceValue<C>() const {
    return {values, links.e};
  }
  template <class C>
  operator ReferenceGather<C>() const {
    return {values, links};
  }
};

// Applies the body to every entity. `fields`: the kernel's, in order.
template <class K, class C, int dims>
void sweep_mesh_plainly(const K& kernel, const HostLists& lists, const std::vector<ReferenceField>& fields) {
#pragma omp parallel for schedule(static) if (lists.entities > 10000)
  for (int e = 0; e < lists.entities; ++e) {
    const ReferenceLinks links{lists, e};
    if (at_boundary_only<K> && lists.entry(e, 1) >= 0) continue;
    auto next = fields.begin();
    kernel(mapped<K, ReferenceForm<C, dims>>(K::names, [&](const auto&) {
      return FromReferenceField{*next++, links};
    }));
  }
}

// Calls f.template operator()<C, dims>() with the arithmetic type and the dimensions of a problem.
template <class K, class F>
void with_reference_types(const MeshShape& shape, const F& f) {
  with_types(shape.precision, [&]<class S, class C>() {
    if constexpr (only_dims<K> != 2)
      if (shape.mesh->dims == 3) f.template operator()<C, 3>();
    if constexpr (only_dims<K> != 3)
      if (shape.mesh->dims == 2) f.template operator()<C, 2>();
  });
}

// Returns the fields of a problem, those of `left` in place of its written fields.
template <class K>
std::vector<ReferenceField> reference_fields(const MeshShape& shape, std::vector<HostField>& inputs,
                                             std::vector<HostField>& left) {
  std::vector<ReferenceField> fields;
  auto in = inputs.begin(), out = left.begin();
  const int dims = shape.mesh->dims;
  for_each_mesh_field<K>(K::names, [&](const auto& name) {
    HostField& field = is_written(name.role) ? *out++ : *in++;
    fields.push_back(
        {&field, shape.mesh->count(entity_of<K>(name, dims)), name.components_in(dims), shape.vectors});
  });
  return fields;
}

template <class K>
HostProblem mesh_start(const MeshShape& shape) {
  HostProblem problem;
  problem.check = "every bit against a loop over the mesh";
  unsigned salt = 0;
  for_each_mesh_field<K>(K::names, [&](const auto& name) {
    const int dims = shape.mesh->dims, components = name.components_in(dims);
    const Entity entity = entity_of<K>(name, dims);
    if (is_written(name.role) && name.role != MeshRole::in_out)
      problem.fields.push_back({poisoned_mesh_field(shape, entity, components), true});
    else
      problem.fields.push_back(
          {mesh_input(shape, entity, components, name.value, ++salt), is_written(name.role)});
  });
  return problem;
}

template <class K>
Expected mesh_expected(const HostProblem& start, const MeshShape& shape) {
  std::vector<HostField> inputs;
  Expected expected;
  for (const auto& entry : start.fields)
    (entry.is_written ? expected.fields : inputs).push_back(entry.initial);
  const HostLists lists = lists_of(*shape.mesh, K::around);
  const std::vector<ReferenceField> fields = reference_fields<K>(shape, inputs, expected.fields);
  with_reference_types<K>(shape, [&]<class C, int dims>() {
    sweep_mesh_plainly<K, C, dims>(K::description().timed, lists, fields);
  });
  return expected;
}

}  // namespace cfdmark

// The expected result of methods that scatter: the body on each entity in plain loops over the mesh's arrays.
#pragma once

#include <cmath>
#include <numeric>

#include "kernels/cells/indexed/methods/mesh_reference.hpp"

namespace cfdmark {

// Values that a method rounds to the stored type: each sum, each contribution, or the result only.
enum class RoundedPart { sums, contributions, result };

// Contributions to each neighbour, in 64 bits.
struct ScatterSums {
  ReferenceField values;
  RoundedPart rounded;
  std::vector<double> sums, magnitudes;  // by index in the field; magnitudes: sums of |contribution|

  explicit ScatterSums(const ReferenceField& field, RoundedPart part)
      : values(field), rounded(part), sums(std::size_t(field.field->grid().nx)), magnitudes(sums.size()) {}
  double stored(double value) const {
    return values.field->storage() == Precision::fp64 ? value : double(float(value));
  }
  template <class C>
  void add(int e, int d, C value) {
    const auto at = std::size_t(values.index(e, d));
    const double given = rounded == RoundedPart::result ? double(value) : stored(double(value));
    // A sum rounded in each step adds the unrounded value.
    const C sum = C(sums[at]) + (rounded == RoundedPart::sums ? value : C(given));
    sums[at] = rounded == RoundedPart::sums ? stored(double(sum)) : double(sum);
    magnitudes[at] += std::abs(given);
  }
  void store() {
    for (int e = 0; e < values.entities; ++e)
      for (int d = 0; d < values.components; ++d) values.set(e, d, sums[std::size_t(values.index(e, d))]);
  }
};

template <class C>
struct ReferenceScatter {
  ScatterSums* sums;
  ReferenceLinks links;
  bool exists(int m) const { return links.lists.marks != Marks::gaps || links.lists.entry(links.e, m) >= 0; }
  void add(int m, int d, C value) const {
    const int entry = links.lists.entry(links.e, m);
    sums->add(links.lists.marks == Marks::signs ? number_of(entry) : entry, d, value);
  }
  void add(int m, C value) const { add(m, 0, value); }
};

// Representation for the reference of bodies that scatter.
template <class C, int dimensions>
struct ScatterReferenceForm : ReferenceForm<C, dimensions> {
  template <int n = 1>
  using Scatter = ReferenceScatter<C>;
};

struct FromScatterField : FromReferenceField {
  ScatterSums* sums;
  template <class C>
  operator ReferenceScatter<C>() const {
    return {sums, links};
  }
};

// Returns the sums of all contributions, added in the order of entities.
template <class K>
ScatterSums scatter_plainly(const MeshShape& shape, const HostLists& lists, const std::vector<int>& order,
                            const std::vector<ReferenceField>& fields, RoundedPart rounded) {
  std::size_t scattered = 0, next = 0;
  for_each_mesh_field<K>(K::names, [&](const auto& name) {
    if (name.role == MeshRole::scatter) scattered = next;
    ++next;
  });
  ScatterSums sums(fields[scattered], rounded);
  with_reference_types<K>(shape, [&]<class C, int dims>() {
    const K kernel = K::description().timed;
    for (const int e : order) {
      auto field = fields.begin();
      kernel(mapped<K, ScatterReferenceForm<C, dims>>(K::names, [&](const auto&) {
        return FromScatterField{{*field++, {lists, e}}, &sums};
      }));
    }
  });
  sums.store();
  return sums;
}

// Returns the expected result of `plain`, which adds up to each neighbour and rounds the result only.
template <class K>
Expected scatter_expected(const HostProblem& start, const MeshShape& shape) {
  std::vector<HostField> inputs;
  Expected expected;
  for (const auto& entry : start.fields)
    (entry.is_written ? expected.fields : inputs).push_back(entry.initial);
  const HostLists lists = lists_of(*shape.mesh, K::around);
  std::vector<int> order(static_cast<std::size_t>(lists.entities));
  std::iota(order.begin(), order.end(), 0);
  scatter_plainly<K>(shape, lists, order, reference_fields<K>(shape, inputs, expected.fields),
                     RoundedPart::result);
  return expected;
}

template <class K>
std::string scatter_problem(const HostProblem& start, const MeshShape& shape, const std::string& method,
                            const std::vector<HostField>& left) {
  std::vector<HostField> inputs, expected;
  for (const auto& entry : start.fields) (entry.is_written ? expected : inputs).push_back(entry.initial);
  const HostLists lists = lists_of(*shape.mesh, K::around);
  std::vector<int> order(static_cast<std::size_t>(lists.entities));
  std::iota(order.begin(), order.end(), 0);
  if (method == "coloured")
    order = coloured(lists, shape.mesh->count(neighbours_in(K::around, shape.mesh->dims))).order;
  const RoundedPart rounded = method == "plain"        ? RoundedPart::result
                              : method == "replicated" ? RoundedPart::contributions
                                                       : RoundedPart::sums;
  const ScatterSums sums =
      scatter_plainly<K>(shape, lists, order, reference_fields<K>(shape, inputs, expected), rounded);
  if (method == "atomic") return first_sum_difference(left[0], expected[0], sums.magnitudes);
  return first_mesh_difference(left, expected);
}

}  // namespace cfdmark

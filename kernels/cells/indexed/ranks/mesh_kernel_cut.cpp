#include "kernels/cells/indexed/ranks/mesh_kernel_cut.hpp"

#include <cstring>
#include <utility>

namespace cfdmark {
namespace {

char* value_at(const EntityValues& values, int e, int d) {
  return values.origin + e * values.entity_stride + d * values.component_stride;
}

}  // namespace

MeshKernelCut::MeshKernelCut(MeshKernelFacts facts, const MeshShape& whole, const MeshPartition& partition,
                             int rank)
    : facts_(std::move(facts)),
      precision_(whole.precision),
      vectors_(whole.vectors),
      part_(std::make_shared<const MeshPart>(*whole.mesh, partition, rank)),
      reach_(kernel_reach(*part_, facts_.around, facts_.scatters)) {
  for (const MeshFieldFacts& f : facts_.fields) whole_counts_.push_back(whole.mesh->count(f.entity));
}

MeshShape MeshKernelCut::shape() const {
  return {std::shared_ptr<const Mesh>(part_, &part_->mesh()), precision_, vectors_};
}

Grid MeshKernelCut::grid(int field) const {
  return mesh_grid(part_->mesh().count(facts(field).entity), facts(field).components, vectors_);
}

bool MeshKernelCut::is_exchanged(int field) const {
  const MeshFieldFacts& f = facts(field);
  const bool is_constant = f.value != MeshValue::noise && f.value != MeshValue::gas_state;
  const bool is_read = f.role == MeshRole::gather || (facts_.scatters && f.role == MeshRole::in);
  return is_read && !is_constant;
}

EntityMessages MeshKernelCut::messages(Ranks& ranks, int field) const {
  const MeshFieldFacts& f = facts(field);
  return entity_messages(ranks, *part_, f.entity,
                         is_at_neighbours(f.role) ? reach_.neighbours : reach_.entities);
}

EntityValues MeshKernelCut::values(int field, const AnyView& view) const {
  return values_of(view, part_->mesh().count(facts(field).entity), facts(field).components);
}

EntityValues MeshKernelCut::values_of(const AnyView& view, int entities, int components) const {
  const auto bytes = Index(stored_bytes(view.storage));
  const bool is_packed = vectors_ == VectorLayout::packed;
  return {static_cast<char*>(view.origin), std::size_t(bytes), components,
          bytes * (is_packed && components > 1 ? packed_width(components) : 1),
          bytes * (is_packed ? 1 : mesh_pitch(entities))};
}

void MeshKernelCut::load(const std::vector<AnyView>& whole, const std::vector<AnyView>& here) const {
  for (int n = 0; n < fields(); ++n) {
    const MeshFieldFacts& f = facts(n);
    const std::vector<int>& numbers = part_->numbers(f.entity);
    const EntityValues to = values(n, here[std::size_t(n)]),
                       from = values_of(whole[std::size_t(n)], whole_counts_[std::size_t(n)], f.components);
    for (int e = 0; e < int(numbers.size()); ++e)
      for (int d = 0; d < f.components; ++d)
        if (is_exchanged(n) && !part_->owns(f.entity, e))
          std::memset(value_at(to, e, d), 0xff, to.bytes);
        else
          std::memcpy(value_at(to, e, d), value_at(from, numbers[std::size_t(e)], d), to.bytes);
  }
}

void MeshKernelCut::store(const std::vector<AnyView>& here, const std::vector<AnyView>& whole) const {
  for (int n = 0; n < fields(); ++n) {
    if (!is_written(n)) continue;
    const MeshFieldFacts& f = facts(n);
    const std::vector<int>& numbers = part_->numbers(f.entity);
    const EntityValues from = values(n, here[std::size_t(n)]),
                       to = values_of(whole[std::size_t(n)], whole_counts_[std::size_t(n)], f.components);
    for (int e = 0; e < int(numbers.size()); ++e)
      if (part_->owns(f.entity, e))
        for (int d = 0; d < f.components; ++d)
          std::memcpy(value_at(to, numbers[std::size_t(e)], d), value_at(from, e, d), to.bytes);
  }
}

}  // namespace cfdmark

#include "kernels/cells/indexed/ranks/mesh_kernel_part.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>

namespace cfdmark {
namespace {

// Merges two lists of runs without common entities.
std::vector<EntityRun> merged(const std::vector<EntityRun>& a, const std::vector<EntityRun>& b) {
  std::vector<EntityRun> all(a.size() + b.size()), runs;
  std::merge(a.begin(), a.end(), b.begin(), b.end(), all.begin(),
             [](const EntityRun& x, const EntityRun& y) { return x.first < y.first; });
  for (const EntityRun& run : all)
    if (!runs.empty() && runs.back().end == run.first)
      runs.back().end = run.end;
    else
      runs.push_back(run);
  return runs;
}

char* value_at(const EntityValues& values, int e, int d) {
  return values.origin + e * values.entity_stride + d * values.component_stride;
}

}  // namespace

MeshKernelPart::MeshKernelPart(Ranks& ranks, Facts facts, const MeshShape& whole,
                               const MeshPartition& partition, Overlap overlap)
    : facts_(std::move(facts)),
      vectors_(whole.vectors),
      overlap_(overlap),
      part_(std::make_shared<const MeshPart>(*whole.mesh, partition, ranks.rank())),
      reach_(kernel_reach(*part_, facts_.around, facts_.scatters)),
      owned_(merged(reach_.inside, reach_.edge)),
      queue_(new_queue(BackendKind::serial)),
      lists_(std::make_unique<DeviceMesh>(*queue_, part_mesh())) {
  for (const MeshFieldFacts& f : facts_.fields) {
    const int n = part_->mesh().count(f.entity);
    whole_counts_.push_back(whole.mesh->count(f.entity));
    fields_.emplace_back(*queue_, mesh_grid(n, f.components, vectors_), storage_of(whole.precision));
    if (!is_exchanged(f)) continue;
    const std::vector<char>& wanted = is_at_neighbours(f.role) ? reach_.neighbours : reach_.entities;
    exchanges_.push_back(std::make_unique<EntityExchange>(ranks,
                                                          entity_messages(ranks, *part_, f.entity, wanted),
                                                          values_of(fields_.back().view(), n, f.components)));
  }
}

bool MeshKernelPart::is_exchanged(const MeshFieldFacts& field) const {
  const bool is_constant = field.value != MeshValue::noise && field.value != MeshValue::gas_state;
  const bool is_read = field.role == MeshRole::gather || (facts_.scatters && field.role == MeshRole::in);
  return is_read && !is_constant;
}

EntityValues MeshKernelPart::values_of(const AnyView& view, int entities, int components) const {
  const auto bytes = Index(stored_bytes(view.storage));
  const bool is_packed = vectors_ == VectorLayout::packed;
  return {static_cast<char*>(view.origin), std::size_t(bytes), components,
          bytes * (is_packed && components > 1 ? packed_width(components) : 1),
          bytes * (is_packed ? 1 : mesh_pitch(entities))};
}

void MeshKernelPart::load(const std::vector<AnyView>& whole) {
  for (std::size_t n = 0; n < fields_.size(); ++n) {
    const MeshFieldFacts& f = facts_.fields[n];
    const std::vector<int>& numbers = part_->numbers(f.entity);
    const EntityValues here = values_of(fields_[n].view(), int(numbers.size()), f.components),
                       there = values_of(whole[n], whole_counts_[n], f.components);
    for (int e = 0; e < int(numbers.size()); ++e)
      for (int d = 0; d < f.components; ++d)
        if (is_exchanged(f) && !part_->owns(f.entity, e))
          std::memset(value_at(here, e, d), 0xff, here.bytes);
        else
          std::memcpy(value_at(here, e, d), value_at(there, numbers[std::size_t(e)], d), here.bytes);
  }
}

void MeshKernelPart::run() {
  for (const auto& exchange : exchanges_) exchange->start();
  if (overlap_ == Overlap::inner_first) compute(reach_.inside);
  for (const auto& exchange : exchanges_) exchange->finish();
  compute(overlap_ == Overlap::inner_first ? reach_.edge : owned_);
}

void MeshKernelPart::store(const std::vector<AnyView>& whole) const {
  for (std::size_t n = 0; n < fields_.size(); ++n) {
    const MeshFieldFacts& f = facts_.fields[n];
    if (!is_written(f.role)) continue;
    const std::vector<int>& numbers = part_->numbers(f.entity);
    const EntityValues here = values_of(fields_[n].view(), int(numbers.size()), f.components),
                       there = values_of(whole[n], whole_counts_[n], f.components);
    for (int e = 0; e < int(numbers.size()); ++e)
      if (part_->owns(f.entity, e))
        for (int d = 0; d < f.components; ++d)
          std::memcpy(value_at(there, numbers[std::size_t(e)], d), value_at(here, e, d), here.bytes);
  }
}

}  // namespace cfdmark

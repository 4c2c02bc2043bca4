#include "kernels/cells/indexed/ranks/mesh_device_part.hpp"

#include <utility>

namespace cfdmark {
namespace {

template <class Fields>
std::vector<AnyView> views_of_all(const Fields& fields) {
  std::vector<AnyView> views;
  for (const auto& field : fields) views.push_back(field.view());
  return views;
}

}  // namespace

MeshDevicePart::MeshDevicePart(Ranks& ranks, Backend& of_rank, const DeviceLinks& links,
                               MeshKernelFacts facts, const MeshShape& whole, const MeshPartition& partition)
    : cut_(std::move(facts), whole, partition, ranks.rank()),
      lists_(std::make_unique<DeviceMesh>(of_rank, cut_.shape().mesh)) {
  std::vector<EntityField> exchanged;
  for (int n = 0; n < cut_.fields(); ++n) {
    fields_.emplace_back(of_rank, cut_.grid(n), storage_of(whole.precision));
    on_host_.emplace_back(cut_.grid(n), storage_of(whole.precision));
    if (cut_.is_exchanged(n))
      exchanged.push_back({cut_.messages(ranks, n), cut_.values(n, fields_.back().view())});
  }
  step_.run = [] {};
  if (!exchanged.empty()) step_ = exchange_entities(of_rank, links, exchanged).step;
}

std::vector<AnyView> MeshDevicePart::views() const { return views_of_all(fields_); }

void MeshDevicePart::load(const std::vector<AnyView>& whole) {
  cut_.load(whole, views_of_all(on_host_));
  for (std::size_t n = 0; n < fields_.size(); ++n) fields_[n].upload(on_host_[n]);
}

void MeshDevicePart::store(const std::vector<AnyView>& whole) const {
  std::vector<AnyView> here = views_of_all(on_host_);
  std::vector<HostField> results;
  for (int n = 0; n < cut_.fields(); ++n)
    if (cut_.is_written(n)) {
      results.push_back(fields_[std::size_t(n)].download());
      here[std::size_t(n)] = results.back().view();
    }
  cut_.store(here, whole);
}

}  // namespace cfdmark

#include "kernels/cells/indexed/ranks/mesh_kernel_part.hpp"

#include <algorithm>

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

}  // namespace

MeshKernelPart::MeshKernelPart(Ranks& ranks, MeshKernelFacts facts, const MeshShape& whole,
                               const MeshPartition& partition, Overlap overlap)
    : cut_(std::move(facts), whole, partition, ranks.rank()),
      overlap_(overlap),
      owned_(merged(reach().inside, reach().edge)),
      queue_(new_queue(BackendKind::serial)),
      lists_(std::make_unique<DeviceMesh>(*queue_, cut_.shape().mesh)) {
  for (int n = 0; n < cut_.fields(); ++n) {
    fields_.emplace_back(*queue_, cut_.grid(n), storage_of(whole.precision));
    if (cut_.is_exchanged(n))
      exchanges_.push_back(std::make_unique<EntityExchange>(ranks, cut_.messages(ranks, n),
                                                            cut_.values(n, fields_.back().view())));
  }
}

std::vector<AnyView> MeshKernelPart::views() const {
  std::vector<AnyView> views;
  for (const Field& field : fields_) views.push_back(field.view());
  return views;
}

void MeshKernelPart::run() {
  for (const auto& exchange : exchanges_) exchange->start();
  if (overlap_ == Overlap::inner_first) compute(reach().inside);
  for (const auto& exchange : exchanges_) exchange->finish();
  compute(overlap_ == Overlap::inner_first ? reach().edge : owned_);
}

}  // namespace cfdmark

#include "bench/catalog/ranked_kernel_workload.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <utility>

#include "bench/catalog/part_ghosts.hpp"
#include "bench/catalog/rank_details_json.hpp"
#include "bench/catalog/ranks_json.hpp"
#include "kernels/ranks/overlap.hpp"
#include "kernels/ranks/process_rank.hpp"

namespace cfdmark {
namespace {

// Returns the grid of a part of a field, which may be at faces: then it has one more than its part has cells.
Grid part_of_field(const Grid& field, const Grid& whole, const Grid& local) {
  Grid here = local.with_halo(field.halo);
  here.nx += field.nx - whole.nx, here.ny += field.ny - whole.ny, here.nz += field.nz - whole.nz;
  return here;
}

// Returns the part of a field that has the rank's own cells.
AnyView own_part(const AnyView& field, const CellBox& cells, const CellBox& own) {
  // A field at faces has more values than cells.
  const Grid& g = field.grid;
  return field.box(own.i - cells.i, own.j - cells.j, own.k - cells.k, g.nx - cells.nx + own.nx,
                   g.ny - cells.ny + own.ny, g.nz - cells.nz + own.nz);
}

class RankedKernelWorkload final : public FieldsWorkload {
 public:
  RankedKernelWorkload(Backend& on, const KernelOnRanks& of, std::shared_ptr<KernelFields> fields,
                       const PreparePart& prepare)
      : FieldsWorkload(on, std::move(fields)),
        on_(on),
        of_(of),
        partition_(aligned_parts(of.shape.grid, of.setup.count, PartShape::from(of.setup.partition),
                                 rank_alignment_of(on.kind(), of.shape.grid), {})),
        parts_(static_cast<std::size_t>(of.setup.count)),
        group_(process_rank() ? process_group(*process_rank()) : thread_group(of.setup.count)) {
    group_.run([&](Ranks& ranks) { parts_[std::size_t(ranks.rank())] = made_part(ranks, prepare); });
    step_.resources = first_part().resources;
    step_.resources.threads = of.setup.count * std::max(step_.resources.threads, 1);
    step_.run = [this] { group_.run(run_); };
  }

  void reset() override {
    FieldsWorkload::reset();
    group_.run([this](Ranks& ranks) { load_part(part(ranks)); });
    // A part must not wait for others that are still being loaded.
    group_.run([this](Ranks& ranks) {
      for (const auto& start : part(ranks).starts) start();
    });
  }
  void run() override {
    FieldsWorkload::run();
    runs_ += steps();
  }
  int steps() const override { return of_.shape.steps; }
  Cost cost() const override { return of_.cost; }

  nlohmann::json rank_facts() const override {
    RankFacts facts;
    facts.setup = of_.setup;
    facts.joined_by = group_.process ? "mpi" : "threads";
    facts.parts = partition_.counts();
    facts.imbalance = partition_.imbalance();
    std::vector<RankDetail> details;
    const double runs = std::max(runs_, 1);
    for (int rank = 0; rank < of_.setup.count; ++rank) {
      const auto& part = parts_[std::size_t(rank)];
      const Communicated sent = part ? part->ranks.communicated() : Communicated();
      add_rank(facts, double(partition_.part(rank).own.cells()), part ? part->busy : 0, sent, runs);
      if (part) details.push_back(rank_detail(sent, runs));
    }
    nlohmann::json json = ranks_json(facts, {facts.of_a_solve});
    add_details(json, {details});
    return json;
  }

 private:
  std::unique_ptr<KernelPart> made_part(Ranks& ranks, const PreparePart& prepare) const {
    const CellBox own = partition_.part(ranks.rank()).own,
                  cells = of_.overlap > 0 ? with_overlap(partition_, ranks.rank(), of_.overlap) : own;
    auto part = std::make_unique<KernelPart>(ranks, own, cells, on_);
    const Grid local =
        of_.overlap > 0 ? partition_.grid_of(cells, of_.ghosts) : partition_.local(ranks.rank(), of_.ghosts);
    for (const AnyView& whole : fields_->views())
      part->fields.emplace_back(*part->on, part_of_field(whole.grid, of_.shape.grid, local), whole.storage);
    if (on_.kind() == BackendKind::cuda)
      part->links = std::make_unique<DeviceLinks>(part->ranks, *part->on, of_.way);
    load_part(*part);
    prepare(*part, partition_);
    part->reset();
    return part;
  }

  KernelPart& part(const Ranks& ranks) { return *parts_[std::size_t(ranks.rank())]; }
  // Returns the first part of this process.
  const KernelPart& first_part() const {
    return *parts_[group_.process ? std::size_t(group_.process->rank()) : 0];
  }

  void load_part(KernelPart& part) const {
    std::vector<GhostCopy> copies;
    for (std::size_t n = 0; n < part.fields.size(); ++n)
      copies.push_back(part_copy(fields_->views()[n], part.cells, part.fields[n].view()));
    on_.fence();
    run_copies(*part.on, copies);
    for (const std::size_t n : part.received)
      poison_ghosts(*part.on, partition_.part(part.ranks.rank()), part.fields[n].view());
    for (const auto& load : part.loads) load();
  }

  // Returns the copies by which check() sees the ghosts that a step leaves.
  std::vector<GhostCopy> copies_of_sent(const KernelPart& part) const {
    std::vector<GhostCopy> all;
    for (const std::size_t n : part.sent)
      for (const GhostCopy& copy :
           ghosts_over_owners(partition_.part(part.ranks.rank()), part.fields[n].view(), fields_->views()[n]))
        all.push_back(copy);
    return all;
  }

  Verification check() override {
    const auto is_written = [this](std::size_t n) { return fields_->start().fields[n].is_written; };
    const std::vector<AnyView>& whole = fields_->views();
    for (const auto& part : parts_) {
      if (!part) continue;
      std::vector<GhostCopy> copies;
      for (std::size_t n = 0; n < whole.size(); ++n)
        if (is_written(n))
          copies.push_back(
              part_copy_back(own_part(part->fields[n].view(), part->cells, part->own), part->own, whole[n]));
      part->on.get()->fence();
      run_copies(*part->on, copies);
    }
    for (std::size_t n = 0; n < whole.size() && group_.process; ++n)
      if (is_written(n)) share_parts(*group_.process, partition_, on_, whole[n]);
    for (const auto& part : parts_)
      if (part) run_copies(*part->on, copies_of_sent(*part));
    const double result = first_part().result.get();
    on_.upload(fields_->result(), &result, sizeof result);
    return fields_->check(0, fmt::format("{} ranks, {}", of_.setup.count, of_.setup.partition), of_.shape);
  }

  Backend& on_;
  KernelOnRanks of_;
  Partition partition_;
  std::vector<std::unique_ptr<KernelPart>> parts_;
  RankGroup group_;  // ends before the parts
  std::function<void(Ranks&)> run_ = [this](Ranks& ranks) { part(ranks).run(); };
  int runs_ = 0;  // steps so far
};

}  // namespace

void KernelPart::run() {
  const auto start = std::chrono::steady_clock::now();
  for (const auto& pass : passes) {
    for (const auto& exchange : exchanges) exchange();
    pass();
  }
  busy += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

std::unique_ptr<Workload> ranked_kernel_workload(Backend& on, const KernelOnRanks& of,
                                                 std::shared_ptr<KernelFields> fields,
                                                 const PreparePart& prepare) {
  return std::make_unique<RankedKernelWorkload>(on, of, std::move(fields), prepare);
}

}  // namespace cfdmark

#include "bench/catalog/rank_kernels.hpp"

#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <numeric>

#include "bench/catalog/not_built.hpp"
#include "bench/catalog/rank_details_json.hpp"
#include "bench/catalog/ranks_json.hpp"
#include "kernels/halo/halo.hpp"
#include "kernels/ranks/thread_ranks.hpp"
#include "kernels/sum_over_ranks/sum_over_ranks.hpp"
#include "solvers/linear/device_parts.hpp"
#include "solvers/linear/ranked_iteration.hpp"

namespace cfdmark {
namespace {

constexpr int steps_of_run = 32;

using MakePart = std::function<std::unique_ptr<RankKernelPart>(Ranks&, const RankPlace&, const Partition&)>;

class RankKernelWorkload final : public Workload {
 public:
  RankKernelWorkload(Backend& on, const RankSetup& setup, PeerWay way, Partition partition, std::string check,
                     const MakePart& make)
      : setup_(setup),
        partition_(std::move(partition)),
        check_(std::move(check)),
        places_(static_cast<std::size_t>(setup.count)),
        parts_(places_.size()),
        waited_(parts_.size()),
        busy_(parts_.size()),
        team_(setup.count) {
    require_rank_devices(on, setup.count);
    on_parts([&](Ranks& ranks, std::size_t r) {
      places_[r] = std::make_unique<Place>(ranks, on, way);
      parts_[r] = make(ranks, {*places_[r]->on, places_[r]->links.get()}, partition_);
    });
  }

  void reset() override {
    on_parts([this](Ranks&, std::size_t r) { parts_[r]->load(); });
  }
  void run() override {
    team_.run(run_);
    steps_made_ += steps_of_run;
  }
  int steps() const override { return steps_of_run; }

  Verification verify() override {
    reset();
    run();
    Verification v{true, check_, 0, ""};
    for (std::size_t r = 0; r < parts_.size() && v.passed; ++r) {
      const std::string wrong = parts_[r]->difference();
      v.passed = wrong.empty();
      if (!v.passed) v.reason = fmt::format("rank {} of {}: {}", r, setup_.count, wrong);
    }
    return v;
  }

  Cost cost() const override {
    Cost sum;
    for (const auto& part : parts_) sum = sum + part->cost();
    return sum;
  }
  Resources resources() const override {
    Resources resources;
    resources.threads = setup_.count;
    return resources;
  }
  std::size_t field_bytes() const override {
    return std::size_t(std::accumulate(parts_.begin(), parts_.end(), 0.0, [](double sum, const auto& part) {
      return sum + part->field_bytes();
    }));
  }

  nlohmann::json rank_facts() const override {
    if (setup_.count == 1) return nullptr;
    RankFacts facts;
    facts.setup = setup_;
    facts.joined_by = "threads";
    facts.parts = partition_.counts();
    facts.imbalance = partition_.imbalance();
    const double steps = std::max(steps_made_, 1);
    std::vector<RankDetail> details;
    for (std::size_t r = 0; r < parts_.size(); ++r) {
      add_rank(facts, double(partition_.part(int(r)).own.cells()), busy_[r], communicated(r), steps);
      details.push_back(rank_detail(communicated(r), steps));
    }
    nlohmann::json json = ranks_json(facts, {facts.of_a_solve});
    add_details(json, {details});
    return json;
  }

 private:
  // The backend of a rank, and on CUDA its links.
  struct Place {
    Place(Ranks& ranks, const Backend& whole, PeerWay way) : on(RankBackend(whole, ranks.rank())) {
      if (whole.kind() == BackendKind::cuda) links = std::make_unique<DeviceLinks>(ranks, *on, way);
    }
    RankBackend on;
    std::unique_ptr<const DeviceLinks> links;
  };

  void on_parts(const std::function<void(Ranks&, std::size_t)>& f) {
    team_.run([&](Ranks& ranks) { f(ranks, std::size_t(ranks.rank())); });
  }

  // A step is nothing but communication, so its clock is that of the run.
  void run_part(Ranks& ranks) {
    using Clock = std::chrono::steady_clock;
    const std::size_t r = std::size_t(ranks.rank());
    const double waited = ranks.waited();
    const Clock::time_point start = Clock::now();
    for (int n = 0; n < steps_of_run; ++n) parts_[r]->run();
    parts_[r]->wait();
    busy_[r] += std::chrono::duration<double>(Clock::now() - start).count();
    waited_[r] += ranks.waited() - waited;
  }

  // Returns what a rank has communicated in all steps.
  Communicated communicated(std::size_t r) const {
    const ExchangeTraffic sent = parts_[r]->traffic();
    const double steps = std::max(steps_made_, 1);
    const bool is_sum = parts_[r]->sum_bytes() > 0;
    Communicated all;
    (is_sum ? all.sum_seconds : all.exchange_seconds) = busy_[r];
    (is_sum ? all.sum_waited : all.exchange_waited) = waited_[r];
    all.exchange_bytes = sent.bytes * steps, all.messages = sent.messages * int(steps);
    all.largest_message = sent.largest;
    all.sum_bytes = parts_[r]->sum_bytes() * steps, all.sums = is_sum ? int(steps) : 0;
    return all;
  }

  RankSetup setup_;
  Partition partition_;
  std::string check_;
  std::vector<std::unique_ptr<const Place>> places_;
  std::vector<std::unique_ptr<RankKernelPart>> parts_;
  std::vector<double> waited_, busy_;  // seconds, by rank
  RankTeam team_;                      // ends before the parts
  std::function<void(Ranks&)> run_ = [this](Ranks& ranks) { run_part(ranks); };
  int steps_made_ = 0;
};

const Setting layers_setting{
    "layers", {1, 2, 4}, 1, "layers of ghosts that an exchange fills", "", integer_from_to(1, 32)};

// Returns what all rows of ranks have in common. `on`: sets the functions of a row on some ranks.
Row row_on(const std::string& name, BackendKind kind, Precision p,
           const std::function<void(Row&, const RankSetup&)>& on) {
  Row row;
  row.name = name;
  row.backend = kind;
  row.precision = p;
  row.method = "memory";
  row.source = "kernels/" + name;
  row.several_steps = true;
  row.unavailable = unavailable_reason(kind, p);
  row.host_bytes = [](const Domain&, const Config&) { return 1e6; };  // threads
  on(row, {});
  row.on_ranks = [row, on](const RankSetup& setup) {
    Row several = row;
    if (row.backend == BackendKind::cuda) several.space.settings.push_back(exchange_setting(setup));
    on(several, setup);
    return several;
  };
  return row;
}

Row halo_row(BackendKind kind, Precision p) {
  return row_on("halo", kind, p, [p](Row& made, const RankSetup& setup) {
    made.workload_settings = {layers_setting};
    const auto layers = [](const Config& workload) { return workload.integer(layers_setting.name); };
    made.unsupported = [=](const Domain& domain, const Config& workload) {
      return halo_refusal(domain.box(), setup, layers(workload));
    };
    made.field_bytes = [=](const Domain& domain, const Config& workload) {
      return halo_bytes(domain.box(), setup, p, layers(workload));
    };
    made.prepare = [=](Backend& on, const Domain& domain, const Config& config, const Config& workload) {
      return std::make_unique<RankKernelWorkload>(
          on, setup, peer_way_of(config), halo_partition(domain.box(), setup),
          "every ghost has its owner's value",
          [&](Ranks& ranks, const RankPlace& place, const Partition& parts) {
            return halo_part(ranks, place, parts, p, layers(workload));
          });
    };
  });
}

Row sum_row(BackendKind kind) {
  return row_on("sum_over_ranks", kind, Precision::fp64, [kind](Row& made, const RankSetup& setup) {
    made.unsupported = [=](const Domain& domain, const Config&) -> std::string {
      if (kind == BackendKind::cuda && setup.count > 1 && setup.partition != "slabs")
        return "sums between devices are of whole rows: use partition=slabs";
      return partition_refusal(domain.box(), setup, 1);
    };
    made.field_bytes = [=](const Domain& domain, const Config&) {
      return sum_bytes(domain.box(), setup.count);
    };
    made.prepare = [=](Backend& on, const Domain& domain, const Config& config, const Config&) {
      return std::make_unique<RankKernelWorkload>(
          on, setup, peer_way_of(config),
          Partition::of(domain.box(), setup.count, PartShape::from(setup.partition)),
          kind == BackendKind::cuda ? "every rank has the numbers of all rows"
                                    : "every rank has the sum in the order of the domain, bit by bit",
          sum_part);
    };
  });
}

}  // namespace

void add_rank_kernels(std::vector<Row>& rows) {
  for (const BackendKind kind : {BackendKind::serial, BackendKind::cuda}) {
    for (const Precision p : {Precision::fp32, Precision::fp64}) rows.push_back(halo_row(kind, p));
    rows.push_back(sum_row(kind));
  }
}

}  // namespace cfdmark

#include "bench/ranks/rank_worker.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <map>
#include <stdexcept>

#include "bench/case/ranked_case.hpp"
#include "bench/record/record.hpp"
#include "bench/text/exit_status.hpp"
#include "bench/text/printable.hpp"
#include "bench/worker/messages.hpp"
#include "kernels/ranks/process_rank.hpp"

namespace cfdmark {
namespace {

// Why a rank could not do a command. Ranks exchange it, so it has a fixed size.
struct Stumble {
  enum class Kind : std::int32_t { none, unsupported, error };
  Kind kind = Kind::none;
  std::array<char, 1020> reason = {};

  Stumble() = default;
  explicit Stumble(const std::exception& why)
      : kind(dynamic_cast<const std::invalid_argument*>(&why) ? Kind::unsupported : Kind::error) {
    message_of(why).copy(reason.data(), reason.size() - 1);
  }
  bool operator==(const Stumble&) const = default;
};

// Begin and end of a rank's runs, by a clock that all processes of a host share.
struct Span {
  double begin, end;
};

double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

class RankWorker {
 public:
  RankWorker(RankProcess& process, const std::vector<Row>& rows)
      : process_(process), ranks_(process.ranks()), rows_(rows), own_(rows) {}

  int serve() {
    while (const std::optional<Json> command = process_.next_command()) answer(*command);
    workloads_.clear();
    return exit_ok;
  }

 private:
  struct Prepared {
    Backend* on;
    std::unique_ptr<Workload> workload;
  };

  void answer(const Json& command) {
    Json value;
    Stumble mine;
    try {
      value = done(command);
    } catch (const std::exception& why) {
      mine = Stumble(why);
      process_.send({{"event", "stumbled"}, {"reason", mine.reason.data()}});
    }
    std::vector<Stumble> all(std::size_t(ranks_.count()));
    ranks_.gather("agreement", &mine, sizeof mine, all.data());
    if (process_.is_first()) process_.send(agreed(all, std::move(value)));
  }

  Json agreed(const std::vector<Stumble>& all, Json value) const {
    const auto first =
        std::find_if(all.begin(), all.end(), [](const Stumble& s) { return s.kind != Stumble::Kind::none; });
    if (first == all.end()) return {{"event", "answer"}, {"value", std::move(value)}};
    const bool is_of_all = std::count(all.begin(), all.end(), *first) == std::ptrdiff_t(all.size());
    const std::string reason = first->reason.data();
    return {{"event", "answer"},
            {"kind", first->kind == Stumble::Kind::unsupported ? "unsupported" : "error"},
            {"reason",
             is_of_all ? reason : fmt::format("rank {} of {}: {}", first - all.begin(), all.size(), reason)}};
  }

  Json done(const Json& command) {
    const std::string what = command.at("do");
    const int id = command.at("id");
    if (what == "prepare") return prepare(id, cases_from_request(command, rows_, own_).front());
    if (what == "drop") return workloads_.erase(id);
    Prepared& prepared = workloads_.at(id);
    if (what == "verify") return verify(*prepared.workload);
    if (what == "load") prepared.workload->load();
    if (what == "reset") prepared.workload->reset();
    if (what == "run") return run(prepared, command.at("runs"));
    if (what == "facts") return facts(prepared);
    return nullptr;
  }

  Json prepare(int id, const Case& c) {
    Backend& on = backend(device_of_process(device_of(c)));
    const Row row = c.row->on_ranks(ranks_of(c.config));
    Prepared prepared{&on, row.prepare(on, c.domain, without_ranks(c.config), c.workload)};
    const Workload& ready = *prepared.workload;
    const Json value = {{"threads", ready.resources().threads},
                        {"field_bytes", ready.field_bytes()},
                        {"needs_reset", ready.needs_reset()},
                        {"steps", ready.steps()}};
    workloads_[id] = std::move(prepared);
    return value;
  }

  // A rank whose own result is wrong names itself, unless the first rank's is wrong too.
  Json verify(Workload& workload) {
    const Verification found = workload.verify();
    const char passed = found.passed;
    std::vector<char> of_all(std::size_t(ranks_.count()));
    ranks_.gather("verification", &passed, sizeof passed, of_all.data());
    if (of_all.front() && !found.passed) throw std::runtime_error(found.reason);
    return {{"passed", found.passed},
            {"check", found.check},
            {"max_error", found.max_error},
            {"reason", found.reason}};
  }

  // On one host the time is that from the first begin to the last end; over hosts, whose clocks differ, that
  // of the slowest rank.
  Json run(Prepared& prepared, int runs) {
    ranks_.gather("barrier", nullptr, 0, nullptr);
    Span mine{now(), 0};
    for (int n = 0; n < runs; ++n) prepared.workload->run();
    prepared.on->fence();
    mine.end = now();
    std::vector<Span> all(std::size_t(ranks_.count()));
    ranks_.gather("times", &mine, sizeof mine, all.data());
    double seconds = 0, begin = all.front().begin, end = all.front().end;
    for (const Span& span : all) {
      seconds = std::max(seconds, span.end - span.begin);
      begin = std::min(begin, span.begin), end = std::max(end, span.end);
    }
    return {{"seconds", process_.hosts() == 1 ? end - begin : seconds},
            {"iterations", prepared.workload->iterations()}};
  }

  // The PCI addresses of the ranks' devices.
  Json devices(const Backend& own) {
    struct Device {
      int index = 0;
      std::array<char, 28> bus = {};
    };
    Device mine{own.index()};
    own.pci_bus_id().copy(mine.bus.data(), mine.bus.size() - 1);
    std::vector<Device> all(std::size_t(ranks_.count()));
    ranks_.gather("devices", &mine, sizeof mine, all.data());
    Json json;
    for (const Device& of : all) json.push_back({{"index", of.index}, {"pci_bus_id", of.bus.data()}});
    return json;
  }

  Json facts(Prepared& prepared) {
    Workload& workload = *prepared.workload;
    Json of_ranks = workload.rank_facts();
    if (prepared.on->kind() == BackendKind::cuda) of_ranks["devices"] = devices(*prepared.on);
    of_ranks["hosts"] = process_.hosts();
    of_ranks["library"] = process_.library();
    return {{"cost", cost_json(workload.cost())},
            {"solver", workload.solver_facts()},
            {"ranks", of_ranks},
            {"threads", workload.resources().threads}};
  }

  RankProcess& process_;
  Ranks& ranks_;
  const std::vector<Row>& rows_;
  const WorkerRows own_;  // of `rows_`
  std::map<int, Prepared> workloads_;
};

}  // namespace

int serve_as_rank(RankProcess& process, const std::vector<Row>& rows) {
  return RankWorker(process, rows).serve();
}

}  // namespace cfdmark

#include "bench/case/ranked_case.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <thread>
#include <utility>

#include "bench/case/rank_copies.hpp"

namespace cfdmark {
namespace {

constexpr const char* count_name = "ranks";
constexpr const char* partition_name = "partition";
constexpr const char* join_name = "join";
constexpr const char* method_of_one_process = "memory";  // of an exchange alone

std::function<std::unique_ptr<Workload>(const Case&)>& prepare_in_processes() {
  static std::function<std::unique_ptr<Workload>(const Case&)> prepare;
  return prepare;
}

std::vector<Setting> make_settings() {
  Setting ranks{count_name, {}, 1, "parts of the domain, each with a thread or process of its own"};
  ranks.most_here = most_ranks(true);
  Setting partition =
      choice_setting(partition_name, {"slabs", "pencils", "blocks", partition_copies, "bisection", "metis"},
                     RankSetup().partition,
                     "how the domain is cut between the ranks; also a shape such as 2x2 or 1x2x4. copies: "
                     "each solver has the whole domain. Meshes: bisection (their default) or metis");
  Setting join = choice_setting(join_name, {"threads", "mpi"}, "threads",
                                "ranks as threads of one process, or as processes joined by MPI");
  return {std::move(ranks), std::move(partition), std::move(join)};
}

}  // namespace

const std::vector<Setting>& rank_settings() {
  static const std::vector<Setting> settings = make_settings();
  return settings;
}

std::string usual_partition(DomainKind kind) {
  return kind == DomainKind::mesh ? "bisection" : RankSetup().partition;
}

RankSetup ranks_of(const Config& config) {
  RankSetup setup;
  if (config.has(count_name)) setup.count = config.integer(count_name);
  if (config.has(partition_name)) setup.partition = config.choice(partition_name);
  setup.processes = are_processes(config);
  return setup;
}

bool are_processes(const Config& config) { return config.has(join_name) && config.is(join_name, "mpi"); }

Config with_ranks(Config config, const Config& of_ranks) {
  const RankSetup setup = ranks_of(of_ranks);
  if (setup.count == 1) return config;
  config.set(count_name, setup.count);
  config.set(partition_name, setup.partition);
  if (are_processes(of_ranks)) config.set(join_name, "mpi");
  return config;
}

Config without_ranks(const Config& config) {
  Config of_method;
  for (const auto& [name, value] : config.values())
    if (name != count_name && name != partition_name && name != join_name) of_method.set(name, value);
  return of_method;
}

int most_ranks(bool are_processes) {
  const int processors = int(std::max(1U, std::thread::hardware_concurrency()));
  const char* const tasks = are_processes ? std::getenv("SLURM_NTASKS") : nullptr;
  return std::max(processors, tasks ? std::atoi(tasks) : 0);
}

bool runs_on_ranks(const Row& row, const Config& config) {
  if (!row.on_ranks) return false;
  if (!are_processes(config)) return row.backend == BackendKind::serial || row.backend == BackendKind::cuda;
  return row.method != method_of_one_process;
}

Row row_on_ranks(const Row& row, const Config& config) {
  const RankSetup setup = ranks_of(config);
  Row ranked = row.on_ranks(setup);
  if (!are_processes(config)) return ranked;
  for (Setting& setting : ranked.space.settings)
    if (setting.name == "threads" && setting.most_here) {
      setting.most_here = std::max(1, *setting.most_here / setup.count);
      setting.default_value = *setting.most_here;
    }
  const auto times = [](double factor, const auto& bytes) {
    return [=](const Domain& domain, const Config& workload) { return factor * bytes(domain, workload); };
  };
  if (setup.partition == partition_copies)
    ranked.unsupported = [](const Domain&, const Config&) {
      return "partition=copies is for ranks that are threads; remove join=mpi";
    };
  // Each process has the whole problem, and all together the parts.
  ranked.field_bytes = times(1 + setup.count, row.field_bytes);
  ranked.host_bytes = times(setup.count, row.host_bytes);
  return ranked;
}

std::shared_ptr<const Row> row_on_ranks(const Case& c) {
  if (ranks_of(c.config).count == 1) return {std::shared_ptr<const Row>(), c.row};  // not owned
  if (!runs_on_ranks(*c.row, c.config))
    throw std::invalid_argument(fmt::format("{} does not run on ranks{}", row_name(*c.row),
                                            c.row->on_ranks ? " that are threads" : ""));
  return std::make_shared<const Row>(row_on_ranks(*c.row, c.config));
}

std::unique_ptr<Workload> prepare_workload(const Case& c, Backend& on) {
  if (!are_processes(c.config))
    return row_on_ranks(c)->prepare(on, c.domain, without_ranks(c.config), c.workload);
  if (!prepare_in_processes())
    throw std::invalid_argument("only workers of `cfdmark run` start ranks as processes");
  return prepare_in_processes()(c);
}

void set_rank_processes(std::function<std::unique_ptr<Workload>(const Case&)> prepare) {
  prepare_in_processes() = std::move(prepare);
}

}  // namespace cfdmark

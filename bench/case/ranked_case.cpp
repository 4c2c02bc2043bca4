#include "bench/case/ranked_case.hpp"

#include <fmt/format.h>

#include <stdexcept>
#include <thread>

#include "bench/case/rank_copies.hpp"

namespace cfdmark {
namespace {

constexpr const char* count_name = "ranks";
constexpr const char* partition_name = "partition";

std::vector<Setting> make_settings() {
  Setting ranks{count_name, {}, 1, "parts of the domain, each with a thread of its own"};
  ranks.most_here = int(std::max(1U, std::thread::hardware_concurrency()));
  Setting partition =
      choice_setting(partition_name, {"slabs", "pencils", "blocks", partition_copies}, RankSetup().partition,
                     "how the domain is cut between the ranks; also a shape such as 2x2 or 1x2x4. copies: "
                     "each solver has the whole domain");
  return {std::move(ranks), std::move(partition)};
}

}  // namespace

const std::vector<Setting>& rank_settings() {
  static const std::vector<Setting> settings = make_settings();
  return settings;
}

RankSetup ranks_of(const Config& config) {
  RankSetup setup;
  if (config.has(count_name)) setup.count = config.integer(count_name);
  if (config.has(partition_name)) setup.partition = config.choice(partition_name);
  return setup;
}

Config with_ranks(Config config, const RankSetup& setup) {
  if (setup.count == 1) return config;
  config.set(count_name, setup.count);
  config.set(partition_name, setup.partition);
  return config;
}

Config without_ranks(const Config& config) {
  Config of_method;
  for (const auto& [name, value] : config.values())
    if (name != count_name && name != partition_name) of_method.set(name, value);
  return of_method;
}

std::shared_ptr<const Row> row_on_ranks(const Case& c) {
  const RankSetup setup = ranks_of(c.config);
  if (setup.count == 1) return {std::shared_ptr<const Row>(), c.row};  // not owned
  if (!c.row->on_ranks)
    throw std::invalid_argument(fmt::format("{} does not run on ranks", row_name(*c.row)));
  return std::make_shared<const Row>(c.row->on_ranks(setup));
}

std::unique_ptr<Workload> prepare_workload(const Case& c, Backend& on) {
  return row_on_ranks(c)->prepare(on, c.domain, without_ranks(c.config), c.workload);
}

}  // namespace cfdmark

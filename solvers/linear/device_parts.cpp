#include "solvers/linear/device_parts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <stdexcept>

#include "kernels/cells/cuda/brick_parts.hpp"
#include "kernels/ranks/device_links.hpp"
#include "kernels/ranks/process_rank.hpp"
#include "solvers/base/recording.hpp"
#include "solvers/linear/system/device_communicator.hpp"
#include "solvers/linear/system/rank_levels.hpp"

namespace cfdmark {
namespace {

constexpr const char* exchange_name = "exchange";

}  // namespace

RankBackend::RankBackend(const Backend& whole, int rank) {
  if (whole.kind() == BackendKind::cuda && !process_rank()) {
    backend_ = &backend({BackendKind::cuda, whole.index() + rank});
    return;
  }
  if (whole.kind() == BackendKind::kokkos || whole.kind() == BackendKind::cuda) {
    backend_ = &backend(whole.id());
    return;
  }
  own_ = new_queue(whole.id());
  backend_ = own_.get();
}

void require_rank_devices(const Backend& whole, int ranks) {
  if (whole.kind() != BackendKind::serial && whole.kind() != BackendKind::cuda)
    throw std::invalid_argument(
        "ranks of one process are on the serial or the cuda backend; use --backend serial or cuda");
  if (whole.kind() != BackendKind::cuda) return;
  const int devices = device_count(BackendKind::cuda) - whole.index();
  if (devices < ranks)
    throw std::invalid_argument(
        fmt::format("{} ranks need {} CUDA devices from {} on, but this machine has {}", ranks, ranks,
                    to_string(whole.id()), devices));
}

void run_copies(Backend& of_rank, const std::vector<GhostCopy>& copies) {
  if (of_rank.host_accessible()) {
    for (const GhostCopy& copy : copies) copy.run();
    return;
  }
  std::vector<PeerWork> work;
  for (const GhostCopy& copy : copies) work.emplace_back(put_of(copy));
  peers_of(of_rank).prepare_peers(std::move(work), 0).run();
  of_rank.fence();
}

Setting exchange_setting(const RankSetup& setup) {
  if (setup.processes)
    return choice_setting(exchange_name, {"host", "nccl"}, "host",
                          "way of values between devices of processes: by way of the hosts' memory, or by "
                          "NCCL");
  return choice_setting(exchange_name, {"copy", "store", "host", "nccl"}, "store",
                        "way of values between devices: by copy engines, stored by a kernel that signals, by "
                        "way of the host's memory, or by NCCL");
}

PeerWay peer_way_of(const Config& config) {
  return config.has(exchange_name) ? peer_way_from(config.choice(exchange_name)) : PeerWay::store;
}

std::unique_ptr<const Communicator> communicator_of(Ranks& ranks, const Partition& partition,
                                                    Backend& of_rank, const MakeCommunicator& make,
                                                    const Config& config) {
  if (make) return make(ranks, partition);
  if (of_rank.kind() != BackendKind::cuda) return rank_communicator(ranks, partition);
  return std::make_unique<const DeviceCommunicator>(ranks, partition, of_rank, peer_way_of(config));
}

SolverMethod on_ranks_of(BackendKind kind, SolverMethod method, const RankSetup& setup) {
  if (kind != BackendKind::cuda) return method;
  for (Setting& setting : method.rank_settings)
    if (setting.name == gather_cells.name) setting = gather_cells_on_devices();
  method.rank_settings.push_back(exchange_setting(setup));
  if (method.rank_alignment)
    method.rank_alignment = [of_method = method.rank_alignment](const Grid& domain, int ranks,
                                                                const Config& config) {
      return std::max(of_method(domain, ranks, config), rank_alignment_of(BackendKind::cuda, domain));
    };
  without_graphs(method.space);
  return method;
}

void without_graphs(TuningSpace& space) {
  std::erase_if(space.settings, [](const Setting& s) {
    return s.name == graph_iterations_setting.name || s.name == cycle_launch_mode;
  });
}

int rank_alignment_of(BackendKind kind, const Grid& domain) {
  if (kind != BackendKind::cuda) return 1;
  return domain.is_3d() ? rows_of_a_brick / std::gcd(rows_of_a_brick, domain.ny) : rows_of_a_brick;
}

}  // namespace cfdmark

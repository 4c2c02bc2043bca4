#include "kernels/ranks/device_links.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>

#include "kernels/ranks/group_messages.hpp"
#include "kernels/ranks/overlap.hpp"

namespace cfdmark {
namespace {

// Two kinds of signals, in the order of a round.
constexpr int may_write = 0, has_written = 1, kinds = 2;

// Counts of a rank, each `kinds` times the number of ranks: flags that others raise, its own signals to them,
// and its own awaits of them.
constexpr int flags_part = 0, signals_part = 1, awaits_part = 2, parts = 3;

Put put_of(const GhostCopy& copy, PeerWay way, int to_rank) {
  Put put = put_of(copy);
  put.way = way, put.to_rank = to_rank;
  return put;
}

void add_message(ExchangeTraffic& traffic, double bytes) {
  traffic.bytes += bytes;
  traffic.messages += 1;
  traffic.largest = std::max(traffic.largest, bytes);
}

ExchangeTraffic traffic_of(const std::vector<DeviceRound>& rounds) {
  ExchangeTraffic traffic;
  for (const DeviceRound& round : rounds)
    for (const DeviceRound::Sent& sent : round.sent) add_message(traffic, sent.copy.bytes());
  return traffic;
}

void add_once(std::vector<int>& ranks, int rank) {
  if (std::count(ranks.begin(), ranks.end(), rank) == 0) ranks.push_back(rank);
}

}  // namespace

Put put_of(const GhostCopy& copy) {
  return {.from = copy.from,
          .to = copy.to,
          .row_bytes = copy.row_bytes,
          .ny = copy.ny,
          .nz = copy.nz,
          .from_pitch = copy.from_pitch,
          .from_plane = copy.from_plane,
          .to_pitch = copy.to_pitch,
          .to_plane = copy.to_plane};
}

DeviceLinks::DeviceLinks(Ranks& ranks, Backend& backend, PeerWay way)
    : ranks_(&ranks), backend_(&backend), way_(way), counts_of_(static_cast<std::size_t>(ranks.count())) {
  if (way == PeerWay::host) return;
  if (way == PeerWay::nccl) {
    if (ranks.count() > 1) group_ = joined_group(ranks, backend);
    return;
  }
  require_peers();
  const std::size_t bytes = sizeof(PeerCount) * std::size_t(parts * kinds * ranks.count());
  counts_ = Buffer(backend, bytes);
  backend.set_zero(counts_.data(), bytes);
  backend.fence();
  PeerCount* const mine = static_cast<PeerCount*>(counts_.data());
  ranks.gather("flags of devices", &mine, sizeof mine, counts_of_.data());
}

void DeviceLinks::require_peers() const {
  std::vector<Backend*> backends(counts_of_.size());
  ranks_->gather("devices", &backend_, sizeof backend_, backends.data());
  std::string refusal;
  for (int r = 0; r < ranks_->count() && refusal.empty(); ++r) {
    if (r == ranks_->rank()) continue;
    Backend& other = *backends[std::size_t(r)];
    refusal = &other == backend_ || other.id() == backend_->id()
                  ? fmt::format("rank {} has {} too: each rank needs a device of its own", r,
                                to_string(backend_->id()))
                  : peers_of(*backend_).peer_refusal(other, way_);
  }
  ranks_->agree(refusal);
}

Signal DeviceLinks::signal(int to, int kind) const {
  const int all = kinds * ranks_->count();
  PeerCount* const mine = counts_of_[std::size_t(ranks_->rank())];
  return {.flag = counts_of_[std::size_t(to)] + flags_part * all + kind * ranks_->count() + ranks_->rank(),
          .count = mine + signals_part * all + kind * ranks_->count() + to,
          .to = to};
}

Await DeviceLinks::await(int from, int kind, const char* what) const {
  const int all = kinds * ranks_->count();
  PeerCount* const mine = counts_of_[std::size_t(ranks_->rank())];
  return {.flag = mine + flags_part * all + kind * ranks_->count() + from,
          .count = mine + awaits_part * all + kind * ranks_->count() + from,
          .from = from,
          .what = what};
}

void DeviceLinks::add_round(std::vector<PeerWork>& work, const DeviceRound& round) const {
  std::vector<int> readers, writers;
  for (const DeviceRound::Sent& sent : round.sent) add_once(readers, sent.to_rank);
  for (const GhostCopy& copy : round.received) add_once(writers, copy.from_rank);
  for (const GhostCopy& copy : round.own) work.push_back(put_of(copy, way_, -1));
  for (const int r : writers) work.push_back(signal(r, may_write));
  for (const int r : readers) work.push_back(await(r, may_write, "it has not reached the exchange"));
  for (const DeviceRound::Sent& sent : round.sent) work.push_back(put_of(sent.copy, way_, sent.to_rank));
  for (const int r : readers) work.push_back(signal(r, has_written));
  for (const int r : writers) work.push_back(await(r, has_written, "its values are missing"));
}

std::vector<PeerWork> DeviceLinks::work_of(const std::vector<DeviceRound>& rounds) const {
  std::vector<PeerWork> work;
  for (const DeviceRound& round : rounds) add_round(work, round);
  return work;
}

std::vector<AnyView> DeviceLinks::fields_of_all(const AnyView& field) const {
  std::vector<AnyView> fields(counts_of_.size());
  ranks_->gather("preparing an exchange", &field, sizeof field, fields.data());
  return fields;
}

std::vector<DeviceRound> DeviceLinks::ghost_rounds_of(const Partition& partition,
                                                      const AnyView& field) const {
  const std::vector<AnyView> fields = fields_of_all(field);
  std::vector<GhostRounds> of_ranks;
  for (int r = 0; r < ranks_->count(); ++r) of_ranks.push_back(ghost_rounds(partition, r, fields));
  return rounds_of(of_ranks);
}

DeviceLinks::Exchange DeviceLinks::exchange(const Partition& partition, const AnyView& field) const {
  return prepared(ghost_rounds_of(partition, field));
}

DeviceLinks::Round DeviceLinks::round(const Partition& partition, const AnyView& field, int stream) const {
  if (way_ == PeerWay::host)
    throw std::invalid_argument("exchange=host: hosts wait in each round; use copy, store or nccl");
  const std::vector<DeviceRound> rounds = ghost_rounds_of(partition, field);
  Round made;
  made.traffic = traffic_of(rounds);
  if (way_ == PeerWay::nccl)
    made.plan = messages_by_group(group_, *backend_, rounds, stream);
  else if (const std::vector<PeerWork> work = work_of(rounds); !work.empty())
    made.plan = {.run = peers_of(*backend_).peer_work(work, ranks_->rank(), stream), .memory = {counts_}};
  return made;
}

DeviceLinks::Exchange DeviceLinks::exchange_overlap(const Partition& partition, int layers,
                                                    const AnyView& field) const {
  const std::vector<AnyView> fields = fields_of_all(field);
  std::vector<GhostRounds> of_ranks;
  for (int r = 0; r < ranks_->count(); ++r) of_ranks.push_back(overlap_rounds(partition, r, layers, fields));
  return prepared(rounds_of(of_ranks));
}

std::vector<DeviceRound> DeviceLinks::rounds_of(const std::vector<GhostRounds>& of_ranks) const {
  const GhostRounds& mine = of_ranks[std::size_t(ranks_->rank())];
  std::vector<DeviceRound> rounds;
  for (std::size_t n = 0; n < mine.size(); ++n) {
    DeviceRound& round = rounds.emplace_back();
    round.own = mine[n].own, round.received = mine[n].from_others;
    for (int r = 0; r < ranks_->count(); ++r)
      for (const GhostCopy& copy : of_ranks[std::size_t(r)][n].from_others)
        if (copy.from_rank == ranks_->rank()) round.sent.push_back({copy, r});
  }
  return rounds;
}

DeviceLinks::Exchange DeviceLinks::send_boxes(const AnyView& field,
                                              const std::vector<BoxMessage>& messages) const {
  const std::vector<AnyView> fields = fields_of_all(field);
  DeviceRound round;
  for (const auto& [from, to, box] : messages) {
    const std::array<int, 3> first = {box.i, box.j, box.k};
    GhostCopy copy =
        box_copy(fields[std::size_t(from)], first, fields[std::size_t(to)], first, {box.nx, box.ny, box.nz});
    copy.from_rank = from;
    if (to == ranks_->rank()) round.received.push_back(copy);
    if (from == ranks_->rank()) round.sent.push_back({copy, to});
  }
  return prepared({round});
}

DeviceLinks::Exchange DeviceLinks::prepared(const std::vector<DeviceRound>& rounds) const {
  Exchange made;
  made.traffic = traffic_of(rounds);
  if (way_ == PeerWay::host) {
    made.step = messages_by_host(*ranks_, *backend_, rounds);
    return made;
  }
  if (way_ == PeerWay::nccl) {
    made.step = static_cast<CudaBackend&>(*backend_).prepare(messages_by_group(group_, *backend_, rounds));
  } else {
    std::vector<PeerWork> work = work_of(rounds);
    if (work.empty()) {
      made.step.run = [] {};
      return made;
    }
    made.step = peers_of(*backend_).prepare_peers(std::move(work), ranks_->rank());
  }
  made.step.run = [run = std::move(made.step.run), ranks = ranks_, traffic = made.traffic, keep = counts_] {
    run();
    ranks->note_exchange(traffic);
  };
  return made;
}

}  // namespace cfdmark

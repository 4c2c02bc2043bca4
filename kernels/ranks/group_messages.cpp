#include "kernels/ranks/group_messages.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstring>
#include <stdexcept>
#include <utility>

#include "kernels/device/cuda/plan/stream_call.hpp"
#include "kernels/ranks/packing.hpp"

namespace cfdmark {
namespace {

// Returns true if the rows of a box follow each other without a gap.
bool is_contiguous(const GhostCopy& copy, Index pitch, Index plane) {
  const Index row = Index(copy.row_bytes);
  return (copy.ny == 1 || pitch == row) && (copy.nz == 1 || plane == row * copy.ny);
}

// Memory of a device for copies that are not contiguous there, with the puts that pack or unpack them.
class Staging {
 public:
  explicit Staging(Backend& on) : on_(&on) {}

  // Returns memory for a copy. `put_of_it` returns the put that packs the copy into that memory, or unpacks
  // it.
  template <class PutOfIt>
  char* add(const GhostCopy& copy, const PutOfIt& put_of_it) {
    const Buffer& memory = memory_.emplace_back(*on_, packed_bytes(copy));
    Put put = put_of_it(static_cast<char*>(memory.data()));
    put.way = PeerWay::store;  // one launch for several
    puts_.emplace_back(put);
    return static_cast<char*>(memory.data());
  }
  // Adds a copy within this device.
  void add(const GhostCopy& copy) {
    Put put = put_of(copy);
    put.way = PeerWay::store;
    puts_.emplace_back(put);
  }
  void add_to(Plan& plan, int stream) const {
    if (puts_.empty()) return;
    for (Work& work : peers_of(*on_).peer_work(puts_, 0, stream)) plan.run.push_back(std::move(work));
    plan.memory.insert(plan.memory.end(), memory_.begin(), memory_.end());
  }

 private:
  Backend* on_;
  std::vector<Buffer> memory_;
  std::vector<PeerWork> puts_;
};

// Adds the messages of a group to a plan.
void add_messages(Plan& plan, const std::shared_ptr<const PeerGroup>& group, std::vector<GroupMessage> list,
                  int stream) {
  if (list.empty()) return;
  plan.run.emplace_back(HostCall{StreamCall{
      [group, call = group->messages(std::move(list))](const CudaQueue& queue) { call(queue); }, stream}});
}

Step submitted(const std::shared_ptr<const PeerGroup>& group, Backend& on, std::vector<GroupMessage> list) {
  Plan plan;
  add_messages(plan, group, std::move(list), 0);
  return static_cast<CudaBackend&>(on).prepare(std::move(plan));
}

void add_round(Plan& plan, const std::shared_ptr<const PeerGroup>& group, Backend& on,
               const DeviceRound& round, int stream) {
  Staging packed(on), unpacked(on);
  std::vector<GroupMessage> list;
  for (const GhostCopy& copy : round.own) packed.add(copy);
  for (const auto& [copy, to_rank] : round.sent) {
    const char* from = copy.from;
    if (!is_contiguous(copy, copy.from_pitch, copy.from_plane))
      from = packed.add(copy, [&c = copy](char* to) { return packing(c, to); });
    list.push_back({.other = to_rank, .send = from, .bytes = packed_bytes(copy)});
  }
  for (const GhostCopy& copy : round.received) {
    char* to = copy.to;
    if (!is_contiguous(copy, copy.to_pitch, copy.to_plane))
      to = unpacked.add(copy, [&](const char* from) { return unpacking(from, copy); });
    list.push_back({.other = copy.from_rank, .receive = to, .bytes = packed_bytes(copy)});
  }
  packed.add_to(plan, stream);
  add_messages(plan, group, std::move(list), stream);
  unpacked.add_to(plan, stream);
}

// Throws on all ranks if two have one device.
void require_own_devices(Ranks& ranks, const Backend& mine) {
  struct Place {
    char host[64] = {}, bus[32] = {};
    int index = 0;
    bool same_as(const Place& other) const {
      return std::strcmp(host, other.host) == 0 && std::strcmp(bus, other.bus) == 0 &&
             (bus[0] != 0 || index == other.index);
    }
  };
  Place here;
  here.index = mine.index();
  gethostname(here.host, sizeof here.host - 1);
  mine.pci_bus_id().copy(here.bus, sizeof here.bus - 1);
  std::vector<Place> all(std::size_t(ranks.count()));
  ranks.gather("devices", &here, sizeof here, all.data());
  for (std::size_t second = 1; second < all.size(); ++second)
    for (std::size_t first = 0; first < second; ++first)
      if (all[first].same_as(all[second]))
        throw std::invalid_argument(fmt::format(
            "ranks {} and {} have one device: NCCL needs a device of its own for each rank", first, second));
}

// Returns what a message to the next rank loses; empty if nothing.
std::string loss_of(const std::shared_ptr<const PeerGroup>& group, Ranks& ranks, Backend& on) {
  constexpr std::size_t words = 1 << 16, bytes = words * sizeof(unsigned);
  const int count = ranks.count(), next = (ranks.rank() + 1) % count,
            last = (ranks.rank() + count - 1) % count;
  const auto pattern = [](int rank) {
    std::vector<unsigned> of_rank(words);
    for (std::size_t n = 0; n < words; ++n) of_rank[n] = (unsigned(n) + 1) * 2654435761u + unsigned(rank);
    return of_rank;
  };
  const Buffer out(on, bytes), in(on, bytes);
  std::vector<unsigned> found(words);
  on.upload(out.data(), pattern(ranks.rank()).data(), bytes);
  submitted(group, on,
            {{.other = next, .send = out.data(), .bytes = bytes},
             {.other = last, .receive = in.data(), .bytes = bytes}})
      .run();
  on.fence();
  on.download(found.data(), in.data(), bytes);
  return found == pattern(last)
             ? ""
             : fmt::format("rank {} does not get what rank {} sends by NCCL", ranks.rank(), last);
}

}  // namespace

std::shared_ptr<const PeerGroup> joined_group(Ranks& ranks, Backend& on) {
  PeerBackend& peers = peers_of(on);
  require_own_devices(ranks, on);
  GroupId id{};
  std::string failure = peers.group_refusal();
  if (failure.empty() && ranks.rank() == 0) try {
      id = peers.new_group();
    } catch (const std::runtime_error& e) {
      failure = e.what();
    }
  ranks.agree(failure);
  std::vector<GroupId> ids(std::size_t(ranks.count()));
  ranks.gather("group of devices", id.data(), id.size(), ids.data());
  const std::shared_ptr<const PeerGroup> group = peers.join_group(ids.front(), ranks.count(), ranks.rank());
  ranks.agree(loss_of(group, ranks, on));
  return group;
}

Plan messages_by_group(const std::shared_ptr<const PeerGroup>& group, Backend& on,
                       const std::vector<DeviceRound>& rounds, int stream) {
  Plan all;
  for (const DeviceRound& round : rounds) add_round(all, group, on, round, stream);
  return all;
}

Step numbers_by_group(const std::shared_ptr<const PeerGroup>& group, Backend& on,
                      const std::vector<SharedNumbers>& lists, int rank, int count) {
  std::vector<GroupMessage> messages;
  for (const SharedNumbers& list : lists)
    for (int r = 0; r < count; ++r) {
      if (r == rank) continue;
      const auto bytes = [&](int owner) { return std::size_t(list.count_of(owner)) * sizeof(double); };
      messages.push_back({.other = r, .send = list.of(rank), .bytes = bytes(rank)});
      messages.push_back({.other = r, .receive = list.of(r), .bytes = bytes(r)});
    }
  return submitted(group, on, std::move(messages));
}

}  // namespace cfdmark

#include "tests/cuda_emulation/emulated_group.hpp"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <deque>
#include <map>
#include <mutex>
#include <stdexcept>
#include <tuple>
#include <utility>

namespace cfdmark::emulation {
namespace {

// Messages on their way, by group, sender and receiver.
struct Post {
  std::mutex mutex;
  std::condition_variable changed;
  std::map<std::tuple<GroupId, int, int>, std::deque<std::vector<char>>> sent;
  int groups = 0;
};
Post& post() {
  static Post instance;
  return instance;
}

class Group final : public PeerGroup {
 public:
  Group(const GroupId& id, int rank) : id_(id), rank_(rank) {}

  std::function<void(const CudaQueue&)> messages(std::vector<GroupMessage> list) const override {
    if (group_fault) list = group_fault(std::move(list), rank_);
    return [*this, list = std::move(list)](const CudaQueue&) { run(list); };
  }

 private:
  void run(const std::vector<GroupMessage>& list) const {
    std::unique_lock lock(post().mutex);
    for (const GroupMessage& m : list) {
      if (!m.send) {
        std::memset(m.receive, 0xff, m.bytes);
        continue;
      }
      const char* const from = static_cast<const char*>(m.send);
      post().sent[{id_, rank_, m.other}].emplace_back(from, from + m.bytes);
    }
    post().changed.notify_all();
    for (const GroupMessage& m : list)
      if (m.receive) receive(m, lock);
  }
  void receive(const GroupMessage& m, std::unique_lock<std::mutex>& lock) const {
    auto& queue = post().sent[{id_, m.other, rank_}];
    const auto limit = std::chrono::duration<double>(most_seconds_of_a_receive);
    if (!post().changed.wait_for(lock, limit, [&] { return !queue.empty(); }))
      throw std::logic_error(fmt::format("rank {} has no message from rank {}", rank_, m.other));
    if (queue.front().size() != m.bytes)
      throw std::logic_error(fmt::format("rank {} sends {} bytes where rank {} takes {}", m.other,
                                         queue.front().size(), rank_, m.bytes));
    std::memcpy(m.receive, queue.front().data(), m.bytes);
    queue.pop_front();
  }

  GroupId id_;
  int rank_;
};

}  // namespace

GroupId new_group() {
  const std::lock_guard lock(post().mutex);
  GroupId id{};
  const int number = ++post().groups;
  std::memcpy(id.data(), &number, sizeof number);
  return id;
}

std::shared_ptr<const PeerGroup> join_group(const GroupId& id, int, int rank) {
  return std::make_shared<const Group>(id, rank);
}

}  // namespace cfdmark::emulation

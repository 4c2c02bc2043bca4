#include "kernels/ranks/host_messages.hpp"

#include <algorithm>
#include <cstring>
#include <utility>

#include "kernels/ranks/packing.hpp"

namespace cfdmark {
namespace {

// The messages to other ranks, or from them, in memory of the host: one for each rank, with its copies.
struct Mailbox {
  std::vector<RankMessage> messages;
  std::vector<std::vector<GhostCopy>> copies;  // of each message
  std::shared_ptr<char> memory;

  void add(int rank, const GhostCopy& copy) {
    std::size_t n = 0;
    while (n < messages.size() && messages[n].rank != rank) ++n;
    if (n == messages.size()) messages.push_back({rank, 0}), copies.emplace_back();
    messages[n].bytes += packed_bytes(copy);
    copies[n].push_back(copy);
  }
  void allocate(Backend& backend) {
    std::size_t bytes = 0;
    for (const RankMessage& m : messages) bytes += m.bytes;
    if (bytes > 0) memory = std::static_pointer_cast<char>(peers_of(backend).host_memory(bytes));
  }
  // Calls f(copy, its place in the host's memory) for each copy.
  template <class F>
  void for_each_copy(const F& f) const {
    char* at = memory.get();
    for (const auto& of_message : copies)
      for (const GhostCopy& copy : of_message) f(copy, at), at += packed_bytes(copy);
  }
  // Calls f(number of the message, its first byte) for each message.
  template <class F>
  void for_each_message(const F& f) const {
    char* at = memory.get();
    for (std::size_t n = 0; n < messages.size(); ++n) f(int(n), at), at += messages[n].bytes;
  }
};

class HostRound {
 public:
  HostRound(Ranks& ranks, Backend& backend, const DeviceRound& round) : backend_(&backend) {
    for (const DeviceRound::Sent& sent : round.sent) sent_.add(sent.to_rank, sent.copy);
    for (const GhostCopy& copy : round.received) received_.add(copy.from_rank, copy);
    sent_.allocate(backend), received_.allocate(backend);
    std::vector<PeerWork> down, up;
    for (const GhostCopy& copy : round.own) down.emplace_back(put_of(copy));
    sent_.for_each_copy([&](const GhostCopy& copy, char* at) { down.emplace_back(packing(copy, at)); });
    received_.for_each_copy([&](const GhostCopy& copy, char* at) { up.emplace_back(unpacking(at, copy)); });
    down_ = peers_of(backend).prepare_peers(std::move(down), ranks.rank());
    up_ = peers_of(backend).prepare_peers(std::move(up), ranks.rank());
    buffers_ = ranks.buffers(sent_.messages, received_.messages);
  }

  void run() const {
    down_.run();
    backend_->fence();  // the copies of the last run to the device have ended too
    sent_.for_each_message([&](int n, const char* at) {
      std::memcpy(buffers_->outgoing(n), at, sent_.messages[std::size_t(n)].bytes);
    });
    buffers_->start();
    received_.for_each_message([&](int n, char* at) {
      std::memcpy(at, buffers_->incoming(n), received_.messages[std::size_t(n)].bytes);
    });
    buffers_->finish();
    up_.run();
  }

 private:
  Backend* backend_;
  Mailbox sent_, received_;
  Step down_, up_;
  std::unique_ptr<BufferExchange> buffers_;
};

Step step_of(std::function<void()> run) {
  Step step;
  step.run = std::move(run);
  return step;
}

}  // namespace

Step messages_by_host(Ranks& ranks, Backend& backend, const std::vector<DeviceRound>& rounds) {
  std::vector<std::shared_ptr<const HostRound>> made;
  for (const DeviceRound& round : rounds)
    made.push_back(std::make_shared<const HostRound>(ranks, backend, round));
  return step_of([made = std::move(made)] {
    for (const auto& round : made) round->run();
  });
}

Step numbers_by_host(Ranks& ranks, Backend& backend, const std::vector<SharedNumbers>& lists) {
  const auto part = [](const double* from, double* to, int count) {
    return Put{.from = reinterpret_cast<const char*>(from),
               .to = reinterpret_cast<char*>(to),
               .row_bytes = std::size_t(count) * sizeof(double)};
  };
  // All ranks gather as many numbers: those of the rank with most, of each list.
  std::vector<std::size_t> places = {0};
  std::size_t numbers = 0;
  for (const SharedNumbers& list : lists) {
    int most = 0;
    for (int r = 0; r < ranks.count(); ++r) most = std::max(most, list.count_of(r));
    places.push_back(places.back() + std::size_t(most));
    numbers += std::size_t(list.offsets.back());
  }
  const auto mine =
      std::static_pointer_cast<double>(peers_of(backend).host_memory(places.back() * sizeof(double)));
  const auto all = std::static_pointer_cast<double>(peers_of(backend).host_memory(numbers * sizeof(double)));
  std::vector<PeerWork> down, up;
  const double* of_list = all.get();
  for (std::size_t n = 0; n < lists.size(); ++n) {
    const SharedNumbers& list = lists[n];
    down.emplace_back(part(list.of(ranks.rank()), mine.get() + places[n], list.count_of(ranks.rank())));
    up.emplace_back(part(of_list, list.all, list.offsets.back()));
    of_list += list.offsets.back();
  }
  Step copy_down = peers_of(backend).prepare_peers(std::move(down), ranks.rank());
  Step copy_up = peers_of(backend).prepare_peers(std::move(up), ranks.rank());
  return step_of([&ranks, &backend, lists, places, mine, all, copy_down, copy_up,
                  gathered = std::vector<double>(places.back() * std::size_t(ranks.count()))]() mutable {
    copy_down.run();
    backend.fence();  // the last copy to the device has ended too
    ranks.gather("sum", mine.get(), places.back() * sizeof(double), gathered.data());
    double* to = all.get();
    for (std::size_t n = 0; n < lists.size(); ++n)
      for (int r = 0; r < ranks.count(); ++r)
        to = std::copy_n(gathered.data() + std::size_t(r) * places.back() + places[n], lists[n].count_of(r),
                         to);
    copy_up.run();
  });
}

}  // namespace cfdmark

#include "kernels/device/cuda/primitives/link_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>

#include "kernels/core/statistics.hpp"
#include "kernels/device/cuda/plan/peer_plan.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/device/cuda/primitives/link_probe.cu";
constexpr int threads = 256, most_blocks = 1056;  // 8 for each multiprocessor of an H200
constexpr unsigned long long most_nanoseconds = 1'000'000'000;  // that a kernel waits for a flag
constexpr std::size_t small_bytes = 8;
constexpr int samples = 5, games = 3;

Put put_of(const void* from, void* to, std::size_t bytes) {
  return {.from = static_cast<const char*>(from), .to = static_cast<char*>(to), .row_bytes = bytes};
}

// One direction of a link, ready to run on the device that sends, or that fetches from the host.
struct Lane {
  CudaBackend* on;
  Step copy, store;
  std::function<void()> small;  // a graph of copies of few bytes
};

Lane make_lane(CudaBackend& on, const void* from, void* to, std::size_t bytes, int copies) {
  PeerBackend& peers = peers_of(on);
  Lane lane{&on, peers.prepare_peers({put_of(from, to, bytes)}, 0),
            on.prepare({.run = {copy_words(from, to, bytes)}}), {}};
  const std::vector<PeerWork> list(std::size_t(copies), put_of(from, to, small_bytes));
  const Step step = peers.prepare_peers(list, 0);
  step.run();
  lane.small = on.recorded(step.run);
  return lane;
}

// Work that is given to a device again and again.
struct Side {
  CudaBackend* on;
  const std::function<void()>* run;
};

class Stopwatch {
 public:
  explicit Stopwatch(const LinkEffort& effort) : effort_(effort) {}

  bool is_over() const { return now() - start_ > effort_.seconds; }

  // Returns the median seconds of one call of all sides at once; nothing if the time is over.
  std::optional<double> seconds(const std::vector<Side>& sides) const {
    if (is_over()) return std::nullopt;
    batch(sides, 1);  // warms up
    int calls = 1;
    double last = batch(sides, calls);
    while (last < effort_.batch_seconds && !is_over()) {
      calls += std::max(1, int(calls * std::min(9.0, 1.2 * effort_.batch_seconds / last - 1)));
      last = batch(sides, calls);
    }
    std::vector<double> found = {last};
    while (int(found.size()) < samples && !is_over()) found.push_back(batch(sides, calls));
    return median(found) / calls;
  }

  static double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  }

 private:
  static double batch(const std::vector<Side>& sides, int calls) {
    for (const Side& side : sides) side.on->fence();
    const double start = now();
    for (int n = 0; n < calls; ++n)
      for (const Side& side : sides) (*side.run)();
    for (const Side& side : sides) side.on->fence();
    return now() - start;
  }

  LinkEffort effort_;
  double start_ = now();
};

std::optional<double> rate(double bytes, std::optional<double> seconds) {
  if (!seconds) return std::nullopt;
  return bytes / *seconds;
}

// Two kernels that answer each other's messages.
class FlagGame {
 public:
  FlagGame(CudaBackend& first, CudaBackend& second)
      : ends_{{&first, Buffer(first, sizeof(LinkMailbox)), {}},
              {&second, Buffer(second, sizeof(LinkMailbox)), {}}} {
    for (const int n : {0, 1})
      ends_[n].step =
          ends_[n].on->prepare({.run = {answer_rounds(n == 0, mailbox(n), mailbox(1 - n), rounds_)}});
    for (End& end : ends_) {  // loads all code before one kernel waits for the other
      end.step.run();
      end.on->fence();
    }
  }

  // Returns the seconds of a message, one way. Throws std::runtime_error if one was late or incomplete.
  double seconds(int rounds) {
    for (End& end : ends_) {
      end.on->set_zero(end.mailbox.data(), sizeof(LinkMailbox));
      end.on->fence();
    }
    *rounds_ = rounds;
    const double start = Stopwatch::now();
    play();
    const double taken = Stopwatch::now() - start;
    for (const int n : {0, 1}) check(n);
    return taken / (2.0 * rounds);
  }

 private:
  struct End {
    CudaBackend* on;
    Buffer mailbox;
    Step step;
  };

  LinkMailbox* mailbox(int n) const { return static_cast<LinkMailbox*>(ends_[n].mailbox.data()); }

  // On an emulated device a launch returns when it is done, so each side has a thread.
  void play() {
    std::exception_ptr failure;
    {
      const std::jthread answering([&] {
        try {
          run(ends_[1]);
        } catch (...) {
          failure = std::current_exception();
        }
      });
      run(ends_[0]);
    }
    if (failure) std::rethrow_exception(failure);
  }
  static void run(End& end) {
    end.step.run();
    end.on->fence();
  }

  void check(int n) const {
    LinkMailbox found{};
    ends_[n].on->download(&found, ends_[n].mailbox.data(), sizeof found);
    const int here = ends_[n].on->index(), there = ends_[1 - n].on->index();
    if (found.late > 0)
      throw std::runtime_error(fmt::format("device {} waited {} s for message {} of device {}", here,
                                           most_nanoseconds / 1'000'000'000, found.late, there));
    if (found.wrong > 0)
      throw std::runtime_error(fmt::format("device {} saw {} flags of device {} before their numbers", here,
                                           found.wrong, there));
  }

  std::shared_ptr<int> rounds_ = std::make_shared<int>(0);
  End ends_[2];
};

void measure_lanes(const Lane& there, const Lane& back, double bytes, int copies, const Stopwatch& watch,
                   LinkPair& found) {
  const auto alone = [&](const Lane& lane, const std::function<void()>& run) {
    return watch.seconds({{lane.on, &run}});
  };
  const auto both = [&](const std::function<void()>& one, const std::function<void()>& other) {
    return rate(bytes, watch.seconds({{there.on, &one}, {back.on, &other}}));
  };
  for (const auto& [lane, rates] : {std::pair(&there, &found.there), {&back, &found.back}}) {
    rates->copy = rate(bytes, alone(*lane, lane->copy.run));
    rates->store = rate(bytes, alone(*lane, lane->store.run));
    if (const auto all = alone(*lane, lane->small)) rates->copy_latency = *all / copies;
  }
  found.there.copy_both_ways = found.back.copy_both_ways = both(there.copy.run, back.copy.run);
  found.there.store_both_ways = found.back.store_both_ways = both(there.store.run, back.store.run);
  if (watch.is_over()) found.there.reason = found.back.reason = "the time for this pair was over";
}

std::size_t message_bytes(const LinkEffort& effort, std::size_t free) {
  const std::size_t most = std::min(effort.bytes, free / 8);
  return std::max<std::size_t>(most / sizeof(LinkWord) * sizeof(LinkWord), 1024);
}

// Returns why one device cannot use the memory of the other; empty if bytes arrive in each way.
std::string refusal(CudaBackend& from, CudaBackend& to) {
  for (const PeerWay way : {PeerWay::copy, PeerWay::store})
    if (std::string reason = peers_of(from).peer_refusal(to, way); !reason.empty()) return reason;
  return "";
}

}  // namespace

Launch copy_words(const void* from, void* to, std::size_t bytes) {
  const auto count = static_cast<long long>(bytes / sizeof(LinkWord));
  const auto blocks = std::clamp<long long>((count + threads - 1) / threads, 1, most_blocks);
  return {.function = {source, instance<>("copy_words", {threads})},
          .blocks = {static_cast<int>(blocks)},
          .threads = {threads},
          .arguments = Arguments(static_cast<const LinkWord*>(from), static_cast<LinkWord*>(to), count)};
}

Launch answer_rounds(bool is_first, LinkMailbox* mine, LinkMailbox* other, const std::shared_ptr<int>& rounds) {
  return {.function = {source, instance<>("answer_rounds", {is_first})},
          .blocks = {1},
          .threads = {1},
          .arguments = Arguments(mine, other, rounds, most_nanoseconds)};
}

LinkPair measure_link(CudaBackend& first, CudaBackend& second, const LinkEffort& effort) {
  LinkPair found;
  found.there.reason = refusal(first, second);
  found.back.reason = refusal(second, first);
  if (!found.there.reason.empty() || !found.back.reason.empty()) return found;
  const std::size_t bytes = message_bytes(effort, std::min(first.free_memory(), second.free_memory()));
  const Buffer from[] = {{first, bytes}, {second, bytes}}, to[] = {{first, bytes}, {second, bytes}};
  const Lane there = make_lane(first, from[0].data(), to[1].data(), bytes, effort.copies),
             back = make_lane(second, from[1].data(), to[0].data(), bytes, effort.copies);
  FlagGame game(first, second);
  const Stopwatch watch(effort);
  try {
    std::vector<double> seconds;
    for (int n = 0; n < games; ++n) seconds.push_back(game.seconds(effort.rounds));
    found.there.flag_latency = found.back.flag_latency = median(seconds);
  } catch (const DeviceLost&) {
    throw;
  } catch (const std::runtime_error& e) {
    found.there.reason = found.back.reason = e.what();
    return found;
  }
  measure_lanes(there, back, double(bytes), effort.copies, watch, found);
  return found;
}

LinkPair measure_host_link(CudaBackend& device, const LinkEffort& effort) {
  const std::size_t bytes = message_bytes(effort, device.free_memory()) / 4 / sizeof(LinkWord) * sizeof(LinkWord);
  const std::unique_ptr<Backend> queue = effort.second_queue(device.id());
  CudaBackend& other = dynamic_cast<CudaBackend&>(*queue);
  const Buffer here(device, bytes), here_too(device, bytes);
  const std::shared_ptr<void> host = effort.pinned(bytes), host_too = effort.pinned(bytes);
  const Lane there = make_lane(device, here.data(), host.get(), bytes, effort.copies),
             back = make_lane(other, host_too.get(), here_too.data(), bytes, effort.copies);
  LinkPair found;
  measure_lanes(there, back, double(bytes), effort.copies, Stopwatch(effort), found);
  return found;
}

}  // namespace cfdmark

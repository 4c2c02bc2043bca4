#include "kernels/device/cuda/primitives/link_rates.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstring>
#include <exception>
#include <thread>
#include <tuple>

#include "kernels/core/statistics.hpp"

namespace cfdmark {
namespace {

constexpr const char* source = "kernels/device/cuda/primitives/link_probe.cu";
constexpr int threads = 256, most_blocks = 1056;  // 8 for each multiprocessor of an H200
constexpr std::size_t small_bytes = 8, trial_bytes = std::size_t(4) << 20;
constexpr int samples = 5, games = 3;

}  // namespace

Launch copy_words(const void* from, void* to, std::size_t bytes) {
  const auto count = static_cast<long long>(bytes / sizeof(LinkWord));
  const auto blocks = std::clamp<long long>((count + threads - 1) / threads, 1, most_blocks);
  return {.function = {source, instance<>("copy_words", {threads})},
          .blocks = {static_cast<int>(blocks)},
          .threads = {threads},
          .arguments = Arguments(static_cast<const LinkWord*>(from), static_cast<LinkWord*>(to), count)};
}

Launch answer_rounds(bool is_first, LinkMailbox* mine, LinkMailbox* other, const std::shared_ptr<int>& rounds,
                     double answer_seconds) {
  const auto nanoseconds = static_cast<unsigned long long>(answer_seconds * 1e9);
  return {.function = {source, instance<>("answer_rounds", {is_first})},
          .blocks = {1},
          .threads = {1},
          .arguments = Arguments(mine, other, rounds, nanoseconds)};
}

namespace {

// Memory at one end of a link: of a device, or of the host.
struct End {
  CudaBackend* device = nullptr;  // null: the host
  void* data = nullptr;

  void write(const std::vector<char>& bytes) const {
    if (!device) return static_cast<void>(std::copy(bytes.begin(), bytes.end(), static_cast<char*>(data)));
    device->upload(data, bytes.data(), bytes.size());
    device->fence();
  }
  std::vector<char> read(std::size_t size) const {
    std::vector<char> bytes(size);
    if (!device) return {static_cast<char*>(data), static_cast<char*>(data) + size};
    device->fence();
    device->download(bytes.data(), data, size);
    return bytes;
  }
};

// One direction of a link, ready to run on the device that sends, or that fetches from the host.
struct Lane {
  CudaBackend* on;
  End from, to;
  std::size_t bytes;
  std::function<void()> copy, store;

  Lane(CudaBackend& runs_on, const End& source, const End& target, std::size_t size)
      : on(&runs_on), from(source), to(target), bytes(size), copy(copies(size)), store(stores()) {}

  std::function<void()> copies(std::size_t size) const {
    return [device = on, source = from.data, target = to.data, size] { device->copy(target, source, size); };
  }
  // Returns a graph of copies of few bytes.
  std::function<void()> small_copies(int count) const {
    const auto all = [one = copies(small_bytes), count] {
      for (int n = 0; n < count; ++n) one();
    };
    all();
    return on->recorded(all);
  }

 private:
  std::function<void()> stores() const {
    return on->prepare({.run = {copy_words(from.data, to.data, bytes)}}).run;
  }
};

// Returns bytes that differ from those of another seed, and from zeros, in every word.
std::vector<char> pattern(std::size_t bytes, unsigned long long seed) {
  std::vector<char> made(bytes);
  for (std::size_t n = 0; n + sizeof seed <= bytes; n += sizeof seed) {
    const unsigned long long word = (n + seed) * 0x9e3779b97f4a7c15ull + 1;
    std::memcpy(&made[n], &word, sizeof word);
  }
  return made;
}

// Returns true if every byte arrives that a lane sends in one way.
bool arrives(const Lane& lane, const std::function<void()>& way, unsigned long long seed) {
  const std::vector<char> sent = pattern(lane.bytes, seed);
  lane.from.write(sent);
  lane.to.write(std::vector<char>(lane.bytes, 0));
  way();
  lane.on->fence();
  return lane.to.read(lane.bytes) == sent;
}

std::string name_of(const End& end) {
  return end.device ? fmt::format("device {}", end.device->index()) : "the host";
}

// Returns why bytes do not cross a link whole; empty if they do.
std::string problem_of(const Lane& lane) {
  for (const auto& [way, word, seed] :
       {std::tuple(&lane.copy, "copies", 1ull), {&lane.store, "stores", 2ull}})
    if (!arrives(lane, *way, seed))
      return fmt::format("{} does not see what {} {}", name_of(lane.to), name_of(lane.from), word);
  return "";
}

// Work that is given to a device again and again.
struct QueuedWork {
  CudaBackend* on;
  const std::function<void()>* run;
};

class Stopwatch {
 public:
  explicit Stopwatch(const LinkEffort& effort) : effort_(effort) {}

  bool is_over() const { return now() - start_ > effort_.seconds; }

  // Returns the median seconds of one call of all sides at once; nothing if the time is over.
  std::optional<double> seconds(const std::vector<QueuedWork>& sides) const {
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
  static double batch(const std::vector<QueuedWork>& sides, int calls) {
    for (const QueuedWork& side : sides) side.on->fence();
    const double start = now();
    for (int n = 0; n < calls; ++n)
      for (const QueuedWork& side : sides) (*side.run)();
    for (const QueuedWork& side : sides) side.on->fence();
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
  FlagGame(CudaBackend& first, CudaBackend& second, double answer_seconds)
      : answer_seconds_(answer_seconds),
        ends_{{&first, Buffer(first, sizeof(LinkMailbox)), {}},
              {&second, Buffer(second, sizeof(LinkMailbox)), {}}} {
    for (const int n : {0, 1})
      ends_[n].step = ends_[n].on->prepare(
          {.run = {answer_rounds(n == 0, mailbox(n), mailbox(1 - n), rounds_, answer_seconds)}});
    for (Player& end : ends_) {  // loads all code before one kernel waits for the other
      end.step.run();
      end.on->fence();
    }
  }

  // Returns the seconds of a message, one way. Throws std::runtime_error if one was late or incomplete.
  double seconds(int rounds) {
    for (Player& end : ends_) {
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
  struct Player {
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
  static void run(Player& end) {
    end.step.run();
    end.on->fence();
  }

  void check(int n) const {
    LinkMailbox found{};
    ends_[n].on->download(&found, ends_[n].mailbox.data(), sizeof found);
    const int here = ends_[n].on->index(), there = ends_[1 - n].on->index();
    if (found.late > 0)
      throw std::runtime_error(fmt::format("device {} waited {:.3g} s for message {} of device {}", here,
                                           answer_seconds_, found.late, there));
    if (found.wrong > 0)
      throw std::runtime_error(
          fmt::format("device {} saw {} flags of device {} before their numbers", here, found.wrong, there));
  }

  double answer_seconds_;
  std::shared_ptr<int> rounds_ = std::make_shared<int>(0);
  Player ends_[2];
};

void measure_lanes(const Lane& there, const Lane& back, int copies, const Stopwatch& watch, LinkPair& found) {
  const double bytes = double(there.bytes);
  const auto alone = [&](const Lane& lane, const std::function<void()>& run) {
    return watch.seconds({{lane.on, &run}});
  };
  const auto both = [&](const std::function<void()>& one, const std::function<void()>& other) {
    return rate(bytes, watch.seconds({{there.on, &one}, {back.on, &other}}));
  };
  for (const auto& [lane, rates] : {std::pair(&there, &found.there), {&back, &found.back}}) {
    rates->copy = rate(bytes, alone(*lane, lane->copy));
    rates->store = rate(bytes, alone(*lane, lane->store));
    const std::function<void()> small = lane->small_copies(copies);
    if (const auto all = alone(*lane, small)) rates->copy_latency = *all / copies;
  }
  found.there.copy_both_ways = found.back.copy_both_ways = both(there.copy, back.copy);
  found.there.store_both_ways = found.back.store_both_ways = both(there.store, back.store);
  if (watch.is_over()) found.there.reason = found.back.reason = "the time for this pair was over";
}

std::size_t message_bytes(const LinkEffort& effort, std::size_t free) {
  const std::size_t most = std::min(effort.bytes, free / 8);
  return std::max<std::size_t>(most / sizeof(LinkWord) * sizeof(LinkWord), 1024);
}

// Returns why the two directions cannot be used; both empty if bytes cross them whole.
LinkPair trial(Lane there, Lane back) {
  for (Lane* lane : {&there, &back})
    *lane = Lane(*lane->on, lane->from, lane->to, std::min(lane->bytes, trial_bytes));
  LinkPair found;
  found.there.reason = problem_of(there);
  found.back.reason = problem_of(back);
  return found;
}
bool failed(const LinkPair& pair) { return !pair.there.reason.empty() || !pair.back.reason.empty(); }

}  // namespace

LinkPair measure_link(CudaBackend& first, CudaBackend& second, const LinkEffort& effort) {
  LinkPair found;
  found.there.reason = effort.enable(first.index(), second.index());
  found.back.reason = effort.enable(second.index(), first.index());
  if (failed(found)) return found;
  const std::size_t bytes = message_bytes(effort, std::min(first.free_memory(), second.free_memory()));
  const Buffer from[] = {{first, bytes}, {second, bytes}}, to[] = {{first, bytes}, {second, bytes}};
  const Lane there(first, {&first, from[0].data()}, {&second, to[1].data()}, bytes),
      back(second, {&second, from[1].data()}, {&first, to[0].data()}, bytes);
  found = trial(there, back);
  if (failed(found)) return found;
  FlagGame game(first, second, effort.answer_seconds);
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
  measure_lanes(there, back, effort.copies, watch, found);
  return found;
}

LinkPair measure_host_link(CudaBackend& device, const LinkEffort& effort) {
  const std::size_t bytes =
      message_bytes(effort, device.free_memory()) / 4 / sizeof(LinkWord) * sizeof(LinkWord);
  const std::unique_ptr<Backend> queue = effort.second_queue(device.id());
  CudaBackend& other = dynamic_cast<CudaBackend&>(*queue);
  const Buffer here(device, bytes), here_too(other, bytes);
  const std::shared_ptr<void> host = effort.pinned(bytes), host_too = effort.pinned(bytes);
  const Lane there(device, {&device, here.data()}, {nullptr, host.get()}, bytes),
      back(other, {nullptr, host_too.get()}, {&other, here_too.data()}, bytes);
  LinkPair found = trial(there, back);
  if (!failed(found)) measure_lanes(there, back, effort.copies, Stopwatch(effort), found);
  return found;
}

}  // namespace cfdmark

#include "tests/cuda_emulation/emulated_peers.hpp"

#include <fmt/format.h>

#include <chrono>
#include <condition_variable>
#include <cstring>
#include <map>
#include <mutex>
#include <stdexcept>
#include <thread>
#include <utility>

namespace cfdmark::emulation {
namespace {

struct Waiting {
  const PeerCount* flag;
  PeerCount wanted;
  std::string what;
};

// What the devices with messages wait for. Guards all flags.
struct Board {
  std::mutex mutex;
  std::condition_variable changed;
  int devices = 0;  // with messages
  std::map<const Peers*, Waiting> waiting;

  bool is_deadlock() const {
    if (int(waiting.size()) < devices) return false;
    for (const auto& [peers, one] : waiting)
      if (*one.flag >= one.wanted) return false;
    return true;
  }
  std::string text() const {
    std::string all;
    for (const auto& [peers, one] : waiting) all += (all.empty() ? "" : "; ") + one.what;
    return all;
  }
};

Board& board() {
  static Board instance;
  return instance;
}

template <class F>
void for_each_row(const Put& put, const F& f) {
  for (int k = 0; k < put.nz; ++k)
    for (int j = 0; j < put.ny; ++j)
      f(put.from + j * put.from_pitch + k * put.from_plane, put.to + j * put.to_pitch + k * put.to_plane);
}

}  // namespace

Peers::Peers() = default;
Peers::~Peers() {
  const std::lock_guard lock(board().mutex);
  if (has_joined_) --board().devices;
}

void Peers::join() {
  const std::lock_guard lock(board().mutex);
  board().devices += !std::exchange(has_joined_, true);
}

void Peers::put(const Put& put) {
  if (put.to_rank < 0)
    return for_each_row(put, [&](const char* from, char* to) { std::memcpy(to, from, put.row_bytes); });
  OnItsWay message{put, {}};
  for_each_row(put, [&](const char* from, char* to) {
    message.values.insert(message.values.end(), from, from + put.row_bytes);
    std::memset(to, 0xff, put.row_bytes);
  });
  on_their_way_.push_back(std::move(message));
}

void Peers::signal(const Signal& signal) {
  for (auto message = on_their_way_.begin(); message != on_their_way_.end();) {
    if (message->put.to_rank != signal.to) {
      ++message;
      continue;
    }
    const char* values = message->values.data();
    for_each_row(message->put, [&](const char*, char* to) {
      std::memcpy(to, values, message->put.row_bytes);
      values += message->put.row_bytes;
    });
    message = on_their_way_.erase(message);
  }
  {
    const std::lock_guard lock(board().mutex);
    *signal.flag = ++*signal.count;
  }
  board().changed.notify_all();
  if (++signals_ * 2654435761u >> 30 == 0) std::this_thread::sleep_for(std::chrono::microseconds(50));
}

void Peers::await(const Await& await, int rank) {
  using Clock = std::chrono::steady_clock;
  const Clock::time_point start = Clock::now();
  Board& all = board();
  std::unique_lock lock(all.mutex);
  const PeerCount wanted = ++*await.count;
  const auto ends_with = [&](const std::string& why) {
    const std::string text = all.text();
    all.waiting.erase(this);
    all.changed.notify_all();
    throw std::logic_error(why + text);
  };
  all.waiting[this] = {
      await.flag, wanted,
      fmt::format("rank {} waits for rank {}, round {}: {}", rank, await.from, wanted, await.what)};
  while (*await.flag < wanted) {
    if (all.is_deadlock()) ends_with("all devices wait: ");
    if (std::chrono::duration<double>(Clock::now() - start).count() > most_seconds)
      ends_with(fmt::format("after {} s ", most_seconds));
    all.changed.wait_for(lock, std::chrono::milliseconds(20));
  }
  all.waiting.erase(this);
}

std::vector<std::function<void()>> Peers::calls_of(const std::vector<PeerWork>& work, int rank) {
  std::vector<std::function<void()>> calls;
  for (const PeerWork& one : work) {
    if (const auto* p = std::get_if<Put>(&one)) calls.push_back([this, p = *p] { put(p); });
    if (const auto* s = std::get_if<Signal>(&one)) calls.push_back([this, s = *s] { signal(s); });
    if (const auto* a = std::get_if<Await>(&one)) calls.push_back([this, a = *a, rank] { await(a, rank); });
  }
  return calls;
}

}  // namespace cfdmark::emulation

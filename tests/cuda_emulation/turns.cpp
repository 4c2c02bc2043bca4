#include "tests/cuda_emulation/turns.hpp"

#include <algorithm>
#include <stdexcept>
#include <thread>

namespace cfdmark::emulation {

void Turns::run(const std::function<void(int)>& block) {
  std::vector<std::thread> hosts;
  for (int n = 0; n < int(done_.size()); ++n) hosts.emplace_back([&, n] { host(n, block); });
  for (std::thread& host : hosts) host.join();
  if (failure_) std::rethrow_exception(failure_);
}

void Turns::host(int block, const std::function<void(int)>& body) {
  std::unique_lock lock(mutex_);
  std::exception_ptr failure;
  try {
    wait_for_turn(lock, block);
    lock.unlock();
    body(block);
  } catch (const Stopped&) {
  } catch (...) {
    failure = std::current_exception();
  }
  if (!lock.owns_lock()) lock.lock();
  if (failure && !failure_) failure_ = failure;
  done_[std::size_t(block)] = true;
  without_progress_ = 0;
  if (turn_ == block) next();
  changed_.notify_all();
}

void Turns::pass(bool progressed) {
  std::unique_lock lock(mutex_);
  without_progress_ = progressed ? 0 : without_progress_ + 1;
  if (without_progress_ > std::count(done_.begin(), done_.end(), false))
    throw std::logic_error("the blocks of a cooperative launch wait for each other for ever");
  const int block = turn_;
  next();
  changed_.notify_all();
  wait_for_turn(lock, block);
}

void Turns::wait_for_turn(std::unique_lock<std::mutex>& lock, int block) {
  changed_.wait(lock, [&] { return turn_ == block || failure_; });
  if (failure_) throw Stopped();
}

void Turns::next() {
  for (std::size_t n = 0; n < done_.size(); ++n) {
    turn_ = int((std::size_t(turn_) + 1) % done_.size());
    if (!done_[std::size_t(turn_)]) return;
  }
}

}  // namespace cfdmark::emulation

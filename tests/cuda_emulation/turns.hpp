// The blocks of a cooperative launch: each has a host thread, and one of them runs at a time.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <mutex>
#include <vector>

namespace cfdmark::emulation {

class Turns {
 public:
  explicit Turns(int blocks) : done_(std::size_t(blocks), false) {}

  // Runs the blocks until all are done; the first to arrive begins. Throws the first exception of a block.
  void run(const std::function<void(int block)>& block);

  // Called by a block: lets the others run until it is this block's turn again. `progressed`: true if the
  // block did work since its last turn. Throws std::logic_error once no block progresses any more.
  void pass(bool progressed);

 private:
  struct Stopped {};  // another block has failed

  void host(int block, const std::function<void(int)>& body);
  void wait_for_turn(std::unique_lock<std::mutex>&, int block);
  void next();

  std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<bool> done_;
  int turn_ = 0, without_progress_ = 0;
  std::exception_ptr failure_;
};

}  // namespace cfdmark::emulation

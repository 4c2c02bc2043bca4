// The worker's current stage, in memory shared with its supervisor. It can be read after the worker has died,
// and writing it wakes no process during a measurement.
#pragma once

#include <atomic>
#include <cstdint>

#include "bench/measure/stage.hpp"

namespace cfdmark {

struct WorkerStatus {
  std::int32_t index = -1;  // case in the group; -1: none
  Stage stage = Stage::prepare;
  std::uint32_t count = 0;  // incremented by every note; a worker whose count stops may hang
};

class SharedWorkerStatus {
 public:
  // Creates the memory, or maps that of a descriptor from the supervisor. Throws std::system_error.
  SharedWorkerStatus();
  explicit SharedWorkerStatus(int fd);
  ~SharedWorkerStatus();
  SharedWorkerStatus(const SharedWorkerStatus&) = delete;
  SharedWorkerStatus& operator=(const SharedWorkerStatus&) = delete;

  int fd() const { return fd_; }
  void write(std::int32_t index, Stage);
  WorkerStatus read() const;

 private:
  struct Shared {
    std::atomic<std::int32_t> index, stage;
    std::atomic<std::uint32_t> count;
  };
  static_assert(std::atomic<std::int32_t>::is_always_lock_free, "two processes cannot share a lock of one");
  void map();

  int fd_;
  Shared* shared_ = nullptr;
};

}  // namespace cfdmark

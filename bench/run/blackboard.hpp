// What a worker is at, in memory that it shares with its supervisor: still to be read when the worker has
// died, and written without waking anybody up while something is measured.
#pragma once

#include <atomic>
#include <cstdint>

#include "bench/run/stage.hpp"

namespace cfdmark {

struct Note {
  std::int32_t index = -1;  // of the case in the group; -1: none
  Stage stage = Stage::prepare;
  std::uint32_t count = 0;  // changes with every note: a worker whose count stands still may hang
};

class Blackboard {
 public:
  // A new one, or the one behind a descriptor that the supervisor made. Throws std::system_error.
  Blackboard();
  explicit Blackboard(int fd);
  ~Blackboard();
  Blackboard(const Blackboard&) = delete;
  Blackboard& operator=(const Blackboard&) = delete;

  int fd() const { return fd_; }
  void write(std::int32_t index, Stage);
  Note read() const;

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

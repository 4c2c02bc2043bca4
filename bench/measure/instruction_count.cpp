#include "bench/measure/instruction_count.hpp"

#include <fmt/format.h>
#include <linux/perf_event.h>
#include <sys/ioctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <cstdint>
#include <cstring>

namespace cfdmark {
namespace {

constexpr double longest_step = 0.2;  // seconds

// The kernel's instruction counter for this thread, closed on destruction.
class Counter {
 public:
  Counter() {
    perf_event_attr wanted{};
    wanted.type = PERF_TYPE_HARDWARE;
    wanted.size = sizeof wanted;
    wanted.config = PERF_COUNT_HW_INSTRUCTIONS;
    wanted.disabled = 1;
    wanted.exclude_kernel = 1;  // needs no privilege
    wanted.exclude_hv = 1;
    fd_ = int(syscall(SYS_perf_event_open, &wanted, 0, -1, -1, PERF_FLAG_FD_CLOEXEC));
    if (fd_ < 0)
      reason_ = fmt::format("the system does not count instructions here: {}", std::strerror(errno));
  }
  ~Counter() {
    if (fd_ >= 0) close(fd_);
  }
  Counter(const Counter&) = delete;
  Counter& operator=(const Counter&) = delete;

  const std::string& reason() const { return reason_; }
  void start() {
    ioctl(fd_, PERF_EVENT_IOC_RESET, 0);
    ioctl(fd_, PERF_EVENT_IOC_ENABLE, 0);
  }
  void stop() { ioctl(fd_, PERF_EVENT_IOC_DISABLE, 0); }
  // Returns 0 if there is no count: no free hardware counter, or a virtual machine that does not count.
  std::uint64_t read_count() const {
    std::uint64_t count = 0;
    return read(fd_, &count, sizeof count) == sizeof count ? count : 0;
  }

 private:
  int fd_ = -1;
  std::string reason_;
};

}  // namespace

Json count_instructions(const TimedStep& timed) {
  if (timed.backend->kind() != BackendKind::serial)
    return {{"reason", "counted for steps on one thread only"}};
  if (timed.seconds > longest_step) return {{"reason", "counted for short steps only"}};
  Counter counter;
  if (!counter.reason().empty()) return {{"reason", counter.reason()}};
  if (timed.reset) timed.reset();
  counter.start();
  timed.step();
  counter.stop();
  const std::uint64_t count = counter.read_count();
  if (count == 0) return {{"reason", "the system's counter does not count"}};
  return {{"per_step", count / std::uint64_t(timed.steps)}};
}

}  // namespace cfdmark

#include "tests/cuda_emulation/emulated_device.hpp"

#include <exception>
#include <memory>
#include <stdexcept>
#include <vector>

#include "tests/cuda_emulation/context.hpp"
#include "tests/cuda_emulation/turns.hpp"

namespace cfdmark {

constexpr int guard_bytes = 256;  // behind a block's dynamic shared memory: must stay as they were
// The array that kernels/device/cuda/primitives/dynamic_shared.cuh declares.
thread_local unsigned char dynamic_shared_memory[emulation::most_shared_bytes + guard_bytes]
    __attribute__((aligned(128)));

}  // namespace cfdmark

namespace cfdmark::emulation {

constinit thread_local Index3 thread_index, block_index, block_shape, block_count;

namespace {

constexpr std::size_t stack_bytes = 64 * 1024;
constexpr int warp = 32, most_threads = 1024;
constexpr unsigned char never_written = 0xff, guard = 0x5a;  // of shared memory; the first makes a NaN

enum class Waiting { no, for_block, for_warp, for_blocks, done };

// Runs threads one after another. A thread that has to wait keeps its fiber, and another fiber runs the next
// thread.
struct Fiber {
  explicit Fiber(void (*run)()) : context(run, stack.get(), stack_bytes) {}

  std::unique_ptr<char[]> stack{new char[stack_bytes]};
  Context context;
  Waiting waiting = Waiting::no;
  int thread = 0;
};

struct Block {
  Extent extent;
  int threads = 0, started = 0;
  const std::function<void()>* body = nullptr;
};

// State of the block that this host thread runs.
thread_local Block block;
thread_local Context scheduler;
thread_local std::vector<std::unique_ptr<Fiber>> fibers;
thread_local Fiber* running = nullptr;
thread_local Turns* turns = nullptr;      // of a cooperative launch
thread_local bool progressed = false;     // since the last turn
thread_local std::exception_ptr failure;  // from a thread of the block
// Values exchanged between lanes, in two sets: a lane may be one exchange ahead of another.
thread_local double exchanged[2][most_threads];
thread_local int exchanges[most_threads];

void become(int thread) {
  running->thread = thread;
  thread_index = {unsigned(thread % block.extent.x), unsigned(thread / block.extent.x % block.extent.y),
                  unsigned(thread / (block.extent.x * block.extent.y))};
}

void run_threads() {
  while (true) {
    while (block.started < block.threads && !failure) {
      become(block.started++);
      try {
        (*block.body)();
      } catch (...) {
        failure = std::current_exception();
      }
      progressed = true;
    }
    running->waiting = Waiting::done;
    running->context.go_on_to(scheduler);  // until there is another block
  }
}

void wait(Waiting why) {
  progressed |= why != Waiting::for_blocks;
  running->waiting = why;
  const int thread = running->thread;
  running->context.go_on_to(scheduler);
  become(thread);
}

void resume(Fiber& fiber) {
  running = &fiber;
  fiber.waiting = Waiting::no;
  scheduler.go_on_to(fiber.context);
}

void start(std::size_t n) {
  if (n == fibers.size()) fibers.push_back(std::make_unique<Fiber>(run_threads));
  resume(*fibers[n]);
}

// Resumes all threads that wait for this reason; returns false if there were none.
bool resume_all(std::size_t used, Waiting why) {
  std::vector<Fiber*> waiting;
  for (std::size_t n = 0; n < used; ++n)
    if (fibers[n]->waiting == why) waiting.push_back(fibers[n].get());
  for (Fiber* fiber : waiting) resume(*fiber);
  return !waiting.empty();
}

// Resumes all threads that wait for their warp, unless a lane of it waits for other blocks and has not
// arrived.
bool resume_warps(std::size_t used) {
  std::vector<bool> incomplete(most_threads / warp, false);
  for (std::size_t n = 0; n < used; ++n)
    if (fibers[n]->waiting == Waiting::for_blocks) incomplete[std::size_t(fibers[n]->thread / warp)] = true;
  std::vector<Fiber*> waiting;
  for (std::size_t n = 0; n < used; ++n)
    if (fibers[n]->waiting == Waiting::for_warp && !incomplete[std::size_t(fibers[n]->thread / warp)])
      waiting.push_back(fibers[n].get());
  for (Fiber* fiber : waiting) resume(*fiber);
  return !waiting.empty();
}

// If threads wait for other blocks, runs those first; returns false if none ran.
bool resume_after_other_blocks(std::size_t used) {
  if (std::none_of(fibers.begin(), fibers.begin() + std::ptrdiff_t(used),
                   [](const auto& fiber) { return fiber->waiting == Waiting::for_blocks; }))
    return false;
  if (!turns)
    throw std::logic_error(
        "a block waits for others in a launch that is not cooperative: on a device they may never be "
        "resident");
  turns->pass(progressed);
  progressed = false;
  return resume_all(used, Waiting::for_blocks);
}

void run_threads_of_block(std::size_t& used) {
  while (block.started < block.threads && !failure) start(used++);
  while (!failure &&
         (resume_warps(used) || resume_after_other_blocks(used) || resume_all(used, Waiting::for_block))) {
  }
  if (failure) std::rethrow_exception(std::exchange(failure, nullptr));
}

void check_guard(int shared_bytes) {
  const unsigned char* const behind = dynamic_shared_memory + shared_bytes;
  if (std::any_of(behind, behind + guard_bytes, [](unsigned char byte) { return byte != guard; }))
    throw std::logic_error("a block wrote beyond its " + std::to_string(shared_bytes) +
                           " bytes of dynamic shared memory");
}

void run_block(Extent extent, const std::function<void()>& body, int shared_bytes) {
  block = {extent, extent.x * extent.y * extent.z, 0, &body};
  std::fill_n(exchanges, most_threads, 0);
  std::fill_n(dynamic_shared_memory, shared_bytes, never_written);
  std::fill_n(dynamic_shared_memory + shared_bytes, guard_bytes, guard);
  std::size_t used = 0;
  try {
    run_threads_of_block(used);
  } catch (...) {
    fibers.clear();  // some are in the middle of a thread
    throw;
  }
  check_guard(shared_bytes);
}

Index3 index_of(unsigned n, const Index3& count) {
  return {n % count.x, n / count.x % count.y, n / count.x / count.y};
}

}  // namespace

void wait_for_block() { wait(Waiting::for_block); }

int lane() { return running->thread % warp; }

double exchange_in_warp(double value, int from) {
  const int thread = running->thread;
  double* values = exchanged[exchanges[thread]++ % 2];
  values[thread] = value;
  wait(Waiting::for_warp);
  return values[thread - thread % warp + from];
}

void wait_for_blocks() { wait(Waiting::for_blocks); }

void launch(Extent blocks, Extent threads, const std::function<void()>& thread, int shared_bytes,
            bool cooperative) {  // guard after a block's dynamic shared memory; must stay unchanged
  const Index3 count{unsigned(blocks.x), unsigned(blocks.y), unsigned(blocks.z)};
  const int number = int(count.x * count.y * count.z);
  const auto run = [&](int n) {
    block_count = count;
    block_shape = {unsigned(threads.x), unsigned(threads.y), unsigned(threads.z)};
    block_index = index_of(unsigned(n), count);
    run_block(threads, thread, shared_bytes);
  };
  if (!cooperative) {
    for (int n = 0; n < number; ++n) run(n);
    return;
  }
  Turns all(number);
  all.run([&](int n) {
    turns = &all;
    run(n);
  });
}

}  // namespace cfdmark::emulation

#include "tests/cuda_emulation/emulated_device.hpp"

#include <ucontext.h>

#include <memory>
#include <vector>

// The thread sanitizer keeps a call stack for each fiber, and must be told who goes on.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CFDMARK_THREAD_SANITIZER
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define CFDMARK_THREAD_SANITIZER
#endif
#if defined(CFDMARK_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace cfdmark::emulation {

Index3 thread_index, block_index, block_count;

namespace {

constexpr std::size_t stack_bytes = 64 * 1024;
constexpr int warp = 32, most_threads = 1024;

enum class Waiting { no, for_block, for_warp, done };

// A stack and a place on it, which another one can go on from.
struct Context {
  ucontext_t place{};
#if defined(CFDMARK_THREAD_SANITIZER)
  void* known = __tsan_get_current_fiber();
  void make_known() { known = __tsan_create_fiber(0); }
#else
  void make_known() {}
#endif
};

void go_on(Context& from, Context& to) {
#if defined(CFDMARK_THREAD_SANITIZER)
  __tsan_switch_to_fiber(to.known, 0);
#endif
  swapcontext(&from.place, &to.place);
}

// Runs threads one after the other; when one has to wait it keeps that one, and another fiber runs the next.
struct Fiber {
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

Block block;
Context scheduler;
std::vector<std::unique_ptr<Fiber>> fibers;
Fiber* running = nullptr;
// What lanes hand over, twice: a lane may be one exchange ahead of another.
double exchanged[2][most_threads];
int exchanges[most_threads];

void become(int thread) {
  running->thread = thread;
  thread_index = {unsigned(thread % block.extent.x), unsigned(thread / block.extent.x % block.extent.y),
                  unsigned(thread / (block.extent.x * block.extent.y))};
}

void run_threads() {
  while (true) {
    while (block.started < block.threads) {
      become(block.started++);
      (*block.body)();
    }
    running->waiting = Waiting::done;
    go_on(running->context, scheduler);  // until there is another block
  }
}

void wait(Waiting why) {
  running->waiting = why;
  const int thread = running->thread;
  go_on(running->context, scheduler);
  become(thread);
}

void resume(Fiber& fiber) {
  running = &fiber;
  fiber.waiting = Waiting::no;
  go_on(scheduler, fiber.context);
}

std::unique_ptr<Fiber> make_fiber() {
  auto fiber = std::make_unique<Fiber>();
  ucontext_t& place = fiber->context.place;
  getcontext(&place);
  place.uc_stack.ss_sp = fiber->stack.get();
  place.uc_stack.ss_size = stack_bytes;
  makecontext(&place, run_threads, 0);
  fiber->context.make_known();
  return fiber;
}

void start(std::size_t n) {
  if (n == fibers.size()) fibers.push_back(make_fiber());
  resume(*fibers[n]);
}

// Resumes all that wait for this; false if none did.
bool resume_all(std::size_t used, Waiting why) {
  std::vector<Fiber*> waiting;
  for (std::size_t n = 0; n < used; ++n)
    if (fibers[n]->waiting == why) waiting.push_back(fibers[n].get());
  for (Fiber* fiber : waiting) resume(*fiber);
  return !waiting.empty();
}

void run_block(Extent extent, const std::function<void()>& body) {
  block = {extent, extent.x * extent.y * extent.z, 0, &body};
  std::fill_n(exchanges, most_threads, 0);
  std::size_t used = 0;
  while (block.started < block.threads) start(used++);
  while (resume_all(used, Waiting::for_warp) || resume_all(used, Waiting::for_block)) {
  }
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

void launch(Extent blocks, Extent threads, const std::function<void()>& body) {
  block_count = {unsigned(blocks.x), unsigned(blocks.y), unsigned(blocks.z)};
  for (unsigned z = 0; z < block_count.z; ++z)
    for (unsigned y = 0; y < block_count.y; ++y)
      for (unsigned x = 0; x < block_count.x; ++x) {
        block_index = {x, y, z};
        run_block(threads, body);
      }
}

}  // namespace cfdmark::emulation

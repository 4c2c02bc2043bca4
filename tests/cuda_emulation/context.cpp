// Some compilers replace all jumps by checked ones, which refuse to change stacks.
#undef _FORTIFY_SOURCE

#include "tests/cuda_emulation/context.hpp"

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define CFDMARK_THREAD_SANITIZER
#endif
#if __has_feature(address_sanitizer)
#define CFDMARK_ADDRESS_SANITIZER
#endif
#endif
#if defined(__SANITIZE_THREAD__)
#define CFDMARK_THREAD_SANITIZER
#endif
#if defined(__SANITIZE_ADDRESS__)
#define CFDMARK_ADDRESS_SANITIZER
#endif
#if defined(CFDMARK_THREAD_SANITIZER)
#include <sanitizer/tsan_interface.h>
#endif

namespace cfdmark::emulation {

#if defined(CFDMARK_THREAD_SANITIZER) || defined(CFDMARK_ADDRESS_SANITIZER)

// Sanitizers follow these calls from stack to stack; the thread sanitizer must also be informed.
void Context::go_on_to(Context& other) {
#if defined(CFDMARK_THREAD_SANITIZER)
  __tsan_switch_to_fiber(other.sanitizers_, 0);
#endif
  swapcontext(&context_, &other.context_);
}

#else

// swapcontext queries the kernel for the signal mask each time, which dominates the run time of an emulation.
// So it only starts a stack; jumps resume it.
void Context::go_on_to(Context& other) {
  if (_setjmp(place_) != 0) return;
  has_place_ = true;
  if (other.has_place_) _longjmp(other.place_, 1);
  setcontext(&other.context_);
}

#endif

#if defined(CFDMARK_THREAD_SANITIZER)
Context::Context() : sanitizers_(__tsan_get_current_fiber()) {}
#else
Context::Context() = default;
#endif

Context::Context(void (*begin)(), char* stack, std::size_t bytes) : has_own_stack_(true) {
  getcontext(&context_);
  context_.uc_stack.ss_sp = stack;
  context_.uc_stack.ss_size = bytes;
  makecontext(&context_, begin, 0);
#if defined(CFDMARK_THREAD_SANITIZER)
  sanitizers_ = __tsan_create_fiber(0);
#endif
}

Context::~Context() {
#if defined(CFDMARK_THREAD_SANITIZER)
  if (has_own_stack_) __tsan_destroy_fiber(sanitizers_);
#endif
}

}  // namespace cfdmark::emulation

#pragma once

#include <ucontext.h>

#include <csetjmp>

namespace cfdmark::emulation {

// A stack with a position on it that can be resumed.
class Context {
 public:
  // The context of the running thread.
  Context();
  // A context with a stack of its own. `begin` runs when it is first resumed and must not return.
  Context(void (*begin)(), char* stack, std::size_t bytes);
  Context(const Context&) = delete;
  ~Context();

  // Saves the position of this context and resumes another. Returns when this one is resumed.
  void go_on_to(Context& other);

 private:
  ucontext_t context_{};
  std::jmp_buf place_;
  bool has_place_ = false;      // false: not started yet
  void* sanitizers_ = nullptr;  // handle of the thread sanitizer
  bool has_own_stack_ = false;
};

}  // namespace cfdmark::emulation

#pragma once

#include <ucontext.h>

#include <csetjmp>

namespace cfdmark::emulation {

// A stack and a place on it, which others can go on from.
class Context {
 public:
  // Of whoever runs now.
  Context();
  // Of a stack of its own, on which `begin` runs when it is first gone on to; it must not return.
  Context(void (*begin)(), char* stack, std::size_t bytes);
  Context(const Context&) = delete;
  ~Context();

  // Keeps the place where this one is and goes on at that of another. Returns when this is gone on to.
  void go_on_to(Context& other);

 private:
  ucontext_t context_{};
  std::jmp_buf place_;
  bool has_place_ = false;      // else it begins
  void* sanitizers_ = nullptr;  // what the thread sanitizer knows it by
  bool has_own_stack_ = false;
};

}  // namespace cfdmark::emulation

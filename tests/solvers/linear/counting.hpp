// A backend that forwards to another one and counts the memory allocated on it.
#pragma once

#include <algorithm>
#include <map>

#include "kernels/device/cuda/plan/cuda_plan.hpp"

namespace cfdmark {

template <class Base>
class Counted : public Base {
 public:
  explicit Counted(Base& real) : real_(real) {}
  void* allocate(std::size_t bytes) override {
    void* p = real_.allocate(bytes);
    sizes_[p] = bytes;
    now_ += bytes;
    most_ = std::max(most_, now_);
    return p;
  }
  void release(void* p) noexcept override {
    now_ -= sizes_[p];
    sizes_.erase(p);
    real_.release(p);
  }
  std::size_t most() const { return most_; }

  void upload(void* to, const void* from, std::size_t n) override { real_.upload(to, from, n); }
  void download(void* to, const void* from, std::size_t n) override { real_.download(to, from, n); }
  void copy(void* to, const void* from, std::size_t n) override { real_.copy(to, from, n); }
  void set_zero(void* to, std::size_t n) override { real_.set_zero(to, n); }
  void fence() override { real_.fence(); }
  std::function<void()> recorded(std::function<void()> work) override { return real_.recorded(work); }
  std::size_t free_memory() const override { return real_.free_memory(); }
  std::size_t last_level_cache() const override { return real_.last_level_cache(); }

 protected:
  Base& real_;

 private:
  std::size_t now_ = 0, most_ = 0;
  std::map<void*, std::size_t> sizes_;
};

class CountedHost final : public Counted<Backend> {
 public:
  using Counted::Counted;
  BackendKind kind() const override { return real_.kind(); }
  bool host_accessible() const override { return real_.host_accessible(); }
};

class CountedCuda final : public Counted<CudaBackend> {
 public:
  using Counted::Counted;
  Step prepare(Plan plan) override { return real_.prepare(std::move(plan)); }
  int resident_blocks(const Launch& launch) override { return real_.resident_blocks(launch); }
};

}  // namespace cfdmark

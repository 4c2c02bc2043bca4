#include "kernels/device/cpu/openmp.hpp"

#include <algorithm>

#include "kernels/device/subnormals.hpp"

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace cfdmark {
namespace {

constexpr std::size_t chunk = 1 << 16;  // bytes per thread and turn

constexpr std::size_t few_bytes = 4 * chunk;  // below this one thread finishes before others have started

// Loops over fields use a static schedule over rows, so equal shares of the bytes are placed near their
// threads.
template <class Body>
void for_each_chunk(std::size_t bytes, const Body& body) {
#pragma omp parallel for schedule(static) if (bytes > few_bytes)
  for (std::size_t begin = 0; begin < bytes; begin += chunk)
    body(begin, begin + chunk < bytes ? chunk : bytes - begin);
}

class OpenMPBackend final : public HostBackend {
 public:
  OpenMPBackend() {
#pragma omp parallel
    flush_subnormals();  // threads may have been started before by other code
  }
  BackendKind kind() const override { return BackendKind::openmp; }
  void* allocate(std::size_t bytes) override {
    void* p = allocate_host(bytes);
    set_zero(p, bytes);
    return p;
  }
  void upload(void* to, const void* from, std::size_t bytes) override {
    for_each_chunk(bytes, [&](std::size_t begin, std::size_t size) {
      std::memcpy(static_cast<char*>(to) + begin, static_cast<const char*>(from) + begin, size);
    });
  }
  void copy(void* to, const void* from, std::size_t bytes) override { upload(to, from, bytes); }
  void set_zero(void* to, std::size_t bytes) override {
    for_each_chunk(bytes, [&](std::size_t begin, std::size_t size) {
      std::memset(static_cast<char*>(to) + begin, 0, size);
    });
  }
};

}  // namespace

#if defined(_OPENMP)
std::string openmp_unavailable() { return ""; }
int openmp_max_threads() { return std::min(omp_get_max_threads(), omp_get_thread_limit()); }
#else
std::string openmp_unavailable() { return "built without OpenMP: the compiler does not support it"; }
int openmp_max_threads() { return 1; }
#endif

Backend& openmp_backend() {
  static OpenMPBackend instance;
  return instance;
}

std::unique_ptr<Backend> new_openmp_backend() { return std::make_unique<OpenMPBackend>(); }

Setting openmp_threads_setting() {
  const int all = openmp_max_threads();
  Setting threads{"threads", {}, all, "host threads that share the work"};
  threads.most_here = all;
  for (int n = 1; n < all; n *= 2) threads.values.push_back(n);
  threads.values.push_back(all);
  return threads;
}

std::vector<Setting> openmp_chunk_settings() {
  return {
      choice_setting(
          "schedule", {"static", "dynamic", "guided"}, "static",
          "assignment of chunks to threads: round-robin, first come first served, or with shrinking chunks"),
      {"chunk", {1, 4, 16, 64}, 16, "rows per chunk"},
      choice_setting("binding", {"close", "spread"}, "close",
                     "placement of threads if fewer than cores; requires OMP_PROC_BIND")};
}

OpenMPSchedule openmp_schedule_from(std::string_view word) {
  return word == "static"    ? OpenMPSchedule::in_turn
         : word == "dynamic" ? OpenMPSchedule::dynamic
                             : OpenMPSchedule::guided;
}

}  // namespace cfdmark

#include "kernels/device/kokkos/kokkos.hpp"

#include <cstdlib>
#include <cstring>
#include <unordered_map>

#include "kernels/device/cpu/field_start.hpp"
#include "kernels/device/kokkos/kokkos_device.hpp"
#include "kernels/device/kokkos/kokkos_space.hpp"

#if defined(_OPENMP)
#include <omp.h>
#endif

namespace cfdmark {
namespace {

using Facts = KokkosFacts<KokkosExec, kokkos_on_host>;

// Starts Kokkos with arguments, whose spelling is the same in all versions. Suppresses the warning that
// OMP_PROC_BIND is unset: the recorded environment says so. Kokkos overwrites OpenMP's default thread count,
// on which the openmp backend depends, so it is restored.
void start_kokkos() {
#if defined(_OPENMP)
  const int openmp_threads = omp_get_max_threads();
#endif
  char name[] = "cfdmark", quiet[] = "--kokkos-disable-warnings";
  char* arguments[] = {name, quiet, nullptr};
  int count = 2;
  Kokkos::initialize(count, arguments);
#if defined(_OPENMP)
  omp_set_num_threads(openmp_threads);
#endif
  std::atexit([] { Kokkos::finalize(); });
}

using Bytes = Kokkos::View<char*, KokkosMemory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
using ConstHostBytes = Kokkos::View<const char*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
using ConstBytes = Kokkos::View<const char*, KokkosMemory, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
using HostBytes = Kokkos::View<char*, Kokkos::HostSpace, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

// On a host: calls body(begin, size) for pieces of `bytes`, on the threads that will later process them.
template <class Body>
void for_each_chunk(const char* label, std::size_t bytes, const Body& body) {
  constexpr std::size_t chunk = 1 << 16;
  Kokkos::parallel_for(label, kokkos_shares(Index((bytes + chunk - 1) / chunk)), [=](Index n) {
    const std::size_t begin = n * chunk;
    body(begin, std::min(chunk, bytes - begin));
  });
}

class KokkosBackend final : public Backend {
 public:
  BackendKind kind() const override { return BackendKind::kokkos; }
  bool host_accessible() const override {
    return Kokkos::SpaceAccessibility<Kokkos::HostSpace, KokkosMemory>::accessible;
  }

  // Kokkos aligns to 64 bytes at any offset within a page on hosts. So a larger block is allocated and the
  // start moved: on a host to next_field_start(), on a device to a multiple of 128.
  void* allocate(std::size_t bytes) override {
    const std::size_t alignment = kokkos_on_host ? host_page : 128;
    const std::size_t ahead = kokkos_on_host ? next_field_start() : 0;
    void* const whole = Kokkos::kokkos_malloc<KokkosMemory>("cfdmark field", alignment + ahead + bytes);
    const std::size_t address = reinterpret_cast<std::size_t>(whole);
    void* const start = static_cast<char*>(whole) + (alignment - address % alignment) % alignment + ahead;
    whole_.emplace(start, whole);
    set_zero(start, bytes);
    return start;
  }

  // Static fields can outlive Kokkos, which has then freed their memory.
  void release(void* p) noexcept override {
    const auto found = whole_.find(p);
    if (found == whole_.end()) return;
    if (Kokkos::is_initialized()) Kokkos::kokkos_free<KokkosMemory>(found->second);
    whole_.erase(found);
  }

  void upload(void* to, const void* from, std::size_t bytes) override {
    char* const target = static_cast<char*>(to);
    const char* const source = static_cast<const char*>(from);
    if constexpr (kokkos_on_host)
      for_each_chunk("upload", bytes, [=](std::size_t begin, std::size_t size) {
        std::memcpy(target + begin, source + begin, size);
      });
    else
      Kokkos::deep_copy(Bytes(target, bytes), ConstHostBytes(source, bytes));
  }

  void download(void* to, const void* from, std::size_t bytes) override {
    Kokkos::deep_copy(HostBytes(static_cast<char*>(to), bytes),
                      ConstBytes(static_cast<const char*>(from), bytes));
  }

  void copy(void* to, const void* from, std::size_t bytes) override {
    Kokkos::deep_copy(KokkosExec(), Bytes(static_cast<char*>(to), bytes),
                      ConstBytes(static_cast<const char*>(from), bytes));
  }

  void set_zero(void* to, std::size_t bytes) override {
    char* const target = static_cast<char*>(to);
    if constexpr (kokkos_on_host)
      for_each_chunk("set to zero", bytes,
                     [=](std::size_t begin, std::size_t size) { std::memset(target + begin, 0, size); });
    else
      Kokkos::deep_copy(Bytes(target, bytes), char(0));
  }

  void fence() override { Kokkos::fence(); }
  std::size_t free_memory() const override { return Facts::free_memory(); }
  std::size_t last_level_cache() const override { return Facts::last_level_cache(); }
  std::optional<DeviceMemory> device_memory() const override { return Facts::device_memory(); }
  std::string pci_bus_id() const override { return Facts::pci_bus_id(); }

 private:
  std::unordered_map<void*, void*> whole_;  // address returned to the caller -> address from Kokkos
};

}  // namespace

std::string kokkos_unavailable() { return Facts::unavailable(); }

// The backend is never destroyed: steps and fields released at exit may still use it.
Backend& kokkos_backend() {
  static Backend& instance = [&]() -> Backend& {
    start_kokkos();
    return *new KokkosBackend;
  }();
  return instance;
}

std::string kokkos_device() { return KokkosExec::name(); }

int kokkos_threads() {
  if (!kokkos_on_host) return 0;
  kokkos_backend();
  return kokkos_concurrency();
}

std::string kokkos_version() {
  return std::to_string(KOKKOS_VERSION / 10000) + "." + std::to_string(KOKKOS_VERSION / 100 % 100) + "." +
         std::to_string(KOKKOS_VERSION % 100);
}

}  // namespace cfdmark

#include "kernels/device/cpu/serial.hpp"

namespace cfdmark {
namespace {

class SerialBackend final : public HostBackend {
 public:
  BackendKind kind() const override { return BackendKind::serial; }
  void* allocate(std::size_t bytes) override {
    void* p = allocate_host(bytes);
    std::memset(p, 0, bytes);
    return p;
  }
  void upload(void* to, const void* from, std::size_t bytes) override { std::memcpy(to, from, bytes); }
  void copy(void* to, const void* from, std::size_t bytes) override { upload(to, from, bytes); }
  void set_zero(void* to, std::size_t bytes) override { std::memset(to, 0, bytes); }
};

}  // namespace

Backend& serial_backend() {
  static SerialBackend instance;
  return instance;
}

std::unique_ptr<Backend> new_serial_backend() { return std::make_unique<SerialBackend>(); }

}  // namespace cfdmark

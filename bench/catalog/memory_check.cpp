#include "bench/catalog/memory_check.hpp"

#include <fmt/format.h>

#include "bench/case/ranked_case.hpp"
#include "bench/device_facts/host_facts.hpp"
#include "kernels/device/cpu/host_memory.hpp"

namespace cfdmark {
namespace {

struct Need {
  double device = 0, host = 0;  // bytes
};

Need need_of(const Case& c) {
  const auto row = row_on_ranks(c);
  const double fields = row->field_bytes(c.domain, c.workload), host = row->host_bytes(c.domain, c.workload);
  return backend(device_of(c)).host_accessible() ? Need{0, host + fields} : Need{fields, host};
}

std::string refusal(const Case& c, const char* where, double need, double available) {
  if (need <= available) return "";
  return fmt::format("{} is too large: it needs {:.2f} GB of {} memory and {:.2f} GB are free",
                     c.domain.text(), need / 1e9, where, available / 1e9);
}

}  // namespace

std::string memory_refusal(const Case& c) {
  const Need need = need_of(c);
  // Memory of the previous case in this process will be reused or freed.
  const double host = double(available_host_memory()) + double(resident_bytes());
  if (const std::string reason = refusal(c, "host", need.host, host); !reason.empty()) return reason;
  return need.device > 0 ? refusal(c, "device", need.device, double(backend(device_of(c)).free_memory()))
                         : "";
}

bool leaves_room(const Case& c) {
  const Need need = need_of(c);
  if (2 * need.host > double(available_host_memory())) return false;
  return need.device == 0 || 2 * need.device <= double(backend(device_of(c)).free_memory());
}

}  // namespace cfdmark
